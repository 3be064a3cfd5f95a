/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-series.c - what a hook measured over time, and where it did not
 */
#include "core/analysis/gilk-hook-series.h"

#include <string.h>

#include "core/emit/gilk-inline.h"

void
gilk_hook_series_clear (GilkHookSeries *series)
{
  g_clear_pointer (&series->times, g_array_unref);
  g_clear_pointer (&series->values, g_array_unref);
  g_clear_pointer (&series->gaps, g_array_unref);
}

static const double *
doubles (const GArray *array)
{
  return (const double *) (gconstpointer) array->data;
}

static void
add_gap (GArray *gaps, GilkGapKind kind, double from, double to, uint64_t lost)
{
  const GilkGap gap = { .from = from, .to = to, .kind = kind, .lost = (double) lost };

  g_array_append_val (gaps, gap);
}

GArray *
gilk_hook_gaps (GilkStore            *store,
                const GilkStoredHook *hook,
                double                duration,
                GError              **error)
{
  g_autoptr(GArray) losses = gilk_store_losses (store, hook, error);
  g_autoptr(GArray) gaps = NULL;
  gint64 from_ns, to_ns;

  if (losses == NULL || !gilk_store_hook_on (store, hook, &from_ns, &to_ns, error))
    return NULL;

  gaps = g_array_new (FALSE, FALSE, sizeof (GilkGap));
  add_gap (gaps, GILK_GAP_OFF, 0.0, (double) from_ns / 1e9, 0);
  add_gap (gaps, GILK_GAP_OFF, (double) to_ns / 1e9, duration, 0);
  for (guint i = 0; i < losses->len; i++)
    {
      const GilkStoredLoss *loss = &g_array_index (losses, GilkStoredLoss, i);

      add_gap (gaps, GILK_GAP_LOST, (double) loss->from_ns / 1e9, (double) loss->to_ns / 1e9,
               loss->lost + loss->dropped);
    }
  gilk_gaps_tidy (gaps, duration);

  return g_steal_pointer (&gaps);
}

static gboolean
only_counts (const GilkStoredHook *hook)
{
  const GilkInline *known = gilk_inline_by_name (hook->instrument);

  return known != NULL && !known->samples;
}

gboolean
gilk_hook_rate (GilkStore            *store,
                const GilkStoredHook *hook,
                double                duration,
                GilkHookSeries       *series,
                GError              **error)
{
  g_auto(GilkHookSeries) found = { NULL };
  g_autoptr(GArray) times = NULL, counts = NULL;

  found.gaps = gilk_hook_gaps (store, hook, duration, error);
  if (found.gaps == NULL)
    return FALSE;
  if (!only_counts (hook))
    {
      if (!gilk_store_series (store, hook, "time", &found.times, &counts, error))
        return FALSE;
    }
  else
    {
      if (!gilk_store_count_series (store, hook, &times, &counts, error))
        return FALSE;
      gilk_count_rates (doubles (times), doubles (counts), times->len, found.gaps, &found.times,
                        &found.values);
    }
  *series = found;
  found = (GilkHookSeries) { NULL };

  return TRUE;
}

gboolean
gilk_hook_values (GilkStore            *store,
                  const GilkStoredHook *hook,
                  double                duration,
                  const char           *field,
                  gboolean              broken,
                  GilkHookSeries       *series,
                  GError              **error)
{
  gboolean interval = strcmp (field, "interval") == 0;
  g_auto(GilkHookSeries) found = { NULL };

  found.gaps = gilk_hook_gaps (store, hook, duration, error);
  if (found.gaps == NULL ||
      !gilk_store_series (store, hook, interval ? "time" : field, &found.times, &found.values,
                          error))
    return FALSE;
  if (interval)
    {
      g_autoptr(GArray) times = g_steal_pointer (&found.times);

      g_clear_pointer (&found.values, g_array_unref);
      found.cut = gilk_intervals (doubles (times), times->len, found.gaps, &found.times,
                                  &found.values);
    }
  if (broken)
    gilk_break_at_gaps (found.times, found.values, found.gaps);
  *series = found;
  found = (GilkHookSeries) { NULL };

  return TRUE;
}
