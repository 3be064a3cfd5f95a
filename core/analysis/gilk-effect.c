/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-effect.c - computes the effect of a run's switched hooks
 */
#include "core/analysis/gilk-effect.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/analysis/gilk-hook-gaps.h"
#include "core/base/gilk-error.h"

void
gilk_effect_free (GilkEffect *effect)
{
  g_free (effect->measured_by);
  g_free (effect->field);
  g_free (effect->unit);
  g_free (effect);
}

static const GilkStoredHook *
find_hook (const GArray *hooks, gint64 id)
{
  for (guint i = 0; i < hooks->len; i++)
    if (g_array_index (hooks, GilkStoredHook, i).id == id)
      return &g_array_index (hooks, GilkStoredHook, i);

  return NULL;
}

static gboolean
find_duration (GilkStore *store, gint64 run, double *duration, GError **error)
{
  g_autoptr(GArray) runs = gilk_store_runs (store, error);

  *duration = 0.0;
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    if (g_array_index (runs, GilkStoredRun, i).id == run)
      *duration = g_array_index (runs, GilkStoredRun, i).duration;

  return runs != NULL;
}

/* (transfer full) */
static char *
find_unit (GilkStore *store, const GilkStoredHook *hook, const char *field, GError **error)
{
  g_autoptr(GArray) fields = NULL;

  if (field == NULL)
    return g_strdup ("/s");
  if (strcmp (field, "interval") == 0)
    return g_strdup ("s");
  fields = gilk_store_fields (store, hook->run, hook->instrument, error);
  if (fields == NULL)
    return NULL;
  for (guint i = 0; i < fields->len; i++)
    {
      const GilkStoredField *one = &g_array_index (fields, GilkStoredField, i);

      if (strcmp (one->name, field) == 0 && one->unit != NULL)
        return g_strdup (one->unit);
    }

  return g_strdup ("");
}

static const GilkStoredHook *
choose_control_hook (const GArray *hooks, gint64 id, GError **error)
{
  const GilkStoredHook *hook = id != 0 ? find_hook (hooks, id) : gilk_perturbation_control_hook (hooks);

  if (hook == NULL)
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                         _("No control hook: every hook of this run that takes samples was "
                           "switched off and on. Set control=yes for one of them and record "
                           "again, or give the workload's own measurements to “gilk report "
                           "--outcomes”."));

  return hook;
}

static guint
count_traps (const GArray *hooks)
{
  guint n = 0;

  for (guint i = 0; i < hooks->len; i++)
    {
      const GilkStoredHook *hook = &g_array_index (hooks, GilkStoredHook, i);

      n += hook->switched && strcmp (hook->tactic, "trap") == 0;
    }

  return n;
}

GilkEffect *
gilk_effect_of_hook (GilkStore  *store,
                     gint64      run,
                     gint64      hook,
                     const char *field,
                     GError    **error)
{
  g_autoptr(GArray) hooks = gilk_store_hooks (store, run, error);
  const GilkStoredHook *control = hooks != NULL ? choose_control_hook (hooks, hook, error) : NULL;
  g_autoptr(GilkEffect) effect = NULL;
  g_autoptr(GArray) gaps = NULL;
  double duration;

  if (control == NULL || !find_duration (store, run, &duration, error))
    return NULL;
  effect = g_new0 (GilkEffect, 1);
  effect->measured_by = g_strdup (control->label);
  effect->field = g_strdup (field);
  effect->traps = count_traps (hooks);
  effect->unit = find_unit (store, control, field, error);
  gaps = effect->unit != NULL ? gilk_hook_gaps (store, control, duration, error) : NULL;
  if (gaps == NULL || !gilk_hook_perturbation (store, control, field, gaps, &effect->found, error))
    return NULL;

  return g_steal_pointer (&effect);
}

GilkEffect *
gilk_effect_of_workload (GilkStore    *store,
                         gint64        run,
                         const char   *name,
                         const double *times,
                         const double *values,
                         gsize         n,
                         GError      **error)
{
  g_autoptr(GArray) hooks = gilk_store_hooks (store, run, error);
  g_autoptr(GilkEffect) effect = g_new0 (GilkEffect, 1);

  if (hooks == NULL || !gilk_outcome_perturbation (store, run, times, values, n, &effect->found, error))
    return NULL;
  effect->measured_by = g_strdup (name);
  effect->by_workload = TRUE;
  effect->unit = g_strdup ("");
  effect->traps = count_traps (hooks);

  return g_steal_pointer (&effect);
}

const char *
gilk_effect_difference (const GilkEffect *effect,
                        double           *low,
                        double           *value,
                        double           *high)
{
  const GilkPerturbation *found = &effect->found.found;
  gboolean relative = !isnan (found->relative);

  *low = relative ? 100 * found->relative_low : found->low;
  *value = relative ? 100 * found->relative : found->difference;
  *high = relative ? 100 * found->relative_high : found->high;

  return relative ? "%" : effect->unit;
}
