/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-cost.c - what the hooks of a run cost, measured before it
 *
 * Hooks of one instrument that are reached by one tactic and have as many instructions run the same
 * code, but for addresses: one of each such kind is measured, the first. Its code is prepared once
 * more, to be called by the driver in turn with code that only returns; the rings are claimed
 * meanwhile, of a size for what is sampled then, so that a sample costs what it will, and nothing of it
 * comes into the run's. Text is not touched, so the journal has nothing of it.
 *
 * An instrument that is a module has to allow it (ILK_INSTRUMENT_TIMED), for the registers that it is
 * shown are not those of the hooked code. One with parameters may do something else at each hook.
 *
 * What it costs is another thing a moment later, so it is measured in rounds with pauses between them, and the interval
 * is one for another round's (gilk-median.h). What is other during the run than before it is not in that.
 *
 * A program follows pointers, which nobody has given it there, so that it is not called. A hook in a program of user space
 * is not, either: what it costs is the trap.
 *
 * A target that cannot do so leaves them unmeasured, and the run goes on.
 */
#include "core/base/gilk-median.h"
#include "core/emit/gilk-emit.h"
#include "core/emit/gilk-ground.h"
#include "core/emit/gilk-inline.h"
#include "core/run/gilk-run-private.h"

#include <string.h>

#define KINDS_MAX  16
#define CALLS      64
#define ROUND_ROWS 15
#define ROWS       (GILK_MEDIAN_ROUNDS * ROUND_ROWS)
#define PAUSE_US   4000
#define RING_LEAST 262144
#define FLUSH_MS   5

/* Hooks that run the same code; what is prepared of them comes behind the base's. */
typedef struct {
  const GilkBoundHook *hook;      /* the first of them */
} Kind;

typedef struct {
  GilkRun *run;
  GArray  *kinds;                 /* Kind */
  struct ilk_reserve_patch *slots;    /* of the base, then of each kind */
  struct ilk_reserve_hook  *cells;    /* of each kind */
  struct ilk_prepare_patch *patches;
  struct ilk_prepare_hook  *hooks;
  GByteArray *blob;
} Grounds;

static const Kind *
kind_at (const Grounds *grounds, guint i)
{
  return &g_array_index (grounds->kinds, Kind, i);
}

static const GilkSplicePlan *
plan_of (const GilkRun *run, const GilkBoundHook *hook)
{
  return g_ptr_array_index (run->bound->splice_plans, hook->splice_plan);
}

/* NULL: it is inline. */
static const struct ilk_instrument_desc *
module_of (const GilkRun *run, const GilkBoundHook *hook)
{
  return hook->instrument == G_MAXUINT ? NULL
         : &g_array_index (run->bound->instruments, struct ilk_instrument_desc, hook->instrument);
}

static gboolean
may_be_called (const GilkRun *run, const GilkBoundHook *hook)
{
  const struct ilk_instrument_desc *desc = module_of (run, hook);

  if (hook->program != NULL || hook->choice.tactic == ILK_TACTIC_USER || hook->hook->watch != NULL)
    return FALSE;

  return desc == NULL || ((desc->flags & ILK_INSTRUMENT_TIMED) != 0 && desc->param_count == 0);
}

/* Of the rings, by all rows of a hook. */
static gsize
sample_bytes (const GilkRun *run, const GilkBoundHook *hook)
{
  const struct ilk_instrument_desc *desc = module_of (run, hook);

  return (gsize) ILK_RECORD_CELLS (desc != NULL ? desc->sample_bytes : 0) * ILK_CELL * CALLS * ROWS;
}

static gboolean
is_known (const Grounds *grounds, const GilkBoundHook *hook)
{
  for (guint i = 0; i < grounds->kinds->len; i++)
    {
      const GilkBoundHook *other = kind_at (grounds, i)->hook;

      if (strcmp (other->hook->instrument, hook->hook->instrument) == 0 &&
          other->choice.tactic == hook->choice.tactic && other->choice.cost == hook->choice.cost)
        return TRUE;
    }

  return FALSE;
}

/* Another program has the rings of a run that leaves its samples to it. */
static void
choose_kinds (Grounds *grounds)
{
  const GilkBoundPlan *bound = grounds->run->bound;

  for (guint i = 0; i < bound->hooks->len && grounds->kinds->len < KINDS_MAX; i++)
    {
      const Kind kind = { &g_array_index (bound->hooks, GilkBoundHook, i) };

      if (may_be_called (grounds->run, kind.hook) && !is_known (grounds, kind.hook) &&
          !(kind.hook->takes_samples && bound->plan->ring.mode == GILK_RING_FIFO))
        g_array_append_val (grounds->kinds, kind);
    }
}

/* ---- prepare ---- */

/* @i: 0 the base, else of kind i - 1 */
static gboolean
emit_ground (Grounds *grounds, guint i)
{
  const GilkBoundHook *hook = kind_at (grounds, MAX (i, 1) - 1)->hook;
  g_auto(GilkCode) code = { .code = g_byte_array_new (), .orc = g_array_new (FALSE, TRUE, sizeof (struct ilk_orc)) };
  GilkAsm as = { .base = grounds->slots[i].slot, .code = code.code, .orc = code.orc };
  struct ilk_prepare_patch *item = &grounds->patches[i];
  guint trap = 0;

  if (i == 0)
    gilk_emit_ground_base (&as, plan_of (grounds->run, hook));
  else
    {
      const struct ilk_reserve_hook *cells = &grounds->cells[i - 1];
      const struct ilk_instrument_desc *desc = module_of (grounds->run, hook);
      const GilkBinding binding = {
        .iid = cells->iid, .counter = cells->counter, .lost = cells->lost, .dropped = cells->dropped,
        .fn = desc != NULL ? desc->fn : 0,
      };

      gilk_emit_ground (&as, plan_of (grounds->run, hook), hook->want, &grounds->run->armed.info, &binding,
                        &trap);
    }
  *item = (struct ilk_prepare_patch) {
    .id = grounds->slots[i].id, .flags = ILK_PATCH_GROUND, .site = grounds->slots[i].slot,
    .code_len = code.code->len, .orc_count = code.orc->len, .aux = trap,
    .code = gilk_armed_append_blob (grounds->blob, code.code->data, code.code->len),
  };
  if (code.orc->len > 0)
    item->orc = gilk_armed_append_blob (grounds->blob, code.orc->data,
                                        code.orc->len * sizeof (struct ilk_orc));

  return !as.too_far && code.code->len <= GILK_GROUND_BYTES;
}

static gboolean
prepare (Grounds *grounds, GCancellable *cancellable)
{
  GilkTarget *target = grounds->run->target;
  guint n = grounds->kinds->len;

  for (guint i = 0; i <= n; i++)
    grounds->slots[i].bytes = GILK_GROUND_BYTES + 1;
  for (guint i = 0; i < n; i++)
    if (!kind_at (grounds, i)->hook->takes_samples)
      grounds->cells[i].flags = ILK_HOOK_COUNTER_NEAR;
  if (!gilk_target_reserve (target, grounds->slots, n + 1, grounds->cells, n, cancellable, NULL))
    return FALSE;
  for (guint i = 0; i <= n; i++)
    if (!emit_ground (grounds, i))
      return FALSE;
  for (guint i = 0; i < n; i++)
    {
      const GilkBoundHook *hook = kind_at (grounds, i)->hook;
      const struct ilk_instrument_desc *desc = module_of (grounds->run, hook);

      grounds->hooks[i] = (struct ilk_prepare_hook) {
        .iid = grounds->cells[i].iid, .patch = grounds->slots[i + 1].id,
        .instrument = desc != NULL ? desc->id : 0, .flags = hook->takes_samples ? ILK_HOOK_SAMPLES : 0,
      };
    }

  return gilk_target_prepare (target, grounds->patches, n + 1, grounds->hooks, n, grounds->blob->data,
                              grounds->blob->len, cancellable, NULL);
}

/* Nothing of the run is prepared yet: whatever there is are these. */
static void
give_back (Grounds *grounds)
{
  struct ilk_disarm disarm = { .what = ILK_DISARM_OWN | ILK_DISARM_FREE };

  gilk_target_disarm (grounds->run->target, &disarm, NULL, NULL, NULL);
}

/* ---- measure ---- */

static void
ignore_samples (guint cpu, const void *cells, gsize bytes, gpointer data)
{
  (void) cpu, (void) cells, (void) bytes, (void) data;
}

/* A power of two that none of them fills. */
static uint32_t
ring_bytes (gsize bytes)
{
  uint32_t ring = RING_LEAST;

  while (ring < bytes + bytes / 8)
    ring *= 2;

  return ring;
}

static gboolean
claim (GilkTarget *target, gsize bytes, GCancellable *cancellable)
{
  const struct gilk_samples_start wish = {
    .period_ms = FLUSH_MS, .mode = ILK_RING_DROP, .ring_bytes = ring_bytes (bytes),
  };
  struct gilk_rings rings;

  return gilk_target_samples_start (target, &wish, ignore_samples, NULL, &rings, cancellable, NULL);
}

/* In nanoseconds, by the kernel's rate: it is far better than these are. */
static void
take_rows (const GilkRun *run, const GArray *rows, double *values)
{
  double ns = 1e6 / (double) run->armed.info.tsc_khz / CALLS;

  for (guint i = 0; i < ROUND_ROWS; i++)
    {
      const struct ilk_measured *row = &g_array_index (rows, struct ilk_measured, i);

      values[i] = ((double) row->ticks - (double) row->base) * ns;
    }
}

static void
keep_cost (GilkRun *run, const GilkBoundHook *hook, double *values)
{
  GilkRunCost cost = { .hook = hook, .least_ns = values[0] };

  for (guint i = 1; i < ROWS; i++)
    cost.least_ns = MIN (cost.least_ns, values[i]);
  cost.ns = gilk_median_of_rounds (values, ROUND_ROWS);
  g_array_append_val (run->costs, cost);
}

/* Each kind once a round. @values: ROWS of each kind; @failed: of each. */
static void
measure_rounds (Grounds *grounds, gboolean claimed, double *values, gboolean *failed, GCancellable *cancellable)
{
  for (guint r = 0; r < GILK_MEDIAN_ROUNDS && !g_cancellable_is_cancelled (cancellable); r++)
    {
      if (r > 0)
        g_usleep (PAUSE_US);
      for (guint i = 0; i < grounds->kinds->len; i++)
        {
          g_autoptr(GArray) rows = NULL;

          failed[i] = failed[i] || (kind_at (grounds, i)->hook->takes_samples && !claimed);
          if (!failed[i])
            rows = gilk_target_measure (grounds->run->target, grounds->slots[i + 1].id, grounds->slots[0].id, CALLS, ROUND_ROWS,
                                        cancellable, NULL);
          failed[i] = rows == NULL;
          if (rows != NULL)
            take_rows (grounds->run, rows, values + (gsize) i * ROWS + r * ROUND_ROWS);
        }
    }
}

static void
measure (Grounds *grounds, GCancellable *cancellable)
{
  GilkRun *run = grounds->run;
  g_autofree double *values = g_new0 (double, (gsize) grounds->kinds->len * ROWS + 1);
  g_autofree gboolean *failed = g_new0 (gboolean, grounds->kinds->len + 1);
  gboolean claimed;
  gsize bytes = 0;

  for (guint i = 0; i < grounds->kinds->len; i++)
    if (kind_at (grounds, i)->hook->takes_samples)
      bytes += sample_bytes (run, kind_at (grounds, i)->hook);
  claimed = bytes > 0 && claim (run->target, bytes, cancellable);
  measure_rounds (grounds, claimed, values, failed, cancellable);
  for (guint i = 0; i < grounds->kinds->len; i++)
    if (!failed[i] && !g_cancellable_is_cancelled (cancellable))
      keep_cost (run, kind_at (grounds, i)->hook, values + (gsize) i * ROWS);
  if (claimed)
    {
      struct gilk_samples_end end;

      gilk_target_samples_stop (run->target, &end, NULL, NULL);
    }
}

/* ---- outside ---- */

void
gilk_run_measure_costs (GilkRun      *run,
                        GCancellable *cancellable)
{
  Grounds grounds = { .run = run, .kinds = g_array_new (FALSE, FALSE, sizeof (Kind)) };
  guint n;

  gilk_run_assert_own (run);
  run->costs = g_array_new (FALSE, TRUE, sizeof (GilkRunCost));
  choose_kinds (&grounds);
  n = grounds.kinds->len;
  if (n > 0 && gilk_target_driver_info (run->target, &run->armed.info, cancellable, NULL) &&
      run->armed.info.tsc_khz != 0)
    {
      grounds.slots = g_new0 (struct ilk_reserve_patch, n + 1);
      grounds.cells = g_new0 (struct ilk_reserve_hook, n);
      grounds.patches = g_new0 (struct ilk_prepare_patch, n + 1);
      grounds.hooks = g_new0 (struct ilk_prepare_hook, n);
      grounds.blob = g_byte_array_new ();
      if (prepare (&grounds, cancellable))
        measure (&grounds, cancellable);
      give_back (&grounds);
      g_free (grounds.slots);
      g_free (grounds.cells);
      g_free (grounds.patches);
      g_free (grounds.hooks);
      g_byte_array_unref (grounds.blob);
    }
  g_array_unref (grounds.kinds);
}

gboolean
gilk_run_store_costs (GilkRun  *run,
                      gint64    id,
                      GError  **error)
{
  for (guint i = 0; i < run->costs->len; i++)
    {
      const GilkRunCost *cost = &g_array_index (run->costs, GilkRunCost, i);
      const GilkStoreCost row = {
        .instrument = cost->hook->hook->instrument, .tactic = gilk_tactic_name (cost->hook->choice.tactic),
        .instructions = cost->hook->choice.cost, .ns = cost->ns.value, .low_ns = cost->ns.low,
        .high_ns = cost->ns.high, .least_ns = cost->least_ns,
      };

      if (!gilk_store_add_cost (run->store, id, &row, error))
        return FALSE;
    }

  return TRUE;
}
