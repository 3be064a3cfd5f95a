/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-hits.c - counts a hook's hits in part of a run, or those that meet a condition
 */
#include "core/analysis/gilk-hook-samples.h"

#include <math.h>

#include "core/analysis/gilk-hook-stream.h"
#include "core/samples/gilk-samples.h"

/* Returns the counter's value at time @at, interpolated between readings. After the last reading
 * the value stays the same. */
static double
interpolate_count (const GArray *times,
                   const GArray *values,
                   double        at)
{
  double t0 = 0.0, v0 = 0.0;

  for (guint i = 0; i < times->len; i++)
    {
      double t = g_array_index (times, double, i), v = g_array_index (values, double, i);

      if (t >= at)
        return t > t0 ? v0 + (v - v0) * CLAMP ((at - t0) / (t - t0), 0.0, 1.0) : v;
      t0 = t;
      v0 = v;
    }

  return v0;
}

static gboolean
count_readings (GilkStore            *store,
                const GilkStoredHook *hook,
                double                from,
                double                to,
                uint64_t             *hits,
                gboolean             *known,
                GError              **error)
{
  g_autoptr(GArray) times = NULL, values = NULL;

  if (!gilk_store_count_series (store, hook, &times, &values, error))
    return FALSE;
  *known = times->len > 0;
  *hits = (uint64_t) llrint (MAX (0.0, interpolate_count (times, values, to) - interpolate_count (times, values, from)));

  return TRUE;
}

static gboolean
count_samples (GilkStore            *store,
               const GilkStoredHook *hook,
               const GilkHitsAsk    *ask,
               uint64_t             *hits,
               GError              **error)
{
  g_autoptr(GilkSamples) samples = gilk_samples_new (store, hook, 1, error);
  g_autoptr(GError) local = NULL;
  GilkSampleBlock block;

  if (samples == NULL || (ask->condition != NULL && !gilk_samples_add_condition (samples, ask->condition, error)))
    return FALSE;
  gilk_samples_set_range (samples, gilk_hook_ask_ns (ask->from, G_MININT64), gilk_hook_ask_ns (ask->to, G_MAXINT64));
  gilk_samples_values_only (samples);
  for (*hits = 0; gilk_samples_next (samples, &block, &local); *hits += block.n)
    ;
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));

  return local == NULL;
}

gboolean
gilk_hook_hits (GilkStore            *store,
                const GilkStoredHook *hook,
                const GilkHitsAsk    *ask,
                uint64_t             *hits,
                gboolean             *known,
                GError              **error)
{
  *hits = 0;
  *known = hook->stored > 0;
  if (*known)
    return count_samples (store, hook, ask, hits, error);

  return ask->condition != NULL || count_readings (store, hook, ask->from, ask->to, hits, known, error);
}
