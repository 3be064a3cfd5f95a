/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-gaps.c - finds the times in which a hook of a session has incomplete data
 */
#include "core/analysis/gilk-hook-gaps.h"

#include "core/store/gilk-store-loss.h"

static void
add_gap (GArray *gaps, GilkGapKind kind, double from, double to, uint64_t lost)
{
  const GilkGap gap = { .from = from, .to = to, .kind = kind, .lost = (double) lost };

  g_array_append_val (gaps, gap);
}

gboolean
gilk_hook_gaps_add_lost (GArray               *gaps,
                         GilkStore            *store,
                         const GilkStoredHook *hook,
                         GError              **error)
{
  g_autoptr(GArray) losses = gilk_store_losses (store, hook, error);

  for (guint i = 0; losses != NULL && i < losses->len; i++)
    {
      const GilkStoredLoss *loss = &g_array_index (losses, GilkStoredLoss, i);

      add_gap (gaps, GILK_GAP_LOST, (double) loss->from_ns / 1e9, (double) loss->to_ns / 1e9,
               loss->lost + loss->missed);
    }

  return losses != NULL;
}

gboolean
gilk_hook_gaps_add_switched_off (GArray               *gaps,
                                 GilkStore            *store,
                                 const GilkStoredHook *hook,
                                 GError              **error)
{
  g_autoptr(GArray) blocks = hook->switched ? gilk_store_intervals (store, hook->run, error) : NULL;

  for (guint i = 0; blocks != NULL && i < blocks->len; i++)
    {
      const GilkStoredInterval *block = &g_array_index (blocks, GilkStoredInterval, i);

      if (!block->on)
        add_gap (gaps, GILK_GAP_OFF, (double) block->from_ns / 1e9, (double) block->to_ns / 1e9, 0);
    }

  return !hook->switched || blocks != NULL;
}

GArray *
gilk_hook_gaps (GilkStore            *store,
                const GilkStoredHook *hook,
                double                duration,
                GError              **error)
{
  g_autoptr(GArray) gaps = g_array_new (FALSE, FALSE, sizeof (GilkGap));
  gint64 from_ns, to_ns;

  if (!gilk_store_hook_active_time (store, hook, &from_ns, &to_ns, error))
    return NULL;
  add_gap (gaps, GILK_GAP_OFF, 0.0, (double) from_ns / 1e9, 0);
  add_gap (gaps, GILK_GAP_OFF, (double) to_ns / 1e9, duration, 0);
  if (!gilk_hook_gaps_add_lost (gaps, store, hook, error) || !gilk_hook_gaps_add_switched_off (gaps, store, hook, error))
    return NULL;
  gilk_gaps_normalise (gaps, duration);

  return g_steal_pointer (&gaps);
}
