/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-csv.h - writing of comma-separated values, RFC 4180
 *
 * Threads: any; @lines is the caller's.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Appends a cell, quoted if necessary. */
void gilk_csv_append_cell (GString *lines, const char *cell);
/* Appends a line and its end; cells are quoted if necessary and may be NULL. */
void gilk_csv_append_row (GString *lines, guint n, const char *const *cells);

G_END_DECLS
