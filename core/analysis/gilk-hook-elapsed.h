/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-elapsed.h - how long the calls of a function took, call by call, from samples of its spans
 *
 * What figures have as the field GILK_ELAPSED: not one of a sample, but of the two that a call has.
 *
 * Threads: that of the store. Ends soon after its cancellable is cancelled.
 */
#pragma once

#include "core/analysis/gilk-hook-field.h"
#include "core/analysis/gilk-span.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef struct _GilkHookElapsed GilkHookElapsed;

/* Valid until the next call; by when the calls ended. */
typedef struct {
  guint           n;
  const gint64   *t_ns;     /* since time zero, when it ended */
  const uint64_t *ns;       /* how long it took */
  const uint32_t *cpu;      /* where it ended */
} GilkElapsedBlock;

/* Does @hook record entries or exits of calls, so that it may have the field? */
gboolean         gilk_hook_is_span      (const GilkStoredHook *hook);
/* Are both of one function? */
gboolean         gilk_hook_same_function (const GilkStoredHook *a, const GilkStoredHook *b);
/**
 * gilk_hook_span_ends:
 * @hooks: (element-type GilkStoredHook): of the run of @hook
 * Those where calls of its function begin and end: if its very entry was hooked, calls begin there alone, whatever other
 * blocks were hooked before. (transfer container) (element-type GilkStoredHook): what is in them is of @hooks
 */
GArray          *gilk_hook_span_ends    (const GilkStoredHook *hook, const GArray *hooks);
/* Are there both beginnings and ends? */
gboolean         gilk_hook_has_elapsed  (const GilkStoredHook *hook, const GArray *hooks);

/**
 * gilk_hook_elapsed_new:
 * @hooks: those of one function, of one run, whose samples have a frame: "pre" ones are of entries, "post" ones
 *   of exits; at least one, borrowed
 * @subtract_cost: what a hit costs, as it was measured, is taken off; fails where it was not
 */
GilkHookElapsed *gilk_hook_elapsed_new   (GilkStore *store, const GilkStoredHook *hooks, guint n_hooks,
                                          gboolean subtract_cost, GError **error);
/* Of all calls of the function of @hook, or, if that is of an exit, those that ended there. */
GilkHookElapsed *gilk_hook_elapsed_of    (GilkStore *store, const GilkStoredHook *hook, gboolean subtract_cost, GError **error);
void             gilk_hook_elapsed_free  (GilkHookElapsed *elapsed);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkHookElapsed, gilk_hook_elapsed_free)

/* Before the first block, and to read them once more: calls that began at @from_ns or later and ended before @to_ns. */
gboolean         gilk_hook_elapsed_begin (GilkHookElapsed *elapsed, gint64 from_ns, gint64 to_ns, GError **error);
/* TRUE with a block, which may be empty; FALSE at the end, or with @error. */
gboolean         gilk_hook_elapsed_next  (GilkHookElapsed *elapsed, GilkElapsedBlock *block, GError **error);
/* At the end. */
GilkSpanCounts   gilk_hook_elapsed_counts (const GilkHookElapsed *elapsed);

G_END_DECLS
