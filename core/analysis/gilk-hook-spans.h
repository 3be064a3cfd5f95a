/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-spans.h - how long the calls of a function took, of however many samples of its spans
 *
 * Exact, in the memory of a sweep (gilk-hook-sweep.h) and of the calls that are under way (gilk-span.h).
 *
 * Threads: that of the store. Ends soon after its cancellable is cancelled.
 */
#pragma once

#include "core/analysis/gilk-span.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef struct {
  GilkSpanCounts counts;
  uint64_t lost;                              /* samples, of all its hooks */
  uint64_t min, median, p90, p99, max;        /* ns; 0 if there are no calls */
} GilkHookSpans;

/**
 * gilk_hook_spans:
 * @hooks: those of one function, of one run, whose samples have a frame: "pre" ones are of entries, "post" ones
 *   of exits; at least one
 * @subtract_cost: what a hit costs, as it was measured, is taken off; fails where it was not
 * A percentile is the least duration that so many of a hundred are not above. On failure @spans is untouched.
 */
gboolean gilk_hook_spans (GilkStore *store, const GilkStoredHook *hooks, guint n_hooks, gboolean subtract_cost,
                          GilkHookSpans *spans, GError **error);

G_END_DECLS
