/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-clock.c - measures the clocks of a run before and after it
 *
 *   connected     first timestamp pair: monotonic clock and TSC
 *   before ARM    the TSCs of all CPUs are compared
 *   ARM           time zero is a timestamp pair. The rate follows from the first pair and this one,
 *                 if they are so far apart that it is better than the kernel's figure usually is
 *   end           another pair and comparison show how good that was
 *
 * Each pair is converted to the TSC of the reference CPU, with which the others were compared
 * before ARM.
 */
#include "core/run/gilk-run-private.h"
#include "core/store/gilk-store-clock.h"
#include "core/store/gilk-store-write.h"

#define RATE_ERROR_MAX 50e-6      /* relative; usual error of the kernel's own figure */

gboolean
gilk_run_compare_clocks (GilkRun      *run,
                         GCancellable *cancellable,
                         GError      **error)
{
  struct gilk_clocks clocks;

  gilk_run_assert_own (run);
  if (!gilk_target_clocks (run->target, &clocks, &run->cpu_clocks, cancellable, error))
    return FALSE;
  run->reference = clocks.reference;

  return TRUE;
}

/* Returns FALSE if the CPU that read the pair could not be compared. */
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

/* Converts offsets for the store. @base: ticks that their reference CPU is ahead of the run's;
 * @error: error of @base */
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

/* Returns 0 if the kernel's figure is better. */
static uint64_t
measure_rate (GilkRun *run, const GilkTimestampPair *zero, GilkTimestampPair *before, gboolean *has_before)
{
  struct ilk_timestamp_pair first;
  GilkRate rate;

  *has_before = gilk_target_first_timestamp (run->target, &first) && make_timestamp_pair (run->cpu_clocks, &first, before);

  return *has_before && gilk_rate_between (before, zero, &rate) && rate.error <= RATE_ERROR_MAX ? rate.hz : 0;
}

gboolean
gilk_run_store_clocks (GilkRun              *run,
                       const struct ilk_arm *arm,
                       GError              **error)
{
  GilkTimestampPair zero = { .tsc = arm->zero.tsc, .mono_ns = arm->zero.mono_ns }, before;
  gboolean has_zero = make_timestamp_pair (run->cpu_clocks, &arm->zero, &zero), has_before = FALSE;
  uint64_t hz = has_zero ? measure_rate (run, &zero, &before, &has_before) : 0;
  g_autofree GilkCpuOffset *offsets = make_offsets (run->cpu_clocks, 0, 0);

  return gilk_store_set_zero (run->store, run->run, zero.tsc, zero.mono_ns,
                              (uint64_t) (g_get_real_time () - (g_get_monotonic_time () - run->zero.us)) * 1000, error) &&
         gilk_store_set_rate (run->store, run->run, hz, error) &&
         (!has_before || gilk_store_add_timestamp_pair (run->store, run->run, GILK_TIMESTAMP_BEFORE, &before, error)) &&
         (!has_zero || gilk_store_add_timestamp_pair (run->store, run->run, GILK_TIMESTAMP_ZERO, &zero, error)) &&
         gilk_store_add_offsets (run->store, run->run, GILK_TIMESTAMP_ZERO, offsets, run->cpu_clocks->len,
                                 error);
}

void
gilk_run_read_end_clocks (GilkRun *run)
{
  gilk_run_assert_own (run);
  gilk_target_clocks (run->target, &run->end_clocks, &run->end_cpu_clocks, NULL, NULL);
}

/* The end comparison may have used a different reference CPU. */
gboolean
gilk_run_store_end_clocks (GilkRun *run,
                           GError **error)
{
  const struct ilk_cpu_clock *reference;
  g_autofree GilkCpuOffset *offsets = NULL;
  GilkTimestampPair end;

  if (run->end_cpu_clocks == NULL)
    return TRUE;
  reference = &g_array_index (run->end_cpu_clocks, struct ilk_cpu_clock, run->reference);
  if (reference->rounds == 0)
    return TRUE;
  offsets = make_offsets (run->end_cpu_clocks, -reference->offset, reference->error);
  offsets[run->reference].error = 0;
  if (!make_timestamp_pair (run->end_cpu_clocks, &run->end_clocks.pair, &end))
    return TRUE;
  end.tsc += (uint64_t) reference->offset;
  end.error += reference->error;

  return gilk_store_add_timestamp_pair (run->store, run->run, GILK_TIMESTAMP_END, &end, error) &&
         gilk_store_add_offsets (run->store, run->run, GILK_TIMESTAMP_END, offsets, run->end_cpu_clocks->len,
                                 error);
}
