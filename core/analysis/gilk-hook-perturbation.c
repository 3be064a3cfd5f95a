/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-perturbation.c - computes the effect of a run's switched hooks, from outcomes measured
 * in the intervals when they were on, and when they were off
 */
#include "core/analysis/gilk-hook-perturbation.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/analysis/gilk-hook-gaps.h"
#include "core/analysis/gilk-hook-stream.h"
#include "core/base/gilk-array.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-memory.h"
#include "core/store/gilk-store-loss.h"

typedef struct {
  double   from, to;                  /* seconds */
  gboolean on, good;
  uint64_t n;
  double   sum;
} Interval;

static double
find_median_length (const GArray *intervals)
{
  g_autoptr(GArray) lengths = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < intervals->len; i++)
    {
      double length = g_array_index (intervals, Interval, i).to - g_array_index (intervals, Interval, i).from;

      g_array_append_val (lengths, length);
    }
  g_array_sort (lengths, gilk_order_double);

  return g_array_index (lengths, double, lengths->len / 2);
}

/* Returns the intervals of time in which the run's switched hooks were on or off. (element-type
 * Interval) */
static GArray *
read_intervals (GilkStore *store, gint64 run, const GArray *gaps, GError **error)
{
  g_autoptr(GArray) stored = gilk_store_intervals (store, run, error);
  g_autoptr(GArray) intervals = NULL;
  gint64 settled_ns;

  if (stored == NULL || !gilk_store_last_jump_time (store, run, &settled_ns, error))
    return NULL;
  if (stored->len == 0)
    return gilk_fail_null (error, GILK_ERROR_NOT_FOUND,
        _("No hook of this run was switched off and on, so the perturbation was not measured. Record with "
          "--interleave, or interleave= in the plan."));
  intervals = g_array_new (FALSE, TRUE, sizeof (Interval));
  for (guint i = 0; i < stored->len; i++)
    {
      const GilkStoredInterval *one = &g_array_index (stored, GilkStoredInterval, i);
      Interval interval = { .from = (double) one->from_ns / 1e9, .to = (double) one->to_ns / 1e9, .on = one->on };

      interval.good = one->complete && one->to_ns > one->from_ns && one->from_ns >= settled_ns &&
                   !(gaps != NULL && gilk_gaps_touch (gaps, interval.from, interval.to));
      g_array_append_val (intervals, interval);
    }

  return g_steal_pointer (&intervals);
}

/* Returns the on/off interval that contains @t, or
 * NULL. @at: index to start from, for ascending times */
static Interval *
find_interval (GArray *intervals, guint *at, double t)
{
  Interval *all = (Interval *) (void *) intervals->data;

  if (*at >= intervals->len || t < all[*at].from)
    *at = 0;
  while (*at < intervals->len && all[*at].to <= t)
    ++*at;

  return *at < intervals->len && all[*at].from <= t ? &all[*at] : NULL;
}

static gboolean
add_samples (GArray *intervals, GilkStore *store, const GilkStoredHook *hook, const char *field, const GArray *gaps,
             GError **error)
{
  gboolean is_interval = g_strcmp0 (field, "interval") == 0;
  const GilkHookAsk ask = {
    .field = field != NULL ? field : "time", .gaps = gaps, .from = NAN, .to = NAN, .in_order = TRUE,
  };
  g_autoptr(GilkHookStream) stream = gilk_hook_stream_new (store, hook, &ask, error);
  GError *local = NULL;
  GilkHookBlock values;
  guint at = 0;

  if (stream == NULL)
    return FALSE;
  while (gilk_hook_stream_next (stream, &values, &local))
    for (guint i = 0; i < values.n; i++)
      {
        Interval *interval = find_interval (intervals, &at, values.times[i]);

        /* The interval between two samples counts only if both are in the same on/off interval. */
        if (interval == NULL || (is_interval && values.times[i] - values.values[i] < interval->from))
          continue;
        interval->n++;
        interval->sum += values.values[i];
      }
  return gilk_check_end (&local, error);
}

static gboolean
compute_outcome (const Interval *interval, gboolean rate, double least, double *outcome)
{
  if (!interval->good || interval->to - interval->from < least || (!rate && interval->n == 0))
    return FALSE;
  *outcome = rate ? (double) interval->n / (interval->to - interval->from) : interval->sum / (double) interval->n;

  return TRUE;
}

static gboolean
compare_outcomes (const GArray *intervals, gboolean rate, GilkHookPerturbation *out, GError **error)
{
  g_autofree double *on = g_new (double, intervals->len), *off = g_new (double, intervals->len);
  GilkHookPerturbation it = { .intervals = intervals->len, .period = find_median_length (intervals) };
  guint n = 0;

  for (guint i = 0; i + 1 < intervals->len; i += 2)
    {
      const Interval *a = &g_array_index (intervals, Interval, i), *b = &g_array_index (intervals, Interval, i + 1);

      if (a->on != b->on && compute_outcome (a->on ? a : b, rate, it.period / 2, &on[n]) &&
          compute_outcome (a->on ? b : a, rate, it.period / 2, &off[n]))
        n++;
      else
        it.left_out++;
    }
  if (!gilk_perturbation_of (on, off, n, GILK_PERTURBATION_LEVEL, &it.found, error))
    return FALSE;
  *out = it;

  return TRUE;
}

const GilkStoredHook *
gilk_perturbation_control_hook (const GArray *hooks)
{
  const GilkStoredHook *best = NULL;

  for (guint i = 0; i < hooks->len; i++)
    {
      const GilkStoredHook *hook = &g_array_index (hooks, GilkStoredHook, i);

      if (!hook->switched && hook->stored > 0 && (best == NULL || hook->stored > best->stored))
        best = hook;
    }

  return best;
}

gboolean
gilk_hook_perturbation (GilkStore            *store,
                        const GilkStoredHook *hook,
                        const char           *field,
                        const GArray         *gaps,
                        GilkHookPerturbation *out,
                        GError              **error)
{
  g_autoptr(GArray) intervals = NULL;

  if (hook->switched)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("Hook %s was itself switched off and on, and has no samples from the "
                        "intervals in which it was off. Name a control hook (control=yes)."),
                      hook->label);
  intervals = read_intervals (store, hook->run, gaps, error);

  return intervals != NULL && add_samples (intervals, store, hook, field, gaps, error) &&
         compare_outcomes (intervals, field == NULL, out, error);
}

gboolean
gilk_outcome_perturbation (GilkStore            *store,
                           gint64                run,
                           const double         *times,
                           const double         *values,
                           gsize                 n,
                           GilkHookPerturbation *out,
                           GError              **error)
{
  g_autoptr(GArray) intervals = read_intervals (store, run, NULL, error);
  guint at = 0;

  if (intervals == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      Interval *interval = find_interval (intervals, &at, times[i]);

      if (interval == NULL)
        continue;
      interval->n++;
      interval->sum += values[i];
    }

  return compare_outcomes (intervals, FALSE, out, error);
}

/* ---- computes the effect of a run's switched hooks ---- */

void
gilk_effect_free (GilkEffect *effect)
{
  gilk_free_all (effect->measured_by, effect->field, effect->unit, effect);
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

/* Returns the unit of the outcome: "/s" for hits, else the unit of the field. (transfer full) */
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
