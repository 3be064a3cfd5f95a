/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-targets.h - where the indirect calls of a run went
 *
 * A hook directly before such a call keeps a map "target" of the addresses that it goes to (gilk plan new --targets):
 * these are edges of the function's graph, and of the call graph.
 *
 * Threads: that of the store. On failure outputs are untouched.
 */
#pragma once

#include "core/store/gilk-store-names.h"

G_BEGIN_DECLS

#define GILK_TARGET_MAP "target"

typedef struct {
  guint    hook;                      /* its place among those that were given; its block is where the call is */
  uint64_t address, count;
  char    *name;                      /* "ext4_file_read_iter", or the address in digits if it has none */
  char    *module;                    /* NULL: it has no name */
} GilkStoredTarget;

/* @hooks: of @run, as gilk_store_hooks() has them. (transfer full) (element-type GilkStoredTarget): by hook, the most
 * frequent first */
GArray  *gilk_store_targets    (GilkStore *store, gint64 run, const GArray *hooks, GError **error);
/* "ext4_file_read_iter 231, shmem_file_read_iter 12": those of one hook. (transfer full) (nullable): it has none */
char    *gilk_stored_targets_text (const GArray *targets, guint hook);
/* How often a target of the hook found no room in the map. */
gboolean gilk_store_targets_missed (GilkStore *store, const GilkStoredHook *hook, uint64_t *missed, GError **error);

G_END_DECLS
