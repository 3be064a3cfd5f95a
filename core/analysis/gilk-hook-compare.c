/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-compare.c - compares two hooks, or one hook in two sets of runs, and formats the
 * results as rows
 */
#include "core/analysis/gilk-hook-compare.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-format.h"
#include "core/base/gilk-memory.h"
#include "core/stats/gilk-bootstrap.h"
#include "core/stats/gilk-compare.h"
#include "core/stats/gilk-loss-rule.h"
#include "core/stats/gilk-perturbation.h"
#include "core/stats/gilk-ranks.h"

#define LEVEL           0.95
#define REPLICATES      2000
#define SEED            2002
#define INDEPENDENT_MIN 10.0

void
gilk_hook_compared_clear (GilkHookCompared *compared)
{
  if (compared->owner != NULL)
    compared->free_owner (g_steal_pointer (&compared->owner));
}

/* ---- computes the statistics of one run ---- */

typedef struct {
  const double       *at;
  guint               n_at;
  GilkSweepSummary       side;
  uint64_t            cut;
  GilkRankedQuantile *quantiles, *grid;
  GilkRunDigest       digest;
} Run;

static void
clear_run (Run *run)
{
  gilk_free_all (run->quantiles, run->grid, run->digest.quantiles, run->digest.grid);
}

static void
request_run_ranks (GilkRanks *ranks, const GilkSweepSummary *side, gpointer data)
{
  Run *run = data;

  run->side = *side;
  for (guint i = 0; side->n > 0 && i < run->n_at; i++)
    run->quantiles[i] = gilk_ranks_request_quantile (ranks, side->n, run->at[i]);
  for (guint i = 0; side->n > 0 && i < GILK_RUN_GRID; i++)
    run->grid[i] = gilk_ranks_request_quantile (ranks, side->n, (i + 0.5) / GILK_RUN_GRID);
}

/* Computes the statistics of one run. The caller must clear @run, also on failure. */
static gboolean
digest_run (const GilkHookSide *side, const double *at, guint n_at, Run *run, GError **error)
{
  g_autoptr(GilkRanks) ranks = gilk_ranks_new ();
  GilkSweepRanks look = { request_run_ranks, run, ranks, 0 };

  *run = (Run) {
    .at = at, .n_at = n_at, .quantiles = g_new0 (GilkRankedQuantile, n_at + 1), .grid = g_new0 (GilkRankedQuantile, GILK_RUN_GRID),
    .digest = { 0.0, g_new0 (double, n_at + 1), g_new0 (double, GILK_RUN_GRID) },
  };
  if (!gilk_hook_sweep (side, 1, gilk_sweep_ranks_viewer (), &look, &run->cut, error))
    return FALSE;
  run->digest.mean = run->side.mean;
  for (guint i = 0; run->side.n > 0 && i < n_at; i++)
    run->digest.quantiles[i] = gilk_ranks_quantile (ranks, &run->quantiles[i]);
  for (guint i = 0; run->side.n > 0 && i < GILK_RUN_GRID; i++)
    run->digest.grid[i] = gilk_ranks_quantile (ranks, &run->grid[i]);

  return TRUE;
}

static void
clear_runs (GArray *runs)
{
  for (guint i = 0; i < runs->len; i++)
    clear_run (&g_array_index (runs, Run, i));
  g_array_unref (runs);
}

/* ---- one run per side: confidence intervals that allow for autocorrelation ---- */

/* Returns the share of the numbers in @grid that are below @value, minus the share of those above
 * it. */
static double
get_grid_position (const double *grid, double value)
{
  guint less = GILK_BISECT ((guint) GILK_RUN_GRID, i, grid[i] < value);
  guint up_to = GILK_BISECT ((guint) GILK_RUN_GRID, i, grid[i] <= value);

  return ((double) less - (double) (GILK_RUN_GRID - up_to)) / GILK_RUN_GRID;
}

/* Adds @side's values, in order of time, to a new bootstrap. Each value is one number in each of
 * several tracks. In the track of a quantile, the number is 1 for a value up to the quantile, else
 * 0. In the last track, it is the value's position in the distribution of @other. */
static GilkBootstrap *
fill_tracks (const GilkHookSide *side, const Run *run, const Run *other, GError **error)
{
  g_autoptr(GilkBootstrap) bootstrap = gilk_bootstrap_new (run->n_at + 1);
  g_autofree double *tracks = g_new (double, run->n_at + 1);
  GilkHookAsk ask = side->ask;
  g_autoptr(GilkHookStream) stream = NULL;
  g_autoptr(GError) why = NULL;
  GilkHookBlock block;

  ask.in_order = TRUE;
  stream = gilk_hook_stream_new (side->store, side->hook, &ask, error);
  if (stream == NULL)
    return NULL;
  while (gilk_hook_stream_next (stream, &block, &why))
    for (guint i = 0; i < block.n; i++)
      {
        if (!isfinite (block.values[i]))
          continue;
        for (guint k = 0; k < run->n_at; k++)
          tracks[k] = block.values[i] <= run->digest.quantiles[k] ? 1.0 : 0.0;
        tracks[run->n_at] = get_grid_position (other->digest.grid, block.values[i]);
        gilk_bootstrap_add (bootstrap, tracks);
      }
  if (why == NULL)
    return g_steal_pointer (&bootstrap);
  g_propagate_error (error, g_steal_pointer (&why));

  return NULL;
}

/* Results that need a side's values in order of time, because they allow for autocorrelation. */
typedef struct {
  double   **shares;          /* for each quantile: positions of the resampled quantiles in the
                               * distribution, 0 to 1; NULL if there are too few values */
  GilkMeanSpread place;
  double     n_effective;
} Course;

static void
clear_course (Course *course, guint n_at)
{
  for (guint i = 0; course->shares != NULL && i < n_at; i++)
    g_free (course->shares[i]);
  g_free (course->shares);
}

static gboolean
find_course (const GilkHookSide *side, const Run *run, const Run *other, GRand *rand, Course *course, GError **error)
{
  g_autoptr(GilkBootstrap) bootstrap = fill_tracks (side, run, other, error);

  if (bootstrap == NULL)
    return FALSE;
  course->shares = g_new0 (double *, run->n_at + 1);
  course->place = gilk_bootstrap_spread (bootstrap, run->n_at);
  course->n_effective = course->place.n_effective;
  for (guint i = 0; i < run->n_at; i++)
    {
      course->n_effective = MIN (course->n_effective, gilk_bootstrap_spread (bootstrap, i).n_effective);
      course->shares[i] = g_new (double, REPLICATES);
      if (!gilk_bootstrap_shares (bootstrap, i, run->at[i], rand, course->shares[i], REPLICATES))
        g_clear_pointer (&course->shares[i], g_free);
    }

  return TRUE;
}

static void
find_delta_interval (const Course *courses, GilkInterval *delta)
{
  double v_a = courses[0].place.deviation * courses[0].place.deviation;
  double v_b = courses[1].place.deviation * courses[1].place.deviation, df, half;

  delta->low = delta->high = NAN;
  if (MIN (courses[0].n_effective, courses[1].n_effective) < INDEPENDENT_MIN || v_a + v_b == 0.0)
    return;
  df = (v_a + v_b) * (v_a + v_b) / (v_a * v_a / courses[0].place.df + v_b * v_b / courses[1].place.df);
  half = gilk_student_t (1.0 - LEVEL, df) * sqrt (v_a + v_b);
  delta->low = MAX (delta->value - half, -1.0);
  delta->high = MIN (delta->value + half, 1.0);
}

static void
step_comparison (double value, const uint64_t *n, gpointer data)
{
  gilk_comparison_step (data, value, n);
}

static gboolean
compare_courses (const GilkHookSide *sides, const Run *runs, Course *courses, GilkHookCompared *compared, GError **error)
{
  static const GilkSweepViewer viewer = { NULL, NULL, step_comparison, NULL };
  g_autoptr(GRand) rand = g_rand_new_with_seed (SEED);
  GilkComparison *comparison;

  for (guint i = 0; i < 2; i++)
    if (!find_course (&sides[i], &runs[i], &runs[1 - i], rand, &courses[i], error))
      return FALSE;
  comparison = gilk_comparison_new (compared->n, runs[0].at, runs[0].n_at, LEVEL, REPLICATES,
                                    (double *const *[]) { courses[0].shares, courses[1].shares });
  compared->owner = comparison;
  compared->free_owner = (GDestroyNotify) gilk_comparison_free;
  if (!gilk_hook_sweep (sides, 2, &viewer, comparison, NULL, error))
    return FALSE;
  compared->found = gilk_comparison_end (comparison);
  compared->delta.value = compared->found.delta;
  find_delta_interval (courses, &compared->delta);
  for (guint i = 0; i < 2; i++)
    compared->n_effective[i] = courses[i].n_effective;

  return TRUE;
}

static gboolean
compare_two_runs (const GilkHookSide *sides, const Run *runs, GilkHookCompared *compared, GError **error)
{
  Course courses[2] = { 0 };
  gboolean good = compare_courses (sides, runs, courses, compared, error);

  for (guint i = 0; i < 2; i++)
    clear_course (&courses[i], runs[0].n_at);

  return good;
}

/* ---- several runs per side: each run is an observation ---- */

GILK_DEFINE_CLEAR (free_found, GilkCompared, found,
                   gilk_free_all (found->a, found->b, found->differences, found))

static void
compare_runs (const Run *runs, GilkHookCompared *compared)
{
  guint n_a = compared->runs[0], n_b = compared->runs[1], n = n_a + n_b, n_at = runs[0].n_at;
  g_autofree GilkRunDigest *digests = g_new (GilkRunDigest, n);
  g_autofree double *values = g_new (double, n);
  GilkCompared *found = g_new0 (GilkCompared, 1);
  GilkRunsDelta delta;

  for (guint i = 0; i < n; i++)
    digests[i] = runs[i].digest;
  delta = gilk_runs_delta (digests, n_a, n_b);
  found->ks = (GilkKs) { NAN, NAN };
  found->delta = delta.delta;
  found->a = g_new0 (double, n_at + 1);
  found->b = g_new0 (double, n_at + 1);
  found->differences = g_new0 (GilkInterval, n_at + 1);
  for (guint k = 0; k < n_at; k++)
    {
      for (guint i = 0; i < n; i++)
        {
          values[i] = digests[i].quantiles[k];
          *(i < n_a ? &found->a[k] : &found->b[k]) += values[i] / (i < n_a ? n_a : n_b);
        }
      found->differences[k] = gilk_runs_interval (values, n_a, values + n_a, n_b, LEVEL);
    }
  compared->found = *found;
  compared->owner = found;
  compared->free_owner = free_found;
  /* Give no p-value (NaN) if lost samples alone could explain the effect. */
  compared->p = compared->loss > 0.0 && compared->loss >= fabs (delta.delta) ? NAN : delta.p;
  compared->p_min = delta.p_min;
  compared->delta.value = delta.delta;
}

/* ---- compares two sides, with one run or several runs each ---- */

static gboolean
digest_sides (const GilkHookRuns *sides, const double *at, guint n_at, GArray *runs, GilkHookCompared *compared, gboolean *all,
              GError **error)
{
  *all = TRUE;
  for (guint side = 0; side < 2; side++)
    {
      compared->runs[side] = sides[side].n;
      compared->mean[side] = 0.0;
      for (guint i = 0; i < sides[side].n; i++)
        {
          Run run;
          gboolean good = digest_run (&sides[side].list[i], at, n_at, &run, error);

          g_array_append_val (runs, run);
          if (!good)
            return FALSE;
          compared->n[side] += run.side.n;
          compared->cut[side] += run.cut;
          compared->lost[side] += sides[side].list[i].hook->lost;
          compared->mean[side] += run.side.mean / sides[side].n;
          *all = *all && run.side.n > 0;
        }
      compared->loss += gilk_loss_share (compared->n[side], compared->lost[side]);
    }

  return TRUE;
}

gboolean
gilk_hook_compare (const GilkHookRuns sides[2],
                   const double      *at,
                   guint              n_at,
                   GilkHookCompared  *compared,
                   GError           **error)
{
  g_auto(GilkHookCompared) own = {
    .n_effective = { NAN, NAN }, .delta = { NAN, NAN, NAN }, .p = NAN, .p_min = NAN,
  };
  GArray *runs = g_array_new (FALSE, FALSE, sizeof (Run));
  gboolean all = FALSE, good = digest_sides (sides, at, n_at, runs, &own, &all, error);

  if (good && all && runs->len == 2)
    good = compare_two_runs ((const GilkHookSide[]) { sides[0].list[0], sides[1].list[0] },
                             (const Run *) (gpointer) runs->data, &own, error);
  else if (good && all)
    compare_runs ((const Run *) (gpointer) runs->data, &own);
  clear_runs (runs);
  if (!good)
    return FALSE;
  *compared = own;
  own.owner = NULL;

  return TRUE;
}

const char *
gilk_delta_magnitude (double delta)
{
  delta = fabs (delta);

  return delta < 0.147 ? N_("negligible") : delta < 0.33 ? N_("small") : delta < 0.474 ? N_("medium") : N_("large");
}

/* ---- formats the results of a comparison as rows ---- */

GILK_DEFINE_CLEAR (free_row, GilkComparedRow, row,
                   gilk_free_all (row->name, row->a_text, row->b_text, row->difference_text,
                                  row->low, row->high, row->share, row->explanation, row))

char *
gilk_format_change (double of,
                    double difference,
                    double half)
{
  double share = 100.0 * difference / fabs (of);

  if (!isfinite (share))
    return g_strdup ("");
  if (isnan (half))
    return g_strdup_printf ("%s%.1f %%", share < 0 ? "−" : "+", fabs (share));

  return g_strdup_printf ("%s%.1f %% ±%.1f", share < 0 ? "−" : "+", fabs (share), 100.0 * half / fabs (of));
}

/* Makes the row of a quantile or of the mean. @bounded: a confidence interval was computed; its
 * bounds are NaN if the values do not support an interval */
static GilkComparedRow *
make_row (char *name, double a, double b, const GilkInterval *difference, const char *unit, int digits, gboolean bounded)
{
  gboolean known = bounded && !isnan (difference->low);
  GilkComparedRow *row = g_new0 (GilkComparedRow, 1);

  row->name = name;
  row->a = a;
  row->b = b;
  row->difference = *difference;
  row->a_text = gilk_format_si (a, unit, digits);
  row->b_text = gilk_format_si (b, unit, digits);
  row->difference_text = gilk_format_signed (difference->value, unit, digits);
  row->low = known ? gilk_format_signed (difference->low, unit, digits) : g_strdup (bounded ? "-" : "");
  row->high = known ? gilk_format_signed (difference->high, unit, digits) : g_strdup (bounded ? "-" : "");
  row->share = gilk_format_change (a, difference->value, known ? 0.5 * (difference->high - difference->low) : NAN);

  return row;
}

/* Returns the sentence that states the interval of @row. @runs: number of runs on both sides
 * together. (transfer full) */
static char *
explain_interval (const GilkComparedRow *row, guint runs)
{
  if (isnan (row->difference.low))
    return g_strdup (_("Too few independent values for a confidence interval"));

  return g_strdup_printf (runs > 2 ? _("95 %% confidence interval: %s to %s")
                                   : _("95 %% confidence interval within these two runs: %s to %s"), row->low, row->high);
}

GPtrArray *
gilk_compared_rows (const GilkHookCompared *found,
                    const double           *at,
                    guint                   n_at,
                    const char             *unit,
                    int                     digits)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (free_row);
  const GilkInterval of_means = { .value = found->mean[1] - found->mean[0], .low = NAN, .high = NAN };

  for (guint i = 0; i < n_at; i++)
    {
      char *name = at[i] == 0.5 ? g_strdup (_("Median")) : g_strdup_printf ("p%.4g", 100.0 * at[i]);
      GilkComparedRow *row = make_row (name, found->found.a[i], found->found.b[i], &found->found.differences[i], unit, digits,
                                       TRUE);

      row->explanation = explain_interval (row, found->runs[0] + found->runs[1]);
      g_ptr_array_add (rows, row);
    }
  g_ptr_array_add (rows, make_row (g_strdup (_("Mean")), found->mean[0], found->mean[1], &of_means, unit, digits, FALSE));

  return rows;
}
