/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layout-measure.c - measures the duration of calls with old and new layout, in alternating
 * intervals of time
 *
 * Both layouts run in clones (copies of the function) with the same two probe programs, so that
 * only the layout differs. Calls that sleep spend most of their duration asleep. Therefore only the
 * fastest nine tenths of the calls are compared, by their mean duration.
 */
#include "cli/record/layout.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

#include "cli/base/bound.h"
#include "core/analysis/gilk-map-sums.h"
#include "core/stats/gilk-perturbation.h"

#define START_CODE "common table begin[4096]; begin[frame] = now"
#define END_CODE   "common table begin[4096]; common histogram took(4); let t = take(begin, frame); " \
                   "if (t) took(ns(now - t))"
#define TOOK       "took"
#define CALLS_MIN 50          /* minimum number of calls in an interval */
#define SHARE      0.9
#define SEED       2002
#define LEVEL      0.95

/* ---- making a plan that times calls ---- */

static gboolean
may_leave_early (const GilkBlock *block)
{
  return block->flags & GILK_BLOCK_LEAVES || (block->ending == GILK_END_JCC && block->n_out < 2);
}

static gboolean
is_exit (const GilkBlock *block)
{
  return block->ending == GILK_END_RETURN || block->ending == GILK_END_TAIL_CALL || block->ending == GILK_END_INDIRECT;
}

static void
add_hook (GilkPlan *plan, const CliLayoutFunction *func, guint index, GilkWhere where, const char *program)
{
  const GilkCfg *cfg = func->cfg;
  g_autofree char *block = gilk_cfg_offset_name (cfg, cfg->blocks[index].start);
  g_autofree char *label = gilk_plan_make_label (plan, func->function->name, block, where);
  GilkPlanHook *hook = gilk_plan_hook_new (label, func->name, where, program);

  hook->is_program = TRUE;
  hook->block = g_steal_pointer (&block);
  hook->tactic = ILK_TACTIC_CLONE;
  gilk_cfg_fingerprint (cfg, index, hook->fingerprint);
  g_ptr_array_add (plan->hooks, hook);
}

/* Returns a plan that times the function's calls; NULL if they cannot be timed, because calls may
 * leave the function without reaching an exit block. */
static GilkPlan *
make_timing_plan (const CliLayoutFunction *func, gboolean after)
{
  const GilkCfg *cfg = func->cfg;
  g_autofree gboolean *reached = gilk_cfg_reached (cfg);
  g_autoptr(GilkPlan) plan = gilk_plan_new ();
  const char *begin = gilk_plan_add_program (plan, "begin", START_CODE);
  const char *end = gilk_plan_add_program (plan, "end", END_CODE);

  plan->title = g_strdup (after ? _("measured: new layout") : _("measured: original layout"));
  for (guint i = 0; i < cfg->n_blocks; i++)
    if (reached[i] && may_leave_early (&cfg->blocks[i]))
      return NULL;
  add_hook (plan, func, cfg->entry, GILK_WHERE_PRE, begin);
  for (guint i = 0; i < cfg->n_blocks; i++)
    if (reached[i] && is_exit (&cfg->blocks[i]))
      add_hook (plan, func, i, GILK_WHERE_POST, end);

  return g_steal_pointer (&plan);
}

/* ---- results of an interval ---- */

/* Returns the mean of the smallest values of a histogram, @share of all values. Each value counts
 * as the middle of its bucket. */
static double
get_trimmed_mean (const GilkMapBuckets *buckets, double share)
{
  double left = share * (double) buckets->total, sum = 0, n = 0;

  for (guint i = 0; i < buckets->n && left > 0; i++)
    {
      double here = MIN (left, (double) buckets->counts[i]);

      sum += here * (gilk_map_edge (buckets, i) + gilk_map_edge (buckets, i + 1)) / 2;
      n += here;
      left -= here;
    }

  return n > 0 ? sum / n : 0;
}

/* Reads the results of an interval. Returns FALSE without an error if there were too few calls. */
static gboolean
read_interval (const CliLayout *layout, gint64 run, double *ns, uint64_t *calls, GError **error)
{
  g_autoptr(GArray) hooks = gilk_store_hooks (layout->store, run, error);

  for (guint i = 0; hooks != NULL && i < hooks->len; i++)
    {
      g_autoptr(GArray) maps = gilk_store_maps (layout->store, &g_array_index (hooks, GilkStoredHook, i), error);

      if (maps == NULL)
        return FALSE;
      for (guint k = 0; k < maps->len; k++)
        {
          const GilkStoredMap *one = &g_array_index (maps, GilkStoredMap, k);
          g_autoptr(GilkMapBuckets) buckets = NULL;

          if (one->kind != GILK_MAP_HISTOGRAM || strcmp (one->name, TOOK) != 0)
            continue;
          buckets = gilk_map_buckets (one, one->bits);
          if (buckets->total < CALLS_MIN)
            continue;
          *ns = get_trimmed_mean (buckets, SHARE);
          *calls += buckets->total;
          return TRUE;
        }
    }

  return FALSE;
}

/* ---- running and comparing the intervals ---- */

typedef struct {
  double  *of[2];               /* for each pair of intervals, the mean duration of calls: of[0]
                                 * with the old layout, of[1] with the new layout */
  guint    n[2];
  uint64_t calls;
} Measured;

static gboolean
run_interval (CliLayout *layout, gboolean after, uint64_t interval_ns, Measured *measured, GError **error)
{
  g_autoptr(GilkPlan) plan = make_timing_plan (cli_layout_function (layout, 0), after);
  g_autoptr(GilkBoundPlan) bound = cli_bind (layout->cli, layout->kernel, plan, error);
  double ns = 0;
  gint64 run = 0;
  g_autoptr(GError) local = NULL;

  if (bound == NULL || !gilk_bound_plan_check (bound, error) ||
      (after && !cli_layout_bind_into (layout, bound, error)) ||
      !cli_layout_run (layout, g_steal_pointer (&bound), interval_ns,
                       after ? _("measuring the new layout") : _("measuring the original layout"), NULL, &run, error) ||
      g_cancellable_set_error_if_cancelled (layout->cli->cancellable, error))
    return FALSE;
  if (read_interval (layout, run, &ns, &measured->calls, &local))
    measured->of[after][measured->n[after]++] = ns;
  else if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }

  return TRUE;
}

static double
get_mean (const double *values, guint n)
{
  double sum = 0;

  for (guint i = 0; i < n; i++)
    sum += values[i];

  return n > 0 ? sum / n : 0;
}

static void
compute_times (CliLayout *layout, const Measured *measured, guint pairs)
{
  CliLayoutTimes *times = &layout->times;
  GilkPerturbation found;
  g_autoptr(GError) error = NULL;

  times->calls = measured->calls;
  times->pairs = MIN (measured->n[0], measured->n[1]);
  times->before_ns = get_mean (measured->of[0], measured->n[0]);
  times->after_ns = get_mean (measured->of[1], measured->n[1]);
  if (times->pairs < pairs)
    times->why_not = g_strdup_printf (_("Some intervals had fewer than %u calls. Use longer intervals with --interval, or "
                                        "put more load on the machine."), CALLS_MIN);
  else if (!gilk_perturbation_of (measured->of[1], measured->of[0], times->pairs, LEVEL, &found, &error))
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
cli_layout_measure (CliLayout *layout, guint pairs, uint64_t interval_ns, GError **error)
{
  const GilkPlanInterleave interleave = { interval_ns, SEED };
  g_autofree uint8_t *after = gilk_interleave_intervals (&interleave, 2 * pairs);
  g_autofree double *before_ns = g_new0 (double, 2 * pairs + 1);
  g_autofree double *after_ns = g_new0 (double, 2 * pairs + 1);
  g_autoptr(GilkPlan) plan = make_timing_plan (cli_layout_function (layout, 0), FALSE);
  Measured measured = { { before_ns, after_ns }, { 0 }, 0 };

  if (plan == NULL)
    {
      layout->times.why_not = g_strdup_printf ("%s %s", gilk_refusal_cause (GILK_REFUSAL_LEAVES_EARLY),
                                               gilk_refusal_remedy (GILK_REFUSAL_LEAVES_EARLY));
      return TRUE;
    }
  for (guint i = 0; i < 2 * pairs; i++)
    if (!run_interval (layout, after[i], interval_ns, &measured, error))
      return FALSE;
  compute_times (layout, &measured, pairs);

  return TRUE;
}
