/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-perturbation.h - computes the effect of a run's switched hooks (those that were on and
 * off in turn), on a control hook or on a number that the workload reports
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
  guint            intervals;         /* number of intervals of time in which the switched hooks
                                       * were on or off */
  guint            left_out;          /* number of pairs of an on and an off interval that were left
                                       * out */
  double           period;            /* median length of the on and off intervals, seconds */
  GilkPerturbation found;
} GilkHookPerturbation;

#define GILK_PERTURBATION_LEVEL 0.95

/* Returns the hook with the most samples among those of @hooks (GilkStoredHook) that were not
 * switched on and off during the run. (transfer none) (nullable) */
const GilkStoredHook *gilk_perturbation_control_hook (const GArray *hooks);

/**
 * gilk_hook_perturbation:
 * @hook: control hook, which must have been on during the whole run, not switched on and off
 * @field: a numeric field or "interval", whose mean in an interval of time is the outcome of that
 *   interval; NULL: the outcome is hits per second
 * @gaps: gaps of the hook
 * Computes the effect of the run's switched hooks on @hook. Fails if the run has no switched hooks,
 * or has too few pairs.
 */
gboolean gilk_hook_perturbation    (GilkStore *store, const GilkStoredHook *hook, const char *field,
                                    const GArray *gaps, GilkHookPerturbation *out, GError **error);
/* Computes the effect of the run's switched hooks on @n values measured at @times: seconds since
 * time zero of the run, in any order. */
gboolean gilk_outcome_perturbation (GilkStore *store, gint64 run, const double *times, const double *values,
                                    gsize n, GilkHookPerturbation *out, GError **error);

/*
 * Computes the effect of a run's switched hooks.
 *
 * Reads every sample of the control hook.
 */

typedef struct {
  char    *measured_by;        /* label of the control hook, or name of the workload's measurements */
  gboolean by_workload;
  char    *field, *unit;       /* field is NULL if the effect is on hits per second or on the
                                * workload's measurements */
  GilkHookPerturbation found;
  guint    traps;              /* number of hooks switched on and off that are traps; the int3 of a
                                * trap stays in place while the hook is off */
} GilkEffect;

/**
 * gilk_effect_of_hook:
 * @hook: id of a control hook; 0: the one with the most samples
 * @field: (nullable): a numeric field, or "interval"
 *
 * Computes the effect of the run's switched hooks on a control hook. Fails as
 * gilk_hook_perturbation() does, or if every hook that takes samples was switched.
 */
GilkEffect *gilk_effect_of_hook     (GilkStore *store, gint64 run, gint64 hook, const char *field, GError **error);
/* Computes the effect of the run's switched hooks on @n measurements that the workload made. @name:
 * name of these measurements */
GilkEffect *gilk_effect_of_workload (GilkStore *store, gint64 run, const char *name, const double *times,
                                     const double *values, gsize n, GError **error);
void        gilk_effect_free        (GilkEffect *effect);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkEffect, gilk_effect_free)

/* Returns the unit (transfer none), and sets @low, @value and @high to the difference and its
 * bounds, for drawing: in percent of the value with hooks off if possible, otherwise in the value's
 * unit. */
const char *gilk_effect_difference (const GilkEffect *effect, double *low, double *value, double *high);

G_END_DECLS
