/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-calibration.c - calibration stubs: copies of the hooks' code, to be measured
 *
 * Hooks with the same instrument, tactic and number of instructions run the same code, apart from
 * addresses: the first hook of each such kind is measured. Its code is prepared a second time, and
 * the driver calls it alternately with code that only returns. It stays there until the run ends.
 * Kernel text is not changed, so the journal has no entries for it.
 *
 * A module instrument must permit this (ILK_INSTRUMENT_TIMED), because the registers that it sees
 * are not those of hooked code. One with parameters may behave differently at each hook and is not
 * measured.
 *
 * Programs are not called: they follow pointers, which would be invalid here. Hooks in user space
 * are not called either: their cost is that of the trap.
 */
#include "core/emit/gilk-emit.h"
#include "core/emit/gilk-calibration.h"
#include "core/run/gilk-run-private.h"

#include <string.h>

#define KINDS_MAX 16

/* Hooks that run the same code. Stubs are in this order, after the base. */
typedef struct {
  const GilkBoundHook *hook;      /* the first of them */
} Kind;

typedef struct {
  GilkRun *run;
  GArray  *kinds;                 /* element type Kind */
  struct ilk_reserve_patch *slots;    /* of the base, then of each kind */
  struct ilk_reserve_hook  *cells;    /* of each kind */
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
plan_of (const GilkRun *run, const GilkBoundHook *hook)
{
  return g_ptr_array_index (run->bound->splice_plans, hook->splice_plan);
}

/* NULL: an inline instrument */
static const struct ilk_instrument_desc *
module_of (const GilkRun *run, const GilkBoundHook *hook)
{
  return hook->instrument == G_MAXUINT ? NULL
         : &g_array_index (run->bound->instruments, struct ilk_instrument_desc, hook->instrument);
}

static gboolean
can_calibrate (const GilkRun *run, const GilkBoundHook *hook)
{
  const struct ilk_instrument_desc *desc = module_of (run, hook);

  if (hook->program != NULL || hook->choice.tactic == ILK_TACTIC_USER || hook->hook->watch != NULL)
    return FALSE;

  return desc == NULL || ((desc->flags & ILK_INSTRUMENT_TIMED) != 0 && desc->param_count == 0);
}

static gboolean
is_known (const CalibrationStubs *stubs, const GilkBoundHook *hook)
{
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
  const GilkBoundPlan *bound = stubs->run->bound;

  for (guint i = 0; i < bound->hooks->len && stubs->kinds->len < KINDS_MAX; i++)
    {
      const Kind kind = { &g_array_index (bound->hooks, GilkBoundHook, i) };

      if (can_calibrate (stubs->run, kind.hook) && !is_known (stubs, kind.hook))
        g_array_append_val (stubs->kinds, kind);
    }
}

/* ---- prepare ---- */

/* @i: 0 for the base, otherwise kind i - 1 */
static gboolean
emit_stub (CalibrationStubs *stubs, guint i)
{
  const GilkBoundHook *hook = kind_at (stubs, MAX (i, 1) - 1)->hook;
  g_auto(GilkCode) code = { .code = g_byte_array_new (), .orc = g_array_new (FALSE, TRUE, sizeof (struct ilk_orc)) };
  GilkAsm as = { .base = stubs->slots[i].slot, .code = code.code, .orc = code.orc };
  struct ilk_prepare_patch *item = &stubs->patches[i];
  guint trap = 0;

  if (i == 0)
    gilk_emit_calibration_base (&as, plan_of (stubs->run, hook));
  else
    {
      const struct ilk_reserve_hook *cells = &stubs->cells[i - 1];
      const struct ilk_instrument_desc *desc = module_of (stubs->run, hook);
      const GilkBinding binding = {
        .iid = cells->iid, .counter = cells->counter, .lost = cells->lost, .missed = cells->missed,
        .fn = desc != NULL ? desc->fn : 0,
      };

      gilk_emit_calibration (&as, plan_of (stubs->run, hook), hook->want_index, &stubs->run->armed.info, &binding,
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
  GilkTarget *target = stubs->run->target;
  guint n = stubs->kinds->len;

  for (guint i = 0; i <= n; i++)
    stubs->slots[i].bytes = GILK_CALIBRATION_BYTES + 1;
  for (guint i = 0; i < n; i++)
    if (!kind_at (stubs, i)->hook->takes_samples)
      stubs->cells[i].flags = ILK_HOOK_COUNTER_NEAR;
  if (!gilk_target_reserve (target, stubs->slots, n + 1, stubs->cells, n, cancellable, NULL))
    return FALSE;
  for (guint i = 0; i <= n; i++)
    if (!emit_stub (stubs, i))
      return FALSE;
  for (guint i = 0; i < n; i++)
    {
      const GilkBoundHook *hook = kind_at (stubs, i)->hook;
      const struct ilk_instrument_desc *desc = module_of (stubs->run, hook);

      stubs->hooks[i] = (struct ilk_prepare_hook) {
        .iid = stubs->cells[i].iid, .patch = stubs->slots[i + 1].id,
        .instrument = desc != NULL ? desc->id : 0, .flags = hook->takes_samples ? ILK_HOOK_SAMPLES : 0,
      };
    }

  return gilk_target_prepare (target, stubs->patches, n + 1, stubs->hooks, n, stubs->blob->data,
                              stubs->blob->len, cancellable, NULL);
}

/* ---- public functions ---- */

void
gilk_run_free_stubs (GilkRun *run)
{
  struct ilk_disarm disarm = { .what = ILK_DISARM_FILE | ILK_DISARM_FREE };

  if (run->costs.prepared)
    gilk_target_disarm (run->target, &disarm, NULL, NULL, NULL);
  run->costs.prepared = FALSE;
}

static void
init_costs (const CalibrationStubs *stubs)
{
  GilkRunCosts *costs = &stubs->run->costs;

  costs->base = stubs->slots[0].id;
  for (guint i = 0; i < stubs->kinds->len; i++)
    {
      const GilkBoundHook *hook = kind_at (stubs, i)->hook;
      const GilkRunCost cost = {
        .instrument = g_strdup (hook->hook->instrument), .tactic = hook->choice.tactic, .instructions = hook->choice.cost,
        .patch = stubs->slots[i + 1].id, .measurements = g_array_new (FALSE, FALSE, sizeof (double)),
      };

      g_array_append_val (costs->all, cost);
    }
}

static void
prepare_kinds (CalibrationStubs *stubs, GCancellable *cancellable)
{
  guint n = stubs->kinds->len;

  stubs->slots = g_new0 (struct ilk_reserve_patch, n + 1);
  stubs->cells = g_new0 (struct ilk_reserve_hook, n);
  stubs->patches = g_new0 (struct ilk_prepare_patch, n + 1);
  stubs->hooks = g_new0 (struct ilk_prepare_hook, n);
  stubs->blob = g_byte_array_new ();
  stubs->run->costs.prepared = TRUE;      /* even if the reply is lost, they may be there */
  if (prepare_in_driver (stubs, cancellable))
    init_costs (stubs);
  else
    gilk_run_free_stubs (stubs->run);
  g_free (stubs->slots);
  g_free (stubs->cells);
  g_free (stubs->patches);
  g_free (stubs->hooks);
  g_byte_array_unref (stubs->blob);
}

static void
clear_cost (gpointer data)
{
  GilkRunCost *cost = data;

  g_free (cost->instrument);
  g_array_unref (cost->measurements);
}

gboolean
gilk_run_prepare_stubs (GilkRun      *run,
                        GCancellable *cancellable)
{
  CalibrationStubs stubs = { .run = run, .kinds = g_array_new (FALSE, FALSE, sizeof (Kind)) };

  gilk_run_assert_own (run);
  run->costs = (GilkRunCosts) { .all = g_array_new (FALSE, TRUE, sizeof (GilkRunCost)) };
  g_array_set_clear_func (run->costs.all, clear_cost);
  choose_kinds (&stubs);
  if (stubs.kinds->len > 0 && gilk_target_driver_info (run->target, &run->armed.info, cancellable, NULL) &&
      run->armed.info.tsc_khz != 0)
    prepare_kinds (&stubs, cancellable);
  g_array_unref (stubs.kinds);

  return run->costs.prepared;
}
