/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-cost.h - what a hook's own code takes, to be taken off the time between two of its hits
 *
 * Between two readings of the counter by one hook on one CPU lies its code once: what follows the
 * reading of the first hit and what comes before that of the second. That is what is taken
 * off, as it was measured in that run. Nothing is taken off between hits on two CPUs, and
 * nothing for other hooks. An interval that is shorter than that is nothing then, and
 * counted.
 *
 * Threads: one at a time; who reads for it counts apart and sets @clamped at the end.
 */
#pragma once

#include "core/store/gilk-store-cost.h"

G_BEGIN_DECLS

typedef struct {
  double   seconds, low, high;        /* of a hit: the median, and its 95 % interval */
  guint    n_measurements;            /* that these are from; 1: before the run alone */
  uint64_t clamped;                   /* out: intervals that would be below zero */
} GilkHookCost;

/* Fails where it was not measured. */
gboolean gilk_hook_cost_of    (GilkStore *store, const GilkStoredHook *hook, GilkHookCost *cost, GError **error);
/* What a cost is from, after a figure: "from 5 measurements over the run". (transfer full) */
char    *gilk_hook_cost_basis (guint n_measurements);
/* What was taken off, in words. (transfer full) */
char    *gilk_hook_cost_words (const GilkHookCost *cost);

/* @clamped: grows by one where it would be below zero. */
static inline double
gilk_hook_cost_off (double cost, double interval, uint64_t *clamped)
{
  if (interval >= cost)
    return interval - cost;
  ++*clamped;

  return 0.0;
}

G_END_DECLS
