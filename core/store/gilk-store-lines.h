/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-lines.h - source lines of addresses, stored at the end of a run if debug data was
 * available
 *
 * Threads: only the store's. On failure outputs are untouched.
 */
#pragma once

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

enum { GILK_LINES_DEEP = 64 };

typedef struct {
  const char *function;        /* (nullable) */
  const char *file;
  guint       line;
} GilkStoreLine;

/* Stores source lines. @lines: the line of @address, then the lines into which it was inlined, from
 * the inside out. Stored lines of the address are not replaced. */
gboolean    gilk_store_add_lines (GilkStore *store, gint64 run, uint64_t address, const GilkStoreLine *lines, guint n,
                                  GError **error);

/* Returns all lines of a run in a table: address -> "include/linux/fs.h:12, from fs/pipe.c:3".
 * (element-type int64 utf8) (transfer full) */
GHashTable *gilk_store_lines     (GilkStore *store, gint64 run, GError **error);
/* Returns NULL if the line is unknown. (transfer none) */
const char *gilk_stored_line     (GHashTable *lines, uint64_t address);

G_END_DECLS
