/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-intervals.c - A/B runs: switches hooks off and on in intervals
 *
 * The driver flips the gate of a hook that has no probe point. The code of all switched hooks tests
 * that gate. While it is shut, the cost of a hook is the way to it and that test.
 */
#include "core/run/gilk-run-private.h"
#include "core/store/gilk-store-loss.h"

/* Returns how many intervals to plan: pairs, enough for the run's duration. */
static guint
count_intervals (const GilkRun *run, uint64_t period_ns)
{
  uint64_t wanted = run->duration_ns != 0 ? run->duration_ns / period_ns + 2 : ILK_INTERVALS_MAX;

  return (guint) MIN (wanted, (uint64_t) ILK_INTERVALS_MAX) & ~1u;
}

gboolean
gilk_run_set_intervals (GilkRun      *run,
                        GCancellable *cancellable,
                        GError      **error)
{
  const GilkPlanAb *ab = &run->bound->plan->ab;
  g_autofree uint8_t *on = NULL;

  gilk_run_assert_own (run);
  if (ab->period_ns == 0)
    return TRUE;
  run->n_intervals = count_intervals (run, ab->period_ns);
  on = gilk_ab_intervals (ab, run->n_intervals);

  return gilk_target_set_intervals (run->target, run->armed.switch_iid, ab->period_ns, on, run->n_intervals,
                                    cancellable, error);
}

void
gilk_run_read_intervals (GilkRun *run)
{
  gilk_run_assert_own (run);
  if (run->n_intervals != 0)
    run->intervals = gilk_target_intervals (run->target, NULL, NULL);
}

/* The end of the run may have cut the last interval short. */
gboolean
gilk_run_store_intervals (GilkRun *run,
                          uint64_t duration_ns,
                          GError **error)
{
  g_autofree uint8_t *on = gilk_ab_intervals (&run->bound->plan->ab, run->n_intervals);

  for (guint i = 0; run->intervals != NULL && i < MIN (run->intervals->len, run->n_intervals); i++)
    {
      gboolean whole = i + 1 < run->intervals->len;
      uint64_t from = g_array_index (run->intervals, uint64_t, i) - run->zero_mono_ns;
      uint64_t to = whole ? g_array_index (run->intervals, uint64_t, i + 1) - run->zero_mono_ns
                          : MAX (duration_ns, from);
      const GilkStoredInterval block = { (gint64) from, (gint64) to, on[i], whole };

      if (!gilk_store_add_interval (run->store, run->run, i, &block, error))
        return FALSE;
    }

  return TRUE;
}
