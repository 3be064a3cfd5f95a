/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-barrier.c - runs on several targets that start at the same time, and the relation of
 * their times
 */
#include "core/run/gilk-run-private.h"

#define ZERO_ATTEMPTS 3

void
gilk_run_set_barrier (GilkRun *run, GilkStartBarrier *gate)
{
  g_return_if_fail (gilk_run_state (run) == GILK_RUN_IDLE && run->barrier == NULL);

  run->barrier = gilk_start_barrier_ref (gate);
}

gboolean
gilk_run_zero (GilkRun *run, GilkRunZero *zero)
{
  g_mutex_lock (&run->lock);
  *zero = run->zero;
  g_mutex_unlock (&run->lock);

  return zero->us != 0;
}

gboolean
gilk_run_wait_barrier (GilkRun *run, GError **error)
{
  gilk_run_assert_own (run);
  if (run->barrier == NULL)
    return TRUE;
  run->has_left_barrier = TRUE;

  return gilk_start_barrier_wait (run->barrier, run->arming, error);
}

void
gilk_run_leave_barrier (GilkRun *run)
{
  gilk_run_assert_own (run);
  if (run->barrier != NULL && !run->has_left_barrier)
    gilk_start_barrier_leave (run->barrier);
  run->has_left_barrier = TRUE;
}

/* Time zero lies between the request to arm and its reply. Readings of the target's clock are
 * answered faster and narrow that down. */
void
gilk_run_find_zero (GilkRun *run, const struct ilk_arm *arm)
{
  gint64 from = run->arming_us, to = run->zero_us;

  gilk_run_assert_own (run);
  for (guint i = 0; run->barrier != NULL && i < ZERO_ATTEMPTS; i++)
    {
      const gint64 asked = g_get_monotonic_time ();
      struct gilk_clocks clocks;
      gint64 since;

      if (!gilk_target_clocks (run->target, &clocks, NULL, NULL, NULL))
        break;
      since = (gint64) (clocks.pair.mono_ns - arm->zero.mono_ns) / 1000;
      from = MAX (from, asked - since);
      to = MIN (to, g_get_monotonic_time () - since);
    }
  /* They contradict each other only if a clock was set, which cannot happen to a monotonic one. */
  if (from > to)
    {
      from = run->arming_us;
      to = run->zero_us;
    }
  g_mutex_lock (&run->lock);
  run->zero = (GilkRunZero) { from + (to - from) / 2, (to - from + 1) / 2 };
  g_mutex_unlock (&run->lock);
}
