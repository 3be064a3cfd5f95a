/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-cost.h - finds the cost of a hook's own code, and subtracts it from the time between
 * two hits of the hook
 *
 * Between two timestamps of one hook on one CPU, the hook's code runs once: the part after the
 * timestamp at the first hit, and the part before the timestamp at the second. This cost, as
 * measured in that run, is subtracted. Nothing is subtracted between hits on two CPUs. The cost of
 * other hooks that ran in between is not subtracted either. An interval shorter than the cost
 * becomes 0 and is counted.
 *
 * Threads: one at a time; parallel readers count separately and set @clamped at the end.
 */
#pragma once

#include "core/store/gilk-store-cost.h"

G_BEGIN_DECLS

typedef struct {
  double   seconds, low, high;        /* cost per hit or call: median, and its 95 % confidence
                                       * interval */
  guint    n_measurements;            /* number of measurements; 1: only the measurement before
                                       * the run */
  gboolean of_calls;                  /* the cost is for durations of calls, and is from
                                       * gilk_hook_elapsed_cost(); FALSE: for intervals between
                                       * hits */
  uint64_t clamped;                   /* (out): number of intervals that became 0 instead of
                                       * negative */
} GilkHookCost;

/* Finds the cost of a hit of the hook. Fails if the cost was not measured. */
gboolean gilk_hook_cost_of    (GilkStore *store, const GilkStoredHook *hook, GilkHookCost *cost, GError **error);
/* Returns a note on the measurements of a cost: "from 5 measurements over the run".
 * (transfer full) */
char    *gilk_hook_cost_basis (guint n_measurements);
/* Describes the subtracted cost for the user. (transfer full) */
char    *gilk_hook_cost_text  (const GilkHookCost *cost);

/* Subtracts @cost from @interval. @clamped: incremented if the result would be negative */
static inline double
gilk_hook_cost_subtract (double cost, double interval, uint64_t *clamped)
{
  if (interval >= cost)
    return interval - cost;
  ++*clamped;

  return 0.0;
}

G_END_DECLS
