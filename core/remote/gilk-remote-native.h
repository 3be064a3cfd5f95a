/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-native.h - rows on their way into a table, column by column: ClickHouse's Native format
 *
 * Numbers of columns, of rows, then of each column its name, its type and all its values, integers
 * little-endian, texts with their length before them. It is what servers hand to each other, so that
 * they have nothing to parse.
 *
 * Threads: one at a time.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum {
  GILK_NATIVE_U8, GILK_NATIVE_U16, GILK_NATIVE_U32, GILK_NATIVE_U64, GILK_NATIVE_I64, GILK_NATIVE_TEXT,
  GILK_NATIVE_DAY,              /* days since 1970 */
} GilkNativeType;

typedef struct _GilkNative GilkNative;

GilkNative *gilk_native_new        (void);
void        gilk_native_free       (GilkNative *native);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkNative, gilk_native_free)

/* The number of it. Before the first value. */
guint       gilk_native_column     (GilkNative *native, const char *name, GilkNativeType type);
/* A row more in that column; all columns have to have as many when they are written. */
void        gilk_native_put        (GilkNative *native, guint column, uint64_t value);
void        gilk_native_put_text   (GilkNative *native, guint column, const char *text);
/* The same value once more for each of @n rows. */
void        gilk_native_put_all    (GilkNative *native, guint column, uint64_t value, guint n);
/* Forgets all values, and keeps the columns. */
void        gilk_native_clear      (GilkNative *native);
/* Forgets the values of one column. */
void        gilk_native_clear_column (GilkNative *native, guint column);

/* Replaces what is in @bytes; of @n rows. */
void        gilk_native_write      (const GilkNative *native, guint n, GByteArray *bytes);
/* "(a, b, c)" (transfer full) */
char       *gilk_native_names      (const GilkNative *native);
/* What is in the columns, in one word: hexadecimal SHA-256. (transfer full) */
char       *gilk_native_digest     (const GilkNative *native);

G_END_DECLS
