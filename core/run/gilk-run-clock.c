/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-clock.c - measures the clocks of a run before and after it, and switches its hooks
 *
 *   connected:    take the first timestamp pair: monotonic clock and TSC.
 *   before ARM:   compare the TSCs of all CPUs.
 *   ARM:          take time zero, also a timestamp pair. The two pairs yield the TSC's rate, but it
 *                 is used only if it is more accurate than the kernel's rate usually is.
 *   end:          take another pair and compare the TSCs again, to show the errors of the rate and
 *                 of the offsets.
 *
 * Each pair is converted to the TSC of the reference CPU, with the offsets from the comparison
 * before ARM.
 */
#include "core/run/gilk-run-clock.h"

#include "core/store/gilk-store-clock.h"
#include "core/store/gilk-store-loss.h"
#include "core/store/gilk-store-write.h"

#define ZERO_ATTEMPTS  3
#define RATE_ERROR_MAX 50e-6      /* usual relative error of the kernel's TSC rate; a measured rate
                                   * is used only if its error is not larger */

void
gilk_run_clock_init (GilkRunClock   *clock,
                     GilkRunSession *session,
                     GilkTarget     *target)
{
  *clock = (GilkRunClock) { .session = session, .target = target };
}

void
gilk_run_clock_clear (GilkRunClock *clock)
{
  g_clear_pointer (&clock->cpus, g_array_unref);
  g_clear_pointer (&clock->end_cpus, g_array_unref);
}

gboolean
gilk_run_clock_compare (GilkRunClock *clock,
                        GCancellable *cancellable,
                        GError      **error)
{
  struct gilk_clocks clocks;

  gilk_run_session_assert_own (clock->session);
  if (!gilk_target_clocks (clock->target, &clocks, &clock->cpus, cancellable, error))
    return FALSE;
  clock->reference = clocks.reference;

  return TRUE;
}

/* ---- time zero ---- */

void
gilk_run_clock_start (GilkRunClock         *clock,
                      gint64                arming_us,
                      const struct ilk_arm *arm)
{
  clock->arming_us = arming_us;
  clock->zero_us = g_get_monotonic_time ();
  clock->zero_mono_ns = arm->zero.mono_ns;
}

double
gilk_run_clock_elapsed (const GilkRunClock *clock)
{
  gint64 now = clock->stopped_us != 0 ? clock->stopped_us : g_get_monotonic_time ();

  return clock->zero_us != 0 ? (double) (now - clock->zero_us) / 1e6 : 0.0;
}

uint64_t
gilk_run_clock_now_ns (const GilkRunClock *clock)
{
  return (uint64_t) (gilk_run_clock_elapsed (clock) * 1e9);
}

/* Finds time zero by this machine's clock. Time zero is between the request to arm and its reply.
 * Requests for the target's clock, which are answered faster, narrow this range. */
GilkRunZero
gilk_run_clock_find_zero (const GilkRunClock   *clock,
                          const struct ilk_arm *arm,
                          gboolean              narrow)
{
  gint64 from = clock->arming_us, to = clock->zero_us;

  gilk_run_session_assert_own (clock->session);
  for (guint i = 0; narrow && i < ZERO_ATTEMPTS; i++)
    {
      const gint64 asked = g_get_monotonic_time ();
      struct gilk_clocks clocks;
      gint64 since;

      if (!gilk_target_clocks (clock->target, &clocks, NULL, NULL, NULL))
        break;
      since = (gint64) (clocks.pair.mono_ns - arm->zero.mono_ns) / 1000;
      from = MAX (from, asked - since);
      to = MIN (to, g_get_monotonic_time () - since);
    }
  /* If @from is above @to, a clock was set between the requests. This should not happen: monotonic
   * clocks are never set. */
  if (from > to)
    {
      from = clock->arming_us;
      to = clock->zero_us;
    }

  return (GilkRunZero) { from + (to - from) / 2, (to - from + 1) / 2 };
}

/* Converts a timestamp pair to the reference CPU's TSC. Returns FALSE if the TSC of the CPU that
 * read the pair could not be compared. */
static gboolean
make_timestamp_pair (const GArray *cpus, const struct ilk_timestamp_pair *reading, GilkTimestampPair *moment)
{
  const struct ilk_cpu_clock *cpu = &g_array_index (cpus, struct ilk_cpu_clock, reading->cpu);

  if (cpu->rounds == 0)
    return FALSE;
  *moment = (GilkTimestampPair) {
    .tsc = reading->tsc - (uint64_t) cpu->offset, .mono_ns = reading->mono_ns,
    .error = reading->error + cpu->error,
  };

  return TRUE;
}

/* Converts measured TSC offsets to the form in which the store takes them. @base: ticks by which
 * the reference CPU of @cpus is ahead of the run's reference CPU; @error: error of @base */
static GilkCpuOffset *
make_offsets (const GArray *cpus, gint64 base, uint64_t error)
{
  GilkCpuOffset *offsets = g_new0 (GilkCpuOffset, cpus->len);

  for (guint i = 0; i < cpus->len; i++)
    {
      const struct ilk_cpu_clock *cpu = &g_array_index (cpus, struct ilk_cpu_clock, i);

      offsets[i] = (GilkCpuOffset) { cpu->offset + base, cpu->error + error, cpu->rounds != 0 };
    }

  return offsets;
}

/* Returns the TSC's rate between the first timestamp pair and time zero; 0: the kernel's rate is
 * more accurate. */
static uint64_t
measure_rate (const GilkRunClock *clock, const GilkTimestampPair *zero, GilkTimestampPair *before, gboolean *has_before)
{
  struct ilk_timestamp_pair first;
  GilkRate rate;

  *has_before = gilk_target_first_timestamp (clock->target, &first) && make_timestamp_pair (clock->cpus, &first, before);

  return *has_before && gilk_rate_between (before, zero, &rate) && rate.error <= RATE_ERROR_MAX ? rate.hz : 0;
}

gboolean
gilk_run_clock_store (GilkRunClock         *clock,
                      const struct ilk_arm *arm,
                      const GilkRunZero    *exact,
                      GError              **error)
{
  GilkTimestampPair zero = { .tsc = arm->zero.tsc, .mono_ns = arm->zero.mono_ns }, before;
  gboolean has_zero = make_timestamp_pair (clock->cpus, &arm->zero, &zero), has_before = FALSE;
  uint64_t hz = has_zero ? measure_rate (clock, &zero, &before, &has_before) : 0;
  g_autofree GilkCpuOffset *offsets = make_offsets (clock->cpus, 0, 0);
  GilkStore *store = clock->session->store;
  gint64 run = clock->session->run;

  return gilk_store_set_zero (store, run, zero.tsc, zero.mono_ns,
                              (uint64_t) (g_get_real_time () - (g_get_monotonic_time () - exact->us)) * 1000, error) &&
         gilk_store_set_rate (store, run, hz, error) &&
         (!has_before || gilk_store_add_timestamp_pair (store, run, GILK_TIMESTAMP_BEFORE, &before, error)) &&
         (!has_zero || gilk_store_add_timestamp_pair (store, run, GILK_TIMESTAMP_ZERO, &zero, error)) &&
         gilk_store_add_offsets (store, run, GILK_TIMESTAMP_ZERO, offsets, clock->cpus->len,
                                 error);
}

/* ---- the end ---- */

void
gilk_run_clock_read_end (GilkRunClock *clock)
{
  gilk_run_session_assert_own (clock->session);
  gilk_target_clocks (clock->target, &clock->end, &clock->end_cpus, NULL, NULL);
}

/* Stores the clocks and offsets that were read at the run's end. Converts the offsets, because the
 * comparison at the end may have used a different reference CPU. */
gboolean
gilk_run_clock_store_end (GilkRunClock *clock,
                          GError      **error)
{
  const struct ilk_cpu_clock *reference;
  g_autofree GilkCpuOffset *offsets = NULL;
  GilkStore *store = clock->session->store;
  gint64 run = clock->session->run;
  GilkTimestampPair end;

  if (clock->end_cpus == NULL)
    return TRUE;
  reference = &g_array_index (clock->end_cpus, struct ilk_cpu_clock, clock->reference);
  if (reference->rounds == 0)
    return TRUE;
  offsets = make_offsets (clock->end_cpus, -reference->offset, reference->error);
  offsets[clock->reference].error = 0;
  if (!make_timestamp_pair (clock->end_cpus, &clock->end.pair, &end))
    return TRUE;
  end.tsc += (uint64_t) reference->offset;
  end.error += reference->error;

  return gilk_store_add_timestamp_pair (store, run, GILK_TIMESTAMP_END, &end, error) &&
         gilk_store_add_offsets (store, run, GILK_TIMESTAMP_END, offsets, clock->end_cpus->len,
                                 error);
}

/*
 * ---- A/B runs ----
 *
 * The driver flips the gate (a byte) of a hook that exists only for this purpose, without a probe
 * point. The code of all switched hooks tests that gate. While the gate is shut, a hit costs only
 * the jump or trap to the hook, and the test.
 */

/* Returns how many intervals to plan: an even number, enough for the run's duration. */
static guint
count_intervals (uint64_t duration_ns, uint64_t period_ns)
{
  uint64_t wanted = duration_ns != 0 ? duration_ns / period_ns + 2 : ILK_INTERVALS_MAX;

  return (guint) MIN (wanted, (uint64_t) ILK_INTERVALS_MAX) & ~1u;
}

gboolean
gilk_run_intervals_set (GilkRunIntervals *intervals,
                        uint32_t          switch_iid,
                        uint64_t          duration_ns,
                        GCancellable     *cancellable,
                        GError          **error)
{
  const GilkPlanInterleave *interleave = intervals->interleave;
  g_autofree uint8_t *on = NULL;

  gilk_run_session_assert_own (intervals->clock->session);
  if (interleave->period_ns == 0)
    return TRUE;
  intervals->n = count_intervals (duration_ns, interleave->period_ns);
  on = gilk_interleave_intervals (interleave, intervals->n);

  return gilk_target_set_intervals (intervals->clock->target, switch_iid, interleave->period_ns, on, intervals->n,
                                    cancellable, error);
}

void
gilk_run_intervals_read (GilkRunIntervals *intervals)
{
  gilk_run_session_assert_own (intervals->clock->session);
  if (intervals->n != 0)
    intervals->starts = gilk_target_intervals (intervals->clock->target, NULL, NULL);
}

/* Stores the intervals. The last one is marked as incomplete, because the end of the run may have
 * cut it short. */
gboolean
gilk_run_intervals_store (GilkRunIntervals *intervals,
                          uint64_t          duration_ns,
                          GError          **error)
{
  g_autofree uint8_t *on = gilk_interleave_intervals (intervals->interleave, intervals->n);
  uint64_t zero_ns = intervals->clock->zero_mono_ns;
  GilkRunSession *session = intervals->clock->session;

  for (guint i = 0; intervals->starts != NULL && i < MIN (intervals->starts->len, intervals->n); i++)
    {
      gboolean whole = i + 1 < intervals->starts->len;
      uint64_t from = g_array_index (intervals->starts, uint64_t, i) - zero_ns;
      uint64_t to = whole ? g_array_index (intervals->starts, uint64_t, i + 1) - zero_ns
                          : MAX (duration_ns, from);
      const GilkStoredInterval block = { (gint64) from, (gint64) to, on[i], whole };

      if (!gilk_store_add_interval (session->store, session->run, i, &block, error))
        return FALSE;
    }

  return TRUE;
}
