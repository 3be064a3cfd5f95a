/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-spans.h - durations of a function's calls, for any number of span samples
 *
 * Exact, in the memory of a sweep (gilk-hook-sweep.h) and of the calls in progress (gilk-span.h).
 *
 * Threads: that of the store. Returns soon after its cancellable is cancelled.
 */
#pragma once

#include "core/stats/gilk-span.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef struct {
  GilkSpanCounts counts;
  uint64_t lost;                              /* samples lost by all of the function's hooks */
  uint64_t min, median, p90, p99, max;        /* ns; 0 without calls */
} GilkHookSpans;

/**
 * gilk_hook_spans:
 * @hooks: hooks of one function and one run whose samples have a frame: "pre" hooks mark entries,
 *   "post" hooks exits; at least one
 * @subtract_cost: subtract the measured cost of a hit; fails if it was not measured
 * The p-th percentile is the least duration that at least p % of the calls do not exceed. On
 * failure @spans is untouched.
 */
gboolean gilk_hook_spans (GilkStore *store, const GilkStoredHook *hooks, guint n_hooks, gboolean subtract_cost,
                          GilkHookSpans *spans, GError **error);

G_END_DECLS
