/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-lines.h - which lines of source addresses are of, where a run's end had debug data
 *
 * Threads: that of the store. On failure outputs are untouched.
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

/* @lines: what @address is of, then from where that was inlined. What is there already stays as it is. */
gboolean    gilk_store_add_lines (GilkStore *store, gint64 run, uint64_t address, const GilkStoreLine *lines, guint n,
                                  GError **error);

/* All of a run: address -> "include/linux/fs.h:12, from fs/pipe.c:3". A session before version 11 has none.
 * (element-type int64 utf8) (transfer full) */
GHashTable *gilk_store_lines     (GilkStore *store, gint64 run, GError **error);
/* NULL: none. (transfer none) */
const char *gilk_stored_line     (GHashTable *lines, uint64_t address);

G_END_DECLS
