/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * position-measure.c - measures the duration of calls with old and new layout, in alternating
 * intervals of time
 *
 * Both sides are clones with the same two programs, so that they differ only in layout. The
 * duration of calls that sleep is mostly sleep; therefore the mean of the faster nine tenths is
 * compared.
 */
#include "cli/position-measure.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "cli/bound.h"
#include "core/analysis/gilk-kept-sums.h"
#include "core/analysis/gilk-perturbation.h"

#define BEGIN_CODE "common table begin[4096]; begin[frame] = now"
#define END_CODE   "common table begin[4096]; common histogram took(4); let t = take(begin, frame); " \
                   "if (t) took(ns(now - t))"
#define TOOK       "took"
#define CALLS_LEAST 50          /* minimum in an interval */
#define SHARE      0.9
#define SEED       2002
#define LEVEL      0.95

/* ---- the plan ---- */

static gboolean
leaves_halfway (const GilkBlock *block)
{
  return block->flags & GILK_BLOCK_LEAVES || (block->ending == GILK_END_JCC && block->n_out < 2);
}

static gboolean
is_exit (const GilkBlock *block)
{
  return block->ending == GILK_END_RETURN || block->ending == GILK_END_TAIL_CALL || block->ending == GILK_END_INDIRECT;
}

static void
add_hook (GilkPlan *plan, const CliPositioned *positioned, guint index, GilkWhere where, const char *program)
{
  const GilkCfg *cfg = positioned->cfg;
  g_autofree char *block = gilk_cfg_offset_name (cfg, cfg->blocks[index].start);
  g_autofree char *label = gilk_plan_make_label (plan, positioned->function->name, block, where);
  GilkPlanHook *hook = gilk_plan_hook_new (label, positioned->name, where, program);

  hook->is_program = TRUE;
  hook->block = g_steal_pointer (&block);
  hook->tactic = ILK_TACTIC_CLONE;
  gilk_cfg_fingerprint (cfg, index, hook->fingerprint);
  g_ptr_array_add (plan->hooks, hook);
}

/* NULL: calls cannot be timed. */
static GilkPlan *
plan_of (const CliPositioned *positioned, gboolean after)
{
  const GilkCfg *cfg = positioned->cfg;
  g_autofree gboolean *reached = gilk_cfg_reached (cfg);
  g_autoptr(GilkPlan) plan = gilk_plan_new ();
  const char *begin = gilk_plan_add_program (plan, "begin", BEGIN_CODE);
  const char *end = gilk_plan_add_program (plan, "end", END_CODE);

  plan->title = g_strdup (after ? _("measured: new layout") : _("measured: original layout"));
  for (guint i = 0; i < cfg->n_blocks; i++)
    if (reached[i] && leaves_halfway (&cfg->blocks[i]))
      return NULL;
  add_hook (plan, positioned, cfg->entry, GILK_WHERE_PRE, begin);
  for (guint i = 0; i < cfg->n_blocks; i++)
    if (reached[i] && is_exit (&cfg->blocks[i]))
      add_hook (plan, positioned, i, GILK_WHERE_POST, end);

  return g_steal_pointer (&plan);
}

/* ---- results of an interval ---- */

/* Returns the mean of the fastest @share of values, each taken as the middle of its bucket. */
static double
mean_of (const GilkKeptBuckets *buckets, double share)
{
  double left = share * (double) buckets->total, sum = 0, n = 0;

  for (guint i = 0; i < buckets->n && left > 0; i++)
    {
      double here = MIN (left, (double) buckets->counts[i]);

      sum += here * (gilk_kept_edge (buckets, i) + gilk_kept_edge (buckets, i + 1)) / 2;
      n += here;
      left -= here;
    }

  return n > 0 ? sum / n : 0;
}

/* FALSE without an error: there were too few calls. */
static gboolean
read_block (const CliPositions *positions, gint64 run, double *ns, uint64_t *calls, GError **error)
{
  g_autoptr(GArray) hooks = gilk_store_hooks (positions->store, run, error);

  for (guint i = 0; hooks != NULL && i < hooks->len; i++)
    {
      g_autoptr(GArray) kept = gilk_store_kept (positions->store, &g_array_index (hooks, GilkStoredHook, i), error);

      if (kept == NULL)
        return FALSE;
      for (guint k = 0; k < kept->len; k++)
        {
          const GilkStoredKept *one = &g_array_index (kept, GilkStoredKept, k);
          g_autoptr(GilkKeptBuckets) buckets = NULL;

          if (one->kind != GILK_KEPT_HISTOGRAM || strcmp (one->name, TOOK) != 0)
            continue;
          buckets = gilk_kept_buckets (one, one->bits);
          if (buckets->total < CALLS_LEAST)
            continue;
          *ns = mean_of (buckets, SHARE);
          *calls += buckets->total;
          return TRUE;
        }
    }

  return FALSE;
}

/* ---- intervals ---- */

typedef struct {
  double  *of[2];               /* means [old, new layout][pair] */
  guint    n[2];
  uint64_t calls;
} Seen;

static gboolean
run_block (CliPositions *positions, gboolean after, uint64_t block_ns, Seen *seen, GError **error)
{
  g_autoptr(GilkPlan) plan = plan_of (cli_positioned_at (positions, 0), after);
  g_autoptr(GilkBoundPlan) bound = cli_bind (positions->cli, positions->kernel, plan, error);
  double ns = 0;
  gint64 run = 0;
  g_autoptr(GError) local = NULL;

  if (bound == NULL || !gilk_bound_plan_check (bound, error) ||
      (after && !cli_positions_bind_in (positions, bound, error)) ||
      !cli_positions_run (positions, g_steal_pointer (&bound), block_ns,
                          after ? _("measuring the new layout") : _("measuring the original layout"), NULL, &run, error) ||
      g_cancellable_set_error_if_cancelled (positions->cli->cancellable, error))
    return FALSE;
  if (read_block (positions, run, &ns, &seen->calls, &local))
    seen->of[after][seen->n[after]++] = ns;
  else if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }

  return TRUE;
}

static double
mean (const double *values, guint n)
{
  double sum = 0;

  for (guint i = 0; i < n; i++)
    sum += values[i];

  return n > 0 ? sum / n : 0;
}

static void
take_times (CliPositions *positions, const Seen *seen, guint pairs)
{
  CliPositionTimes *times = &positions->times;
  GilkPerturbation found;
  g_autoptr(GError) error = NULL;

  times->calls = seen->calls;
  times->pairs = MIN (seen->n[0], seen->n[1]);
  times->before_ns = mean (seen->of[0], seen->n[0]);
  times->after_ns = mean (seen->of[1], seen->n[1]);
  if (times->pairs < pairs)
    times->why_not = g_strdup_printf (_("Some intervals had fewer than %u calls. Use longer intervals with --block, or "
                                        "put more load on the machine."), CALLS_LEAST);
  else if (!gilk_perturbation_of (seen->of[1], seen->of[0], times->pairs, LEVEL, &found, &error))
    times->why_not = g_strdup (error->message);
  else
    {
      times->known = TRUE;
      times->difference = found.difference / found.off;
      times->low = found.low / found.off;
      times->high = found.high / found.off;
    }
}

gboolean
cli_position_measure (CliPositions *positions, guint pairs, uint64_t block_ns, GError **error)
{
  const GilkPlanAb ab = { block_ns, SEED };
  g_autofree uint8_t *after = gilk_ab_blocks (&ab, 2 * pairs);
  g_autofree double *before_ns = g_new0 (double, 2 * pairs + 1);
  g_autofree double *after_ns = g_new0 (double, 2 * pairs + 1);
  g_autoptr(GilkPlan) plan = plan_of (cli_positioned_at (positions, 0), FALSE);
  Seen seen = { { before_ns, after_ns }, { 0 }, 0 };

  if (plan == NULL)
    {
      positions->times.why_not = g_strdup_printf ("%s %s", gilk_refusal_cause (GILK_REFUSAL_LEAVES_HALFWAY),
                                                  gilk_refusal_remedy (GILK_REFUSAL_LEAVES_HALFWAY));
      return TRUE;
    }
  for (guint i = 0; i < 2 * pairs; i++)
    if (!run_block (positions, after[i], block_ns, &seen, error))
      return FALSE;
  take_times (positions, &seen, pairs);

  return TRUE;
}
