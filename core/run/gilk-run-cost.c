/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-cost.c - measures the cost of a run's hooks: before it, during it and at its end
 *
 * The cost of a hit changes with time: with the CPU's frequency, with caches, with load on the
 * sibling thread. So each kind of hook (gilk-run-calibration.c) is measured repeatedly, and the
 * confidence interval comes from the spread between measurements (gilk_median_over_time()). Before
 * the run this is done in rounds, so that a run that is killed early has a figure too: its interval
 * then predicts the result of another round.
 *
 * Measurements are short and become rare: each calls the code of a kind several hundred times, with
 * interrupts off for 64 calls in a row, on the CPU that the agent runs on, from the agent's thread.
 * The delay doubles each time, and keeps the calls within a thousandth of one CPU's time. Samples
 * that the code takes do not reach the run (ilk_ring_divert()).
 *
 * If the target cannot do this, the run continues without costs.
 */
#include "core/run/gilk-run-private.h"

#define CALLS      64
#define ROUND_ROWS 15
#define PAUSE_US   4000
#define FIRST_US   250000               /* after time zero */
#define INTERVAL_MAX_US  (300 * G_USEC_PER_SEC)
#define SHARE      1000                 /* at most 1/SHARE of the time goes into calls */

static GilkRunCost *
cost_at (GilkRun *run, guint i)
{
  return &g_array_index (run->costs.all, GilkRunCost, i);
}

/* Converts ticks to nanoseconds with the kernel's rate, which is far more precise than the
 * measurement. */
static void
convert_rows (GilkRun *run, const GArray *rows, double *values)
{
  double ms = 1.0 / (double) run->armed.info.tsc_khz;

  for (guint i = 0; i < ROUND_ROWS; i++)
    {
      const struct ilk_measure_result *row = &g_array_index (rows, struct ilk_measure_result, i);

      values[i] = ((double) row->ticks - (double) row->base) * ms * 1e6 / CALLS;
      run->costs.taken_us += ((double) row->ticks + (double) row->base) * ms * 1e3;
    }
}

/* Returns FALSE if this kind can no longer be measured. */
static gboolean
measure_round (GilkRun *run, GilkRunCost *cost, double *values, GCancellable *cancellable)
{
  g_autoptr(GArray) rows = NULL;

  if (!cost->failed)
    rows = gilk_target_measure (run->target, cost->patch, run->costs.base, CALLS, ROUND_ROWS, cancellable, NULL);
  cost->failed = rows == NULL;
  if (rows != NULL)
    convert_rows (run, rows, values);

  return !cost->failed;
}

static double
find_least (const double *values, guint n)
{
  double least = values[0];

  for (guint i = 1; i < n; i++)
    least = MIN (least, values[i]);

  return least;
}

/* ---- before the run ---- */

/* Measures each kind once per round. */
static void
measure_rounds (GilkRun *run, double *values, GCancellable *cancellable)
{
  for (guint r = 0; r < GILK_MEDIAN_ROUNDS && !g_cancellable_is_cancelled (cancellable); r++)
    {
      if (r > 0)
        g_usleep (PAUSE_US);
      for (guint i = 0; i < run->costs.all->len; i++)
        measure_round (run, cost_at (run, i), values + (i * GILK_MEDIAN_ROUNDS + r) * ROUND_ROWS, cancellable);
    }
}

void
gilk_run_measure_costs (GilkRun      *run,
                        GCancellable *cancellable)
{
  const guint each = GILK_MEDIAN_ROUNDS * ROUND_ROWS;
  g_autofree double *values = NULL;

  if (!gilk_run_prepare_stubs (run, cancellable))
    return;
  values = g_new0 (double, (gsize) run->costs.all->len * each);
  measure_rounds (run, values, cancellable);
  for (guint i = 0; i < run->costs.all->len; i++)
    {
      GilkRunCost *cost = cost_at (run, i);

      cost->failed = cost->failed || g_cancellable_is_cancelled (cancellable);
      if (cost->failed)
        continue;
      cost->min_ns = find_least (values + i * each, each);
      cost->ns = gilk_median_of_rounds (values + i * each, ROUND_ROWS);
      g_array_append_val (cost->measurements, cost->ns.value);
    }
}

/* ---- storing ---- */

static gboolean
store_measurement (GilkRun *run, gint64 id, const GilkRunCost *cost, const GilkCostMeasurement *measurement, GError **error)
{
  const GilkStoreCost row = {
    .instrument = cost->instrument, .tactic = gilk_tactic_name (cost->tactic), .instructions = cost->instructions,
    .ns = cost->ns.value, .low_ns = cost->ns.low, .high_ns = cost->ns.high, .min_ns = cost->min_ns,
  };

  return gilk_store_add_cost (run->store, id, &row, error) &&
         gilk_store_add_cost_measurement (run->store, id, &row, measurement, error);
}

gboolean
gilk_run_store_costs (GilkRun *run,
                      gint64   id,
                      GError **error)
{
  for (guint i = 0; i < run->costs.all->len; i++)
    {
      const GilkRunCost *cost = cost_at (run, i);
      const GilkCostMeasurement first = { .t_ns = -1, .ns = cost->ns.value, .min_ns = cost->min_ns };

      if (cost->measurements->len > 0 && !store_measurement (run, id, cost, &first, error))
        return FALSE;
    }

  return TRUE;
}

/* ---- during the run ---- */

/* Measures each kind once more that could be measured before. */
static gboolean
measure_once (GilkRun *run, GError **error)
{
  run->costs.taken_us = 0;
  for (guint i = 0; i < run->costs.all->len; i++)
    {
      GilkRunCost *cost = cost_at (run, i);
      double values[ROUND_ROWS];
      GilkCostMeasurement measurement = { .position = cost->measurements->len };
      gboolean good;

      if (cost->failed || !measure_round (run, cost, values, NULL))
        continue;
      measurement.t_ns = (gint64) (gilk_run_elapsed (run) * 1e9);
      measurement.ns = gilk_median_of (values, ROUND_ROWS, 0.025).value;
      measurement.min_ns = find_least (values, ROUND_ROWS);
      g_array_append_val (cost->measurements, measurement.ns);
      cost->min_ns = MIN (cost->min_ns, measurement.min_ns);
      cost->ns = gilk_median_over_time ((const double *) (const void *) cost->measurements->data, cost->measurements->len);
      gilk_run_lock_store (run);
      good = store_measurement (run, run->run, cost, &measurement, error);
      gilk_run_unlock_store (run);
      if (!good)
        return FALSE;
    }

  return TRUE;
}

gboolean
gilk_run_remeasure_costs (GilkRun *run,
                          GError **error)
{
  GilkRunCosts *costs = &run->costs;
  gboolean good;

  gilk_run_assert_own (run);
  if (!costs->prepared)
    return TRUE;
  if (costs->distance_us == 0)
    costs->distance_us = FIRST_US;
  if (g_get_monotonic_time () < MAX (costs->measured_us, run->zero_us) + costs->distance_us)
    return TRUE;
  good = measure_once (run, error);
  costs->measured_us = g_get_monotonic_time ();
  costs->distance_us = MAX (MIN (2 * costs->distance_us, INTERVAL_MAX_US), (gint64) (SHARE * costs->taken_us));

  return good;
}

gboolean
gilk_run_measure_final_costs (GilkRun *run,
                              GError **error)
{
  gilk_run_assert_own (run);
  g_assert (run->stopped_us != 0);

  return !run->costs.prepared || measure_once (run, error);
}
