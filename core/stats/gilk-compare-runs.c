/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-compare-runs.c - compares two sets of runs
 */
#include "core/stats/gilk-compare-runs.h"

#include <math.h>

#include "core/stats/gilk-perturbation.h"

#define ASSIGNMENTS_MAX 200000       /* if there are more assignments, DRAWS random ones are
                                      * evaluated instead of all */
#define DRAWS    99999
#define SEED     2002

double
gilk_run_delta (const GilkRunDigest *a,
                const GilkRunDigest *b)
{
  guint less = 0, up_to = 0;
  double sum = 0.0;

  for (guint j = 0; j < GILK_RUN_GRID; j++)
    {
      while (less < GILK_RUN_GRID && a->grid[less] < b->grid[j])
        less++;
      for (up_to = MAX (up_to, less); up_to < GILK_RUN_GRID && a->grid[up_to] <= b->grid[j];)
        up_to++;
      sum += (double) less - (double) (GILK_RUN_GRID - up_to);
    }

  return sum / GILK_RUN_GRID / GILK_RUN_GRID;
}

/* ---- intervals ---- */

typedef struct {
  double mean, squares;       /* @squares: sum of squared deviations from the mean */
} Side;

static Side
summarize_side (const double *values, guint n)
{
  Side side = { 0 };

  for (guint i = 0; i < n; i++)
    side.mean += values[i] / n;
  for (guint i = 0; i < n; i++)
    side.squares += (values[i] - side.mean) * (values[i] - side.mean);

  return side;
}

GilkInterval
gilk_runs_interval (const double *a,
                    guint         n_a,
                    const double *b,
                    guint         n_b,
                    double        level)
{
  const Side of_a = summarize_side (a, n_a), of_b = summarize_side (b, n_b);
  GilkInterval interval = { of_b.mean - of_a.mean, NAN, NAN };
  double variance, df, half;

  if (n_a + n_b < 3)
    return interval;
  if (n_a == 1 || n_b == 1)
    {
      df = n_a + n_b - 2.0;
      variance = (of_a.squares + of_b.squares) / df * (1.0 / n_a + 1.0 / n_b);
    }
  else
    {
      double v_a = of_a.squares / (n_a - 1.0) / n_a, v_b = of_b.squares / (n_b - 1.0) / n_b;

      variance = v_a + v_b;
      df = variance > 0.0 ? variance * variance / (v_a * v_a / (n_a - 1.0) + v_b * v_b / (n_b - 1.0)) : n_a + n_b - 2.0;
    }
  half = gilk_student_t (1.0 - level, df) * sqrt (variance);
  interval.low = interval.value - half;
  interval.high = interval.value + half;

  return interval;
}

/* ---- permutation test ---- */

typedef struct {
  guint     n, n_a;
  double   *delta;            /* [row][column]: Cliff's delta of the row's run over the column's
                               * run */
  gboolean *in_a;
} Assignment;

/* Returns the sum of the deltas over all pairs of a run of A and a run of B. */
static double
sum_assignment (const Assignment *assignment)
{
  double sum = 0.0;

  for (guint i = 0; i < assignment->n; i++)
    for (guint j = 0; assignment->in_a[i] && j < assignment->n; j++)
      if (!assignment->in_a[j])
        sum += assignment->delta[j * assignment->n + i];

  return sum;
}

static double
count_assignments (guint n, guint k)
{
  double n_assignments = 1.0;

  for (guint i = 1; i <= k; i++)
    n_assignments *= (double) (n - k + i) / i;

  return rint (n_assignments);
}

/* Moves on to the next set of the same size, in
 * colexicographic order. Returns FALSE after the last set. */
static gboolean
assignment_next (Assignment *assignment)
{
  guint ones = 0, i;

  for (i = 0; i + 1 < assignment->n && !(assignment->in_a[i] && !assignment->in_a[i + 1]); i++)
    ones += assignment->in_a[i];
  if (i + 1 >= assignment->n)
    return FALSE;
  assignment->in_a[i] = FALSE;
  assignment->in_a[i + 1] = TRUE;
  for (guint j = 0; j < i; j++)
    assignment->in_a[j] = j < ones;

  return TRUE;
}

static void
assignment_randomize (Assignment *assignment, GRand *rand)
{
  guint left = assignment->n_a;

  for (guint i = 0; i < assignment->n; i++)
    {
      assignment->in_a[i] = (guint) g_rand_int_range (rand, 0, (gint32) (assignment->n - i)) < left;
      left -= assignment->in_a[i];
    }
}

GilkRunsDelta
gilk_runs_delta (const GilkRunDigest *runs,
                 guint                n_a,
                 guint                n_b)
{
  guint n = n_a + n_b;
  g_autofree double *delta = g_new0 (double, n * n);
  g_autofree gboolean *in_a = g_new0 (gboolean, n);
  g_autoptr(GRand) rand = g_rand_new_with_seed (SEED);
  Assignment assignment = { n, n_a, delta, in_a };
  double n_assignments = count_assignments (n, n_a), found, least, as_great = 0.0;
  GilkRunsDelta result = { .exact = n_assignments <= ASSIGNMENTS_MAX };

  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < i; j++)
      {
        delta[i * n + j] = gilk_run_delta (&runs[j], &runs[i]);
        delta[j * n + i] = -delta[i * n + j];
      }
  for (guint i = 0; i < n_a; i++)
    in_a[i] = TRUE;
  found = sum_assignment (&assignment);
  least = fabs (found) - 1e-9;
  result.delta = found / n_a / n_b;
  if (result.exact)
    do
      as_great += fabs (sum_assignment (&assignment)) >= least;
    while (assignment_next (&assignment));
  for (guint i = 0; !result.exact && i < DRAWS; i++)
    {
      assignment_randomize (&assignment, rand);
      as_great += fabs (sum_assignment (&assignment)) >= least;
    }
  result.p = result.exact ? as_great / n_assignments : (as_great + 1.0) / (DRAWS + 1.0);
  /* If both sides have the same number of runs, exchanging the sides gives another assignment with
   * the same |delta|. */
  result.p_min = result.exact ? (n_a == n_b ? 2.0 : 1.0) / n_assignments : 1.0 / (DRAWS + 1.0);

  return result;
}
