/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-rows.h - rows as exchanged with a server: parses rows of an answer, encodes rows
 * to be inserted
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
  char    *text;              /* the server's answer, into which the strings of text cells point */
  GArray  *cells;
} GilkRemoteRows;

/**
 * gilk_remote_rows_parse:
 * @text: (transfer full): @size bytes followed by a 0 byte
 * @types: one letter per column: u unsigned 64-bit integer, i signed 64-bit integer, d double, s a
 *   text
 * Parses the rows of a server's answer.
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

/*
 * Encodes rows to be inserted, column by column, in ClickHouse's Native format.
 *
 * The data start with the numbers of columns and rows. Then each column follows with its name, its
 * type and all values: integers little-endian, texts preceded by their length. Servers use this
 * format among themselves, and need not parse texts.
 *
 * Threads: one thread at a time.
 */

typedef enum {
  GILK_NATIVE_U8, GILK_NATIVE_U16, GILK_NATIVE_U32, GILK_NATIVE_U64, GILK_NATIVE_I64, GILK_NATIVE_TEXT,
  GILK_NATIVE_DAY,              /* a date, in days since 1970 */
} GilkNativeType;

typedef struct _GilkNative GilkNative;

GilkNative *gilk_native_new        (void);
void        gilk_native_free       (GilkNative *native);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkNative, gilk_native_free)

/* Adds a column and returns its index. Columns must be added before values. */
guint       gilk_native_column     (GilkNative *native, const char *name, GilkNativeType type);
/* Adds a value to @column. All columns must have the same number of values when they are
 * written. */
void        gilk_native_put        (GilkNative *native, guint column, uint64_t value);
void        gilk_native_put_text   (GilkNative *native, guint column, const char *text);
/* Adds @value to @column @n times. */
void        gilk_native_put_all    (GilkNative *native, guint column, uint64_t value, guint n);
/* Discards all values, but keeps the columns. */
void        gilk_native_clear      (GilkNative *native);

/* Replaces the contents of @bytes with @n rows. */
void        gilk_native_write      (const GilkNative *native, guint n, GByteArray *bytes);
/* Returns the names of the columns, "(a, b, c)". (transfer full) */
char       *gilk_native_names      (const GilkNative *native);
/* Returns the digest of all columns: hexadecimal SHA-256. (transfer full) */
char       *gilk_native_digest     (const GilkNative *native);

G_END_DECLS
