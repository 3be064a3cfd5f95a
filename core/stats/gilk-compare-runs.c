/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-compare-runs.c - comparison of two sets of runs
 */
#include "core/stats/gilk-compare-runs.h"

#include <math.h>

#include "core/stats/gilk-perturbation.h"

#define WAYS_MAX 200000       /* assignments up to which all are evaluated; else DRAWS at random */
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
  double mean, squares;       /* squares: sum of squared deviations from the mean */
} Side;

static Side
side_of (const double *values, guint n)
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
  const Side of_a = side_of (a, n_a), of_b = side_of (b, n_b);
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
  double   *delta;            /* n * n: delta of the row's run over the column's */
  gboolean *in_a;
} Deal;

/* Returns the sum of delta of B over A, over all pairs. */
static double
sum_deal (const Deal *deal)
{
  double sum = 0.0;

  for (guint i = 0; i < deal->n; i++)
    for (guint j = 0; deal->in_a[i] && j < deal->n; j++)
      if (!deal->in_a[j])
        sum += deal->delta[j * deal->n + i];

  return sum;
}

static double
count_ways (guint n, guint k)
{
  double ways = 1.0;

  for (guint i = 1; i <= k; i++)
    ways *= (double) (n - k + i) / i;

  return rint (ways);
}

/* Moves on to the next set of the same size, in
 * colexicographic order. Returns FALSE after the last. */
static gboolean
deal_next (Deal *deal)
{
  guint ones = 0, i;

  for (i = 0; i + 1 < deal->n && !(deal->in_a[i] && !deal->in_a[i + 1]); i++)
    ones += deal->in_a[i];
  if (i + 1 >= deal->n)
    return FALSE;
  deal->in_a[i] = FALSE;
  deal->in_a[i + 1] = TRUE;
  for (guint j = 0; j < i; j++)
    deal->in_a[j] = j < ones;

  return TRUE;
}

static void
deal_at_random (Deal *deal, GRand *rand)
{
  guint left = deal->n_a;

  for (guint i = 0; i < deal->n; i++)
    {
      deal->in_a[i] = (guint) g_rand_int_range (rand, 0, (gint32) (deal->n - i)) < left;
      left -= deal->in_a[i];
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
  Deal deal = { n, n_a, delta, in_a };
  double ways = count_ways (n, n_a), found, least, as_great = 0.0;
  GilkRunsDelta result = { .counted = ways <= WAYS_MAX };

  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < i; j++)
      {
        delta[i * n + j] = gilk_run_delta (&runs[j], &runs[i]);
        delta[j * n + i] = -delta[i * n + j];
      }
  for (guint i = 0; i < n_a; i++)
    in_a[i] = TRUE;
  found = sum_deal (&deal);
  least = fabs (found) - 1e-9;
  result.delta = found / n_a / n_b;
  if (result.counted)
    do
      as_great += fabs (sum_deal (&deal)) >= least;
    while (deal_next (&deal));
  for (guint i = 0; !result.counted && i < DRAWS; i++)
    {
      deal_at_random (&deal, rand);
      as_great += fabs (sum_deal (&deal)) >= least;
    }
  result.p = result.counted ? as_great / ways : (as_great + 1.0) / (DRAWS + 1.0);
  /* The mirror image of an assignment has a delta as great if both sides have equally many runs. */
  result.p_least = result.counted ? (n_a == n_b ? 2.0 : 1.0) / ways : 1.0 / (DRAWS + 1.0);

  return result;
}
