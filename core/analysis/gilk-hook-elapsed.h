/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-elapsed.h - computes durations of a function's calls, call by call, from span samples
 * (at entries and exits)
 *
 * Computes the field GILK_ELAPSED of figures, which needs both samples of a call.
 *
 * Threads: only the store's thread. Functions return soon after the store's cancellable is
 * cancelled.
 */
#pragma once

#include "core/cost/gilk-hook-cost.h"
#include "core/analysis/gilk-hook-samples.h"
#include "core/stats/gilk-span.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef struct _GilkHookElapsed GilkHookElapsed;

/* Calls of a function, ordered by their ends; valid until gilk_hook_elapsed_next() is called
 * again. */
typedef struct {
  guint           n;
  const gint64   *t_ns;     /* when the call ended, ns since the run's time zero */
  const uint64_t *ns;       /* duration of the call, ns */
  const uint32_t *cpu;      /* CPU on which the call ended */
} GilkElapsedBlock;

/* Returns TRUE if @hook records entries or exits of calls, so that the durations of calls
 * (GILK_ELAPSED) may be known. */
gboolean gilk_hook_is_span      (const GilkStoredHook *hook);
/* Returns TRUE if both hooks are in the same function. */
gboolean gilk_hook_same_function (const GilkStoredHook *a, const GilkStoredHook *b);
/**
 * gilk_hook_span_hooks:
 * @hooks: (element-type GilkStoredHook): hooks of the run of @hook
 * Returns the hooks at which calls of the function start and end. If the function's entry is
 * hooked, calls start only there, even if other blocks have pre-hooks. (transfer container)
 * (element-type GilkStoredHook): the elements are borrowed from @hooks
 */
GArray  *gilk_hook_span_hooks    (const GilkStoredHook *hook, const GArray *hooks);
/* Returns TRUE if @hooks has hooks at both the starts and the ends of calls of the function of
 * @hook. */
gboolean gilk_hook_has_elapsed  (const GilkStoredHook *hook, const GArray *hooks);

/**
 * gilk_hook_elapsed_new:
 * @hooks: hooks of one function and one run whose samples have a frame: "pre" hooks mark entries,
 *   "post" hooks exits; at least one, borrowed
 * @subtract_cost: subtract the measured cost of a hit; fails if it was not measured
 * Prepares to read the calls of the function.
 */
GilkHookElapsed *gilk_hook_elapsed_new  (GilkStore *store, const GilkStoredHook *hooks, guint n_hooks,
                                         gboolean subtract_cost, GError **error);
/* Reads the calls of the function of @hook. If @hook is at an exit, reads only the calls that ended
 * at this exit. */
GilkHookElapsed *gilk_hook_elapsed_of   (GilkStore *store, const GilkStoredHook *hook, gboolean subtract_cost, GError **error);
void             gilk_hook_elapsed_free (GilkHookElapsed *elapsed);
/* Sets @cost to the time that is subtracted from the duration of each call: half the cost of the
 * entry hook plus half the cost of the exit hook. For several hooks at one end, uses the mean of
 * their costs, and an interval that covers all of their intervals. */
gboolean         gilk_hook_elapsed_cost (GilkStore *store, const GilkStoredHook *hooks, guint n_hooks, GilkHookCost *cost,
                                         GError **error);
/* Sets @cost to the time that gilk_hook_elapsed_of() subtracts from the duration of each call. */
gboolean         gilk_hook_elapsed_cost_of (GilkStore *store, const GilkStoredHook *hook, GilkHookCost *cost, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkHookElapsed, gilk_hook_elapsed_free)

/* Selects the calls that started at @from_ns or later and ended before @to_ns. Must be called
 * before the first gilk_hook_elapsed_next(), and again to start over. */
gboolean       gilk_hook_elapsed_begin (GilkHookElapsed *elapsed, gint64 from_ns, gint64 to_ns, GError **error);
/* Gets the next calls, possibly none. Returns FALSE at the end, or with @error. */
gboolean       gilk_hook_elapsed_next  (GilkHookElapsed *elapsed, GilkElapsedBlock *block, GError **error);
/* Returns the numbers of calls by kind. Must be called after gilk_hook_elapsed_next() has returned
 * FALSE. */
GilkSpanCounts gilk_hook_elapsed_counts (const GilkHookElapsed *elapsed);

G_END_DECLS
