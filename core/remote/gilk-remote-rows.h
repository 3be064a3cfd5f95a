/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-rows.h - what a server answered: rows of ClickHouse's TabSeparated
 *
 * A server is believed no more than a file: each row has the columns that were asked for, each cell
 * what its column is to hold, or all of it is refused.
 *
 * Threads: any; rows do not change.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct {
  guint    n, n_columns;
  /* private: */
  char    *text;              /* what strings point into */
  GArray  *cells;
} GilkRemoteRows;

/**
 * gilk_remote_rows_parse:
 * @text: (transfer full): @size bytes and a 0 behind them
 * @types: a letter a column: u and i 64-bit integers without and with sign, d a number, s a text
 */
GilkRemoteRows *gilk_remote_rows_parse (char *text, gsize size, const char *types, GError **error);
void            gilk_remote_rows_free  (GilkRemoteRows *rows);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkRemoteRows, gilk_remote_rows_free)

/* Each of a column of that type. Numbers may be NaN. */
uint64_t    gilk_remote_rows_uint   (const GilkRemoteRows *rows, guint row, guint column);
int64_t     gilk_remote_rows_int    (const GilkRemoteRows *rows, guint row, guint column);
double      gilk_remote_rows_double (const GilkRemoteRows *rows, guint row, guint column);
/* UTF-8. (transfer none) */
const char *gilk_remote_rows_text   (const GilkRemoteRows *rows, guint row, guint column);

G_END_DECLS
