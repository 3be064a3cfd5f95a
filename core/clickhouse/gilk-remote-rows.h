/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-rows.h - parses a server's answer: rows in ClickHouse's TabSeparated format
 *
 * A server is as untrusted as a file: each row must have the requested columns, and each cell must
 * be valid for its column; otherwise the whole answer is refused.
 *
 * Threads: any; rows are immutable.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct {
  guint    n, n_columns;
  /* private: */
  char    *text;              /* the buffer that strings point into */
  GArray  *cells;
} GilkRemoteRows;

/**
 * gilk_remote_rows_parse:
 * @text: (transfer full): @size bytes followed by a 0 byte
 * @types: one letter per column: u unsigned 64-bit integer, i signed 64-bit integer, d double, s a
 * text
 */
GilkRemoteRows *gilk_remote_rows_parse (char *text, gsize size, const char *types, GError **error);
void            gilk_remote_rows_free  (GilkRemoteRows *rows);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkRemoteRows, gilk_remote_rows_free)

/* Each returns the value of a cell. The cell's column must have the type that the function returns.
 * Doubles may be NaN. */
uint64_t    gilk_remote_rows_uint   (const GilkRemoteRows *rows, guint row, guint column);
int64_t     gilk_remote_rows_int    (const GilkRemoteRows *rows, guint row, guint column);
double      gilk_remote_rows_double (const GilkRemoteRows *rows, guint row, guint column);
/* Returns the text of a cell, valid UTF-8. (transfer none) */
const char *gilk_remote_rows_text   (const GilkRemoteRows *rows, guint row, guint column);

G_END_DECLS
