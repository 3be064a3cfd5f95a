/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-costs.c - measures the costs of hooks, by calling copies of their code
 *
 * Hooks with the same instrument, tactic and number of instructions run the same code, apart from
 * addresses. The first hook of each such kind is measured: COPIES copies of its code, the
 * calibration stubs, are prepared at different addresses, and the driver calls each copy
 * alternately with a base stub that only returns. Stubs stay in the driver until the run ends. They
 * do not change kernel text, so they are not in the journal.
 *
 * One copy is not enough, because its address makes it faster or slower: on an emulated CPU, one in
 * 150 copies takes 40 % more time. The hooks, and the copies of the next run, have other addresses.
 *
 * A module instrument must permit such calls (ILK_INSTRUMENT_TIMED), because it gets registers that
 * do not belong to hooked code. An instrument with parameters may behave differently at each hook
 * and is not measured.
 *
 * Programs are not called: they read memory through pointers, which would be invalid here. Hooks in
 * user space are not called either: their cost is the cost of the trap.
 *
 * Measurements are short and become rarer: each measurement calls every copy of a kind 256 times,
 * with interrupts off for 64 calls in a row, on the CPU that the agent runs on, from the agent's
 * thread. The delay between measurements grows with the run, and is long enough that calls take at
 * most a thousandth of one CPU's time. Samples that the code takes do not reach the run
 * (ilk_ring_divert()).
 */
#include "core/run/gilk-run-costs.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

#include "core/cost/gilk-median.h"
#include "core/emit/gilk-bpf-hook.h"
#include "core/emit/gilk-emit.h"
#include "core/store/gilk-store-cost.h"

#define KINDS_MAX  16
#define COPIES     GILK_RUN_COSTS_COPIES
#define CALLS      64
#define COLD_ROWS  1                    /* number of rows (CALLS calls of a stub each) to ignore
                                         * after a pause, because the first calls are slow */
#define ROUND_ROWS 3
#define PAUSE_US   4000
#define FIRST_US   250000               /* time of the first measurement, and minimum delay between
                                         * measurements, in µs */
#define AGE_SHARE  8                    /* later delays between measurements are 1/AGE_SHARE of the
                                         * time since hooks were added */
#define WAIT_SHARE 8                    /* measurements take at most 1/WAIT_SHARE of the time of the
                                         * run's thread */
#define INTERVAL_MAX_US  (300 * G_USEC_PER_SEC)
#define SHARE      1000                 /* calls of stubs take at most 1/SHARE of one CPU's time */

/* Cost of one kind of hook: all hooks that run the same code. */
typedef struct {
  char      *instrument;
  guint      tactic, instructions;
  uint32_t   patches[COPIES], bases[COPIES];  /* ids of the calibration stubs of this kind, and of
                                               * the base stubs */
  gboolean   failed;              /* the target could not measure the code of this kind */
  gint64     first_ns;            /* time of the first measurement; negative: before time zero */
  GArray    *measurements;        /* (element-type double): ns; each measurement adds one value per
                                   * copy */
  GilkMedian ns;                  /* cost of a hit, computed from @measurements */
  double     min_ns;
} Cost;

/* ---- calibration stubs ---- */

/* A kind of hook: all hooks that run the same code. Stubs are ordered: first the base stubs, then
 * the stubs of each kind. */
typedef struct {
  const GilkBoundHook *hook;      /* the first hook of this kind */
} Kind;

typedef struct {
  GilkRunCosts *costs;
  const GilkBoundPlan *bound;
  struct ilk_info info;
  GArray  *kinds;                 /* (element-type Kind) */
  struct ilk_reserve_patch *slots;    /* patches to reserve: COPIES base stubs, then the copies for
                                       * each kind */
  struct ilk_reserve_hook  *cells;    /* hooks to reserve: one for each copy, in the order of
                                       * @slots */
  struct ilk_prepare_patch *patches;
  struct ilk_prepare_hook  *hooks;
  GByteArray *blob;
} CalibrationStubs;

static const Kind *
kind_at (const CalibrationStubs *stubs, guint i)
{
  return &g_array_index (stubs->kinds, Kind, i);
}

static const GilkSplicePlan *
plan_of (const GilkBoundPlan *bound, const GilkBoundHook *hook)
{
  return g_ptr_array_index (bound->splice_plans, hook->splice_plan);
}

/* Returns the hook's module instrument; NULL: the hook has an inline instrument. */
static const struct ilk_instrument_desc *
module_of (const GilkBoundPlan *bound, const GilkBoundHook *hook)
{
  return hook->instrument == G_MAXUINT ? NULL
         : &g_array_index (bound->instruments, struct ilk_instrument_desc, hook->instrument);
}

static gboolean
can_calibrate (const GilkBoundPlan *bound, const GilkBoundHook *hook)
{
  const struct ilk_instrument_desc *desc = module_of (bound, hook);

  if (hook->program != NULL || gilk_tactic_is_bpf (hook->choice.tactic) ||
      hook->splice_plan == G_MAXUINT)
    return FALSE;

  return desc == NULL || ((desc->flags & ILK_INSTRUMENT_TIMED) != 0 && desc->param_count == 0);
}

static gboolean
is_known (const CalibrationStubs *stubs, const GilkBoundHook *hook)
{
  for (guint i = 0; i < stubs->costs->kinds->len; i++)
    {
      const Cost *cost = &g_array_index (stubs->costs->kinds, Cost, i);

      if (strcmp (cost->instrument, hook->hook->instrument) == 0 && cost->tactic == hook->choice.tactic &&
          cost->instructions == hook->choice.cost)
        return TRUE;
    }
  for (guint i = 0; i < stubs->kinds->len; i++)
    {
      const GilkBoundHook *other = kind_at (stubs, i)->hook;

      if (strcmp (other->hook->instrument, hook->hook->instrument) == 0 &&
          other->choice.tactic == hook->choice.tactic && other->choice.cost == hook->choice.cost)
        return TRUE;
    }

  return FALSE;
}

static void
choose_kinds (CalibrationStubs *stubs)
{
  const GilkBoundPlan *bound = stubs->bound;

  for (guint i = 0; i < bound->hooks->len && stubs->costs->kinds->len + stubs->kinds->len < KINDS_MAX; i++)
    {
      const Kind kind = { &g_array_index (bound->hooks, GilkBoundHook, i) };

      if (can_calibrate (stubs->bound, kind.hook) && !is_known (stubs, kind.hook))
        g_array_append_val (stubs->kinds, kind);
    }
}

/* ---- prepare the stubs ---- */

/* Returns the hook for which stub @i is made. The first COPIES stubs are base stubs, followed by
 * the copies for each kind of hook. */
static const GilkBoundHook *
hook_of_stub (const CalibrationStubs *stubs, guint i)
{
  return kind_at (stubs, i < COPIES ? 0 : i / COPIES - 1)->hook;
}

static gboolean
emit_stub (CalibrationStubs *stubs, guint i)
{
  const GilkBoundHook *hook = hook_of_stub (stubs, i);
  g_auto(GilkCode) code = { .code = g_byte_array_new (), .orc = g_array_new (FALSE, TRUE, sizeof (struct ilk_orc)) };
  GilkAsm as = { .base = stubs->slots[i].slot, .code = code.code, .orc = code.orc };
  struct ilk_prepare_patch *item = &stubs->patches[i];
  guint trap = 0;

  if (i < COPIES)
    gilk_emit_calibration_base (&as, plan_of (stubs->bound, hook));
  else
    {
      const struct ilk_reserve_hook *cells = &stubs->cells[i - COPIES];
      const struct ilk_instrument_desc *desc = module_of (stubs->bound, hook);
      const GilkBinding binding = {
        .iid = cells->iid, .counter = cells->counter, .lost = cells->lost, .missed = cells->missed,
        .fn = desc != NULL ? desc->fn : 0,
      };

      gilk_emit_calibration (&as, plan_of (stubs->bound, hook), hook->want_index, &stubs->info, &binding,
                             &trap);
    }
  *item = (struct ilk_prepare_patch) {
    .id = stubs->slots[i].id, .flags = ILK_PATCH_CALIBRATION, .site = stubs->slots[i].slot,
    .code_len = code.code->len, .orc_count = code.orc->len, .aux = trap,
    .code = gilk_armed_append_blob (stubs->blob, code.code->data, code.code->len),
  };
  if (code.orc->len > 0)
    item->orc = gilk_armed_append_blob (stubs->blob, code.orc->data,
                                        code.orc->len * sizeof (struct ilk_orc));

  return !as.too_far && code.code->len <= GILK_CALIBRATION_BYTES;
}

static gboolean
prepare_in_driver (CalibrationStubs *stubs, GCancellable *cancellable)
{
  GilkTarget *target = stubs->costs->target;
  guint n_hooks = stubs->kinds->len * COPIES, n_patches = COPIES + n_hooks;

  for (guint i = 0; i < n_patches; i++)
    stubs->slots[i].bytes = GILK_CALIBRATION_BYTES + 1;
  for (guint i = 0; i < n_hooks; i++)
    if (!hook_of_stub (stubs, COPIES + i)->takes_samples)
      stubs->cells[i].flags = ILK_HOOK_COUNTER_NEAR;
  if (!gilk_target_reserve (target, stubs->slots, n_patches, stubs->cells, n_hooks, cancellable, NULL))
    return FALSE;
  for (guint i = 0; i < n_patches; i++)
    if (!emit_stub (stubs, i))
      return FALSE;
  for (guint i = 0; i < n_hooks; i++)
    {
      const GilkBoundHook *hook = hook_of_stub (stubs, COPIES + i);
      const struct ilk_instrument_desc *desc = module_of (stubs->bound, hook);

      stubs->hooks[i] = (struct ilk_prepare_hook) {
        .iid = stubs->cells[i].iid, .patch = stubs->slots[COPIES + i].id,
        .instrument = desc != NULL ? desc->id : 0, .flags = hook->takes_samples ? ILK_HOOK_SAMPLES : 0,
      };
    }

  return gilk_target_prepare (target, stubs->patches, n_patches, stubs->hooks, n_hooks, stubs->blob->data,
                              stubs->blob->len, cancellable, NULL);
}

void
gilk_run_costs_free_stubs (GilkRunCosts *costs)
{
  struct ilk_disarm disarm = { .what = ILK_DISARM_FILE | ILK_DISARM_FREE };

  if (costs->prepared)
    gilk_target_disarm (costs->target, &disarm, NULL, NULL, NULL);
  costs->prepared = FALSE;
}

static void
init_costs (const CalibrationStubs *stubs)
{
  GilkRunCosts *costs = stubs->costs;

  for (guint i = 0; i < stubs->kinds->len; i++)
    {
      const GilkBoundHook *hook = kind_at (stubs, i)->hook;
      Cost cost = {
        .instrument = g_strdup (hook->hook->instrument), .tactic = hook->choice.tactic, .instructions = hook->choice.cost,
        .measurements = g_array_new (FALSE, FALSE, sizeof (double)),
      };

      for (guint c = 0; c < COPIES; c++)
        {
          cost.bases[c] = stubs->slots[c].id;
          cost.patches[c] = stubs->slots[COPIES * (i + 1) + c].id;
        }
      g_array_append_val (costs->kinds, cost);
    }
}

static void
prepare_kinds (CalibrationStubs *stubs, GCancellable *cancellable)
{
  guint n = stubs->kinds->len * COPIES;
  gboolean is_first = !stubs->costs->prepared;

  stubs->slots = g_new0 (struct ilk_reserve_patch, COPIES + n);
  stubs->cells = g_new0 (struct ilk_reserve_hook, n);
  stubs->patches = g_new0 (struct ilk_prepare_patch, COPIES + n);
  stubs->hooks = g_new0 (struct ilk_prepare_hook, n);
  stubs->blob = g_byte_array_new ();
  stubs->costs->prepared = TRUE;      /* the driver may have prepared the stubs even if its reply is
                                       * lost */
  if (prepare_in_driver (stubs, cancellable))
    init_costs (stubs);
  else if (is_first)                  /* not later: then freeing the stubs would also free the live
                                       * hooks */
    gilk_run_costs_free_stubs (stubs->costs);
  g_free (stubs->slots);
  g_free (stubs->cells);
  g_free (stubs->patches);
  g_free (stubs->hooks);
  g_byte_array_unref (stubs->blob);
}

static void
clear_cost (gpointer data)
{
  Cost *cost = data;

  g_free (cost->instrument);
  g_array_unref (cost->measurements);
}

/* Prepares calibration stubs (copies of hooks' code, which are called to measure its cost) for
 * kinds of hooks that lack them. Returns FALSE if no stubs were added. */
static gboolean
prepare_stubs (GilkRunCosts *costs, const GilkBoundPlan *bound, GCancellable *cancellable)
{
  CalibrationStubs stubs = { .costs = costs, .bound = bound, .kinds = g_array_new (FALSE, FALSE, sizeof (Kind)) };
  guint before;

  gilk_run_session_assert_own (costs->session);
  if (costs->kinds == NULL)
    {
      costs->kinds = g_array_new (FALSE, TRUE, sizeof (Cost));
      g_array_set_clear_func (costs->kinds, clear_cost);
    }
  before = costs->kinds->len;
  choose_kinds (&stubs);
  if (stubs.kinds->len > 0 && gilk_target_driver_info (costs->target, &stubs.info, cancellable, NULL) &&
      stubs.info.tsc_khz != 0)
    {
      costs->tsc_khz = stubs.info.tsc_khz;
      prepare_kinds (&stubs, cancellable);
    }
  g_array_unref (stubs.kinds);

  return costs->kinds->len > before;
}

void
gilk_run_costs_clear (GilkRunCosts *costs)
{
  g_clear_pointer (&costs->kinds, g_array_unref);
}

/* ---- measuring ---- */

static Cost *
cost_at (const GilkRunCosts *costs, guint i)
{
  return &g_array_index (costs->kinds, Cost, i);
}

/* Converts ticks to nanoseconds with the kernel's TSC rate, which is far more precise than the
 * measurement. */
static void
convert_rows (GilkRunCosts *costs, const GArray *rows, double *values)
{
  double ms = 1.0 / (double) costs->tsc_khz;

  for (guint i = 0; i < rows->len; i++)
    {
      const struct ilk_measure_result *row = &g_array_index (rows, struct ilk_measure_result, i);

      if (i >= COLD_ROWS)
        values[i - COLD_ROWS] = ((double) row->ticks - (double) row->base) * ms * 1e6 / CALLS;
      costs->taken_us += ((double) row->ticks + (double) row->base) * ms * 1e3;
    }
}

/* Measures one copy of the code of a kind of hook. Returns FALSE if this kind can no longer be measured. */
static gboolean
measure_round (GilkRunCosts *costs, Cost *cost, guint copy, double *values, GCancellable *cancellable)
{
  g_autoptr(GArray) rows = NULL;

  if (!cost->failed)
    rows = gilk_target_measure (costs->target, cost->patches[copy], cost->bases[copy], CALLS, COLD_ROWS + ROUND_ROWS,
                                cancellable, NULL);
  cost->failed = rows == NULL;
  if (rows != NULL)
    convert_rows (costs, rows, values);

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

/* ---- the first time ---- */

/* Measures the kinds from @first on, in rounds: each round measures one copy of each kind. All
 * rounds are done twice, and only the second time counts, because new code is slower for a few
 * hundred calls, by a tenth or more on an emulated CPU. */
static void
measure_rounds (GilkRunCosts *costs, guint first, double *values, GCancellable *cancellable)
{
  for (guint n = 0; n < 2 * GILK_MEDIAN_ROUNDS && !g_cancellable_is_cancelled (cancellable); n++)
    {
      guint r = n % GILK_MEDIAN_ROUNDS;

      if (n > GILK_MEDIAN_ROUNDS)
        g_usleep (PAUSE_US);
      for (guint i = first; i < costs->kinds->len; i++)
        measure_round (costs, cost_at (costs, i), r, values + ((i - first) * GILK_MEDIAN_ROUNDS + r) * ROUND_ROWS,
                       cancellable);
    }
}

/* Computes the first measurement of a kind of hook from @values, the results of all rounds: each
 * round measured one copy. */
static void
take_rounds (Cost *cost, double *values)
{
  G_STATIC_ASSERT (GILK_MEDIAN_ROUNDS == COPIES);

  cost->min_ns = find_least (values, COPIES * ROUND_ROWS);
  cost->ns = gilk_median_of_rounds (values, ROUND_ROWS);
  for (guint c = 0; c < COPIES; c++)
    {
      double median = gilk_median_of (values + c * ROUND_ROWS, ROUND_ROWS, 0.025).value;

      g_array_append_val (cost->measurements, median);
    }
}

void
gilk_run_costs_measure (GilkRunCosts        *costs,
                        const GilkBoundPlan *bound,
                        GCancellable        *cancellable)
{
  const guint each = GILK_MEDIAN_ROUNDS * ROUND_ROWS, first = costs->kinds != NULL ? costs->kinds->len : 0;
  g_autofree double *values = NULL;

  if (!prepare_stubs (costs, bound, cancellable))
    return;
  values = g_new0 (double, (gsize) (costs->kinds->len - first) * each);
  measure_rounds (costs, first, values, cancellable);
  for (guint i = first; i < costs->kinds->len; i++)
    {
      Cost *cost = cost_at (costs, i);

      cost->failed = cost->failed || g_cancellable_is_cancelled (cancellable);
      if (cost->failed)
        continue;
      cost->first_ns = costs->clock->zero_us != 0 ? (gint64) (gilk_run_clock_elapsed (costs->clock) * 1e9) : -1;
      take_rounds (cost, values + (i - first) * each);
    }
  costs->since_us = costs->clock->zero_us != 0 ? g_get_monotonic_time () : 0;
  costs->distance_us = FIRST_US;
}

/* ---- storing ---- */

static gboolean
store_measurement (GilkRunCosts *costs, const Cost *cost, const GilkCostMeasurement *measurement, GError **error)
{
  const GilkStoreCost row = {
    .instrument = cost->instrument, .tactic = gilk_tactic_name (cost->tactic), .instructions = cost->instructions,
    .ns = cost->ns.value, .low_ns = cost->ns.low, .high_ns = cost->ns.high, .min_ns = cost->min_ns,
  };

  return gilk_store_add_cost (costs->session->store, costs->session->run, &row, error) &&
         gilk_store_add_cost_measurement (costs->session->store, costs->session->run, &row, measurement, error);
}

gboolean
gilk_run_costs_store (GilkRunCosts *costs, GError **error)
{
  for (; costs->n_stored < costs->kinds->len; costs->n_stored++)
    {
      const Cost *cost = cost_at (costs, costs->n_stored);
      GilkCostMeasurement first = { .t_ns = cost->first_ns, .min_ns = cost->min_ns };

      if (cost->measurements->len == 0)
        continue;
      first.ns = gilk_trimmed_mean ((const double *) (const void *) cost->measurements->data, COPIES);
      if (!store_measurement (costs, cost, &first, error))
        return FALSE;
    }

  return TRUE;
}

/* ---- during the run ---- */

/* Measures all copies of a kind of hook. Returns FALSE, with @cost unchanged, if that is not
 * possible. */
static gboolean
measure_copies (GilkRunCosts *costs, Cost *cost, GilkCostMeasurement *measurement)
{
  double copies[COPIES];
  gboolean good = TRUE;

  measurement->min_ns = INFINITY;
  for (guint c = 0; good && c < COPIES; c++)
    {
      double values[ROUND_ROWS];

      good = measure_round (costs, cost, c, values, NULL);
      if (!good)
        break;
      measurement->min_ns = MIN (measurement->min_ns, find_least (values, ROUND_ROWS));
      copies[c] = gilk_median_of (values, ROUND_ROWS, 0.025).value;
    }
  measurement->position = cost->measurements->len / COPIES;
  measurement->t_ns = (gint64) (gilk_run_clock_elapsed (costs->clock) * 1e9);
  measurement->ns = gilk_trimmed_mean (copies, COPIES);
  if (good)
    g_array_append_vals (cost->measurements, copies, COPIES);

  return good;
}

/* Measures all kinds of hooks once more, except kinds that could not be measured. */
static gboolean
measure_once (GilkRunCosts *costs, GError **error)
{
  costs->taken_us = 0;
  for (guint i = 0; i < costs->kinds->len; i++)
    {
      Cost *cost = cost_at (costs, i);
      GilkCostMeasurement measurement;
      gboolean good;

      if (cost->failed || !measure_copies (costs, cost, &measurement))
        continue;
      cost->min_ns = MIN (cost->min_ns, measurement.min_ns);
      cost->ns = gilk_median_over_time ((const double *) (const void *) cost->measurements->data, COPIES,
                                        cost->measurements->len / COPIES);
      gilk_run_session_lock (costs->session);
      good = store_measurement (costs, cost, &measurement, error);
      gilk_run_session_unlock (costs->session);
      if (!good)
        return FALSE;
    }

  return TRUE;
}

gboolean
gilk_run_costs_remeasure (GilkRunCosts *costs, GError **error)
{
  gint64 begin_us = g_get_monotonic_time ();
  gboolean good;

  gilk_run_session_assert_own (costs->session);
  if (!costs->prepared)
    return TRUE;
  costs->since_us = MAX (costs->since_us, costs->clock->zero_us);
  if (begin_us < MAX (costs->measured_us, costs->since_us) + costs->distance_us)
    return TRUE;
  good = measure_once (costs, error);
  costs->measured_us = g_get_monotonic_time ();
  costs->distance_us = CLAMP ((costs->measured_us - costs->since_us) / AGE_SHARE, FIRST_US, INTERVAL_MAX_US);
  costs->distance_us = MAX (costs->distance_us, (gint64) (SHARE * costs->taken_us));
  costs->distance_us = MAX (costs->distance_us, WAIT_SHARE * (costs->measured_us - begin_us));

  return good;
}

gboolean
gilk_run_costs_finish (GilkRunCosts *costs, GError **error)
{
  gilk_run_session_assert_own (costs->session);
  g_assert (costs->clock->stopped_us != 0);

  return !costs->prepared || measure_once (costs, error);
}
