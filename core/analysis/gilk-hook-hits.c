/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-hits.c - how often a hook was hit in a part of its run
 */
#include "core/analysis/gilk-hook-hits.h"

#include <math.h>

#include "core/store/gilk-samples.h"

/* What a counter had counted at a time: nothing before the first reading, all behind the last. */
static double
counted_at (const GArray *times,
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
count_readings (GilkStore             *store,
                const GilkStoredHook  *hook,
                double                 from,
                double                 to,
                uint64_t              *hits,
                gboolean              *known,
                GError               **error)
{
  g_autoptr(GArray) times = NULL, values = NULL;

  if (!gilk_store_count_series (store, hook, &times, &values, error))
    return FALSE;
  *known = times->len > 0;
  *hits = (uint64_t) llrint (MAX (0.0, counted_at (times, values, to) - counted_at (times, values, from)));

  return TRUE;
}

static gint64
ns_of (double seconds)
{
  return (gint64) CLAMP (seconds * 1e9, -9e18, 9e18);
}

gboolean
gilk_hook_hits_between (GilkStore             *store,
                        const GilkStoredHook  *hook,
                        double                 from,
                        double                 to,
                        uint64_t              *hits,
                        gboolean              *known,
                        GError               **error)
{
  g_autoptr(GilkSamples) samples = NULL;
  g_autoptr(GError) local = NULL;
  GilkSampleBlock block;
  uint64_t n = 0;

  if (hook->stored == 0)
    return count_readings (store, hook, from, to, hits, known, error);
  samples = gilk_samples_new (store, hook, 1, error);
  if (samples == NULL)
    return FALSE;
  gilk_samples_set_range (samples, ns_of (from), ns_of (to));
  gilk_samples_values_only (samples);
  while (gilk_samples_next (samples, &block, &local))
    n += block.n;
  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  *hits = n;
  *known = TRUE;

  return TRUE;
}
