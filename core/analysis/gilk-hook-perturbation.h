/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-perturbation.h - interleaved A/B: effect of a run's switched hooks on a control hook,
 * or on a number that the workload reports
 *
 * Each on/off interval yields one outcome; an on interval and an off interval make a pair. A pair
 * is left out if one of its intervals was cut off by the end of the run, started before the last
 * jump was in the text (until then hooks are traps), contains lost samples of the control hook,
 * lacks a value, or is shorter than half the median because the driver's timer was late.
 *
 * Threads: only the store's thread.
 */
#pragma once

#include "core/stats/gilk-gaps.h"
#include "core/stats/gilk-perturbation.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef struct {
  guint            intervals;         /* number of intervals */
  guint            left_out;          /* number of pairs left out */
  double           period;            /* median length of an interval, seconds */
  GilkPerturbation found;
} GilkHookPerturbation;

#define GILK_PERTURBATION_LEVEL 0.95

/* Returns the hook with the most samples among those of @hooks (GilkStoredHook) that were not
 * switched. (transfer none) (nullable) */
const GilkStoredHook *gilk_perturbation_control_hook (const GArray *hooks);

/**
 * gilk_hook_perturbation:
 * @hook: control hook, which must not have been switched
 * @field: a numeric field or "interval", whose mean in an interval of time is the outcome of that
 *   interval; NULL: the outcome is hits per second
 * @gaps: gaps of the hook
 * Fails if the run has no switched hooks, or has too few pairs.
 */
gboolean gilk_hook_perturbation    (GilkStore *store, const GilkStoredHook *hook, const char *field,
                                    const GArray *gaps, GilkHookPerturbation *out, GError **error);
/* Computes the effect on @n values at @times, seconds since time zero of the run, in any order. */
gboolean gilk_outcome_perturbation (GilkStore *store, gint64 run, const double *times, const double *values,
                                    gsize n, GilkHookPerturbation *out, GError **error);

G_END_DECLS
