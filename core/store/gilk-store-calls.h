/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-calls.h - reads the recorded targets of a run's indirect calls, also as edges of a
 * kernel's call graph
 *
 * A hook directly in front of an indirect call has a map "target" of the called addresses (gilk
 * plan new --targets). The addresses are edges of the function's graph and of the call graph.
 *
 * Threads: only the store's thread. On failure outputs are untouched.
 */
#pragma once

#include "core/cfg/gilk-call-graph.h"
#include "core/store/gilk-store-names.h"

G_BEGIN_DECLS

#define GILK_TARGET_MAP "target"

typedef struct {
  guint    hook;                      /* index of the hook in front of the call, in @hooks */
  uint64_t address, count;
  char    *name;                      /* name of the called function, such as "ext4_file_read_iter";
                                       * the address if unnamed */
  char    *module;                    /* module of the function; NULL: the address is unnamed */
} GilkStoredTarget;

/* @hooks: hooks of @run, from gilk_store_hooks(). Returns the targets of the run's indirect calls,
 * sorted by hook, then by count, most frequent first. (transfer full) (element-type
 * GilkStoredTarget) */
GArray  *gilk_store_targets    (GilkStore *store, gint64 run, const GArray *hooks, GError **error);
/* Returns the call targets of one hook as text: "ext4_file_read_iter 231, shmem_file_read_iter 12";
 * NULL if it has none. (transfer full) (nullable) */
char    *gilk_stored_targets_text (const GArray *targets, guint hook);
/* Gets how many calls of the hook were not counted because the map of call targets was full. */
gboolean gilk_store_targets_missed (GilkStore *store, const GilkStoredHook *hook, uint64_t *missed, GError **error);

/* ---- reads recorded calls as edges of the call graph ---- */

/* The functions below match functions by name, because the session may be from another boot, or
 * from another kernel build. Functions that this kernel does not have are omitted. */

/* Returns the indirect calls recorded in @run; empty if there are none. (transfer full)
 * (element-type GilkIndirectCall) */
GArray     *gilk_store_seen_calls (GilkStore *store, gint64 run, GilkFunctions *functions, GError **error);
/* Returns how often functions were called, according to the recorded hits: see
 * gilk_call_hits_new(). (transfer full) */
GHashTable *gilk_store_call_hits  (GilkStore *store, gint64 run, GilkFunctions *functions, GError **error);

G_END_DECLS
