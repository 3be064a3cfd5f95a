/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-effect.h - computes the effect of a run's switched hooks
 *
 * Reads every sample of the control hook.
 *
 * Threads: only the store's thread.
 */
#pragma once

#include "core/analysis/gilk-hook-perturbation.h"

G_BEGIN_DECLS

typedef struct {
  char    *measured_by;        /* label of the control hook, or name of the workload's measurements */
  gboolean by_workload;
  char    *field, *unit;       /* field is NULL if the effect is on hits per second or on the
                                * workload's measurements */
  GilkHookPerturbation found;
  guint    traps;              /* number of switched hooks that are traps; the int3 of a trap stays
                                * in place while the hook is off */
} GilkEffect;

/**
 * gilk_effect_of_hook:
 * @hook: id of a control hook; 0: the one with the most samples
 * @field: (nullable): a numeric field, or "interval"
 *
 * Fails as gilk_hook_perturbation() does, or if every hook that takes samples was switched.
 */
GilkEffect *gilk_effect_of_hook     (GilkStore *store, gint64 run, gint64 hook, const char *field, GError **error);
/* Computes the effect on @n measurements that the workload made. @name: name of these
 * measurements */
GilkEffect *gilk_effect_of_workload (GilkStore *store, gint64 run, const char *name, const double *times,
                                     const double *values, gsize n, GError **error);
void        gilk_effect_free        (GilkEffect *effect);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkEffect, gilk_effect_free)

/* Returns the unit (transfer none), and sets @low, @value and @high to the difference and its
 * bounds, for drawing: in percent of the value with hooks off if possible, otherwise in the value's
 * unit. */
const char *gilk_effect_difference (const GilkEffect *effect, double *low, double *value, double *high);

G_END_DECLS
