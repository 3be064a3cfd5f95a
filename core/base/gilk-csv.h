/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-csv.h - rows of comma-separated values, as RFC 4180 has them
 *
 * Threads: any; @lines is the caller's.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What needs quotes gets them. */
void gilk_csv_append_cell (GString *lines, const char *cell);
/* Appends a line with its end; what needs quotes gets them. A cell may be NULL. */
void gilk_csv_append_row (GString *lines, guint n, const char *const *cells);

G_END_DECLS
