/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-compare.c - compares two samples, or two sets of runs
 */
#include "core/stats/gilk-compare.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-memory.h"
#include "core/stats/gilk-perturbation.h"
#include "core/stats/gilk-ranks.h"

#define EXACT_MAX 2000        /* maximum number of values per side for which the p-value is exact */

double
gilk_quantile (const double *sorted,
               gsize         n,
               double        p)
{
  double position = p * (double) (n - 1);
  gsize rank = (gsize) position;

  if (rank + 1 >= n)
    return sorted[n - 1];

  return sorted[rank] + (position - (double) rank) * (sorted[rank + 1] - sorted[rank]);
}

/* ---- Kolmogorov-Smirnov test ---- */

/* Returns 1 - K (z), where K is Kolmogorov's distribution function. Uses whichever of its two
 * series converges fast at this @z. */
static double
compute_kolmogorov_tail (double z)
{
  double sum = 0.0;

  if (z < 0.2)
    return 1.0;
  if (z < 1.0)
    {
      for (int k = 1; k <= 20; k++)
        sum += exp (-(2 * k - 1) * (2 * k - 1) * G_PI * G_PI / (8.0 * z * z));
      return CLAMP (1.0 - sqrt (2.0 * G_PI) / z * sum, 0.0, 1.0);
    }
  for (int k = 1; k <= 100; k++)
    sum += (k % 2 != 0 ? 2.0 : -2.0) * exp (-2.0 * k * k * z * z);

  return CLAMP (sum, 0.0, 1.0);
}

/*
 * Returns the probability that two samples of one continuous distribution have a Kolmogorov-Smirnov
 * distance of at least @d. Counts the orders of the values in which the distance stays below @d
 * (Hodges, 1957).
 * @n_b: at most EXACT_MAX
 */
static double
compute_exact_tail (uint64_t n_a, uint64_t n_b, double d)
{
  g_autofree double *inside = g_new (double, n_b + 1);
  double bound = d - 0.5 / (double) (n_a * n_b);          /* half a step below @d, so that it is
                                                           * between two possible distances */

  for (uint64_t i = 0; i <= n_a; i++)
    for (uint64_t j = 0; j <= n_b; j++)
      {
        double apart = fabs ((double) i / (double) n_a - (double) j / (double) n_b);
        double of_a = i > 0 ? inside[j] * (double) i / (double) (i + j) : 0.0;
        double of_b = j > 0 ? inside[j - 1] * (double) j / (double) (i + j) : 0.0;

        inside[j] = apart >= bound ? 0.0 : i + j == 0 ? 1.0 : of_a + of_b;
      }

  return CLAMP (1.0 - inside[n_b], 0.0, 1.0);
}

/* Kolmogorov-Smirnov distance of two distribution functions, updated value by value. */
typedef struct {
  uint64_t n[2], below[2];
  double   d;
} Distance;

static void
distance_step (Distance *distance, uint64_t n_a, uint64_t n_b)
{
  distance->below[0] += n_a;
  distance->below[1] += n_b;
  distance->d = MAX (distance->d, fabs ((double) distance->below[0] / (double) distance->n[0] -
                                        (double) distance->below[1] / (double) distance->n[1]));
}

static GilkKs
distance_end (const Distance *distance)
{
  double n_a = (double) distance->n[0], n_b = (double) distance->n[1];

  if (distance->d == 0.0)
    return (GilkKs) { 0.0, 1.0 };
  if (MAX (distance->n[0], distance->n[1]) <= EXACT_MAX)
    return (GilkKs) { distance->d, compute_exact_tail (distance->n[0], distance->n[1], distance->d) };
  return (GilkKs) { distance->d, compute_kolmogorov_tail (distance->d * sqrt (n_a * n_b / (n_a + n_b))) };
}

GilkKs
gilk_ks (const double *a,
         gsize         n_a,
         const double *b,
         gsize         n_b)
{
  Distance distance = { .n = { n_a, n_b } };
  gsize i = 0, j = 0;

  while (i < n_a && j < n_b)
    {
      double x = MIN (a[i], b[j]);
      gsize from_i = i, from_j = j;

      while (i < n_a && a[i] <= x)
        i++;
      while (j < n_b && b[j] <= x)
        j++;
      distance_step (&distance, i - from_i, j - from_j);
    }

  return distance_end (&distance);
}

/* ---- compares two samples ---- */

struct _GilkComparison {
  Distance            distance;
  GilkRanks          *ranks[2];
  double              level;
  guint               n_at, replicates;
  GilkRankedQuantile *own[2];         /* handles of the quantiles of all values of A and of B, @n_at
                                       * on each side */
  GilkRankedQuantile **drawn[2];      /* [side][i]: handles of quantile @i in each of @replicates
                                       * resamples; NULL: no confidence interval is computed for
                                       * quantile @i */
  long double         above, below;   /* numbers of pairs with B above A, and with B below A; exact
                                       * in a long double */
  GilkCompared        found;
};

GilkComparison *
gilk_comparison_new (const uint64_t *n,
                     const double   *at,
                     guint           n_at,
                     double          level,
                     guint           replicates,
                     double *const  *shares[2])
{
  GilkComparison *comparison = g_new0 (GilkComparison, 1);

  comparison->level = level;
  comparison->n_at = n_at;
  comparison->replicates = replicates;
  for (guint side = 0; side < 2; side++)
    {
      comparison->distance.n[side] = n[side];
      comparison->ranks[side] = gilk_ranks_new ();
      comparison->own[side] = g_new (GilkRankedQuantile, n_at + 1);
      comparison->drawn[side] = g_new0 (GilkRankedQuantile *, n_at + 1);
      for (guint i = 0; i < n_at; i++)
        {
          comparison->own[side][i] = gilk_ranks_request_quantile (comparison->ranks[side], n[side], at[i]);
          if (shares == NULL || shares[0][i] == NULL || shares[1][i] == NULL)
            continue;
          comparison->drawn[side][i] = g_new (GilkRankedQuantile, replicates + 1);
          for (guint r = 0; r < replicates; r++)
            comparison->drawn[side][i][r] = gilk_ranks_request_quantile (comparison->ranks[side], n[side], shares[side][i][r]);
        }
    }

  return comparison;
}

void
gilk_comparison_free (GilkComparison *comparison)
{
  if (comparison == NULL)
    return;
  for (guint side = 0; side < 2; side++)
    {
      gilk_ranks_free (comparison->ranks[side]);
      g_free (comparison->own[side]);
      for (guint i = 0; i < comparison->n_at; i++)
        g_free (comparison->drawn[side][i]);
      g_free (comparison->drawn[side]);
    }
  gilk_free_all (comparison->found.a, comparison->found.b, comparison->found.differences,
                 comparison);
}

void
gilk_comparison_step (GilkComparison *comparison,
                      double          value,
                      const uint64_t *n)
{
  const Distance *distance = &comparison->distance;
  uint64_t less = distance->below[0], greater = distance->n[0] - less - n[0];

  comparison->above += (long double) n[1] * less;
  comparison->below += (long double) n[1] * greater;
  for (guint side = 0; side < 2; side++)
    gilk_ranks_step (comparison->ranks[side], distance->below[side], n[side], value);
  distance_step (&comparison->distance, n[0], n[1]);
}

/* Computes the confidence interval of the difference of quantile @i from resampled quantiles. */
static void
find_interval (const GilkComparison *comparison, guint i, GilkInterval *interval)
{
  double outside = (1.0 - comparison->level) / 2.0;
  guint n = comparison->replicates;
  g_autofree double *differences = g_new (double, n + 1);

  interval->low = interval->high = NAN;
  if (comparison->drawn[0][i] == NULL || n == 0)
    return;
  for (guint r = 0; r < n; r++)
    differences[r] = gilk_ranks_quantile (comparison->ranks[1], &comparison->drawn[1][i][r]) -
                     gilk_ranks_quantile (comparison->ranks[0], &comparison->drawn[0][i][r]);
  qsort (differences, n, sizeof *differences, gilk_order_double);
  interval->low = gilk_quantile (differences, n, outside);
  interval->high = gilk_quantile (differences, n, 1.0 - outside);
}

GilkCompared
gilk_comparison_end (GilkComparison *comparison)
{
  GilkCompared *found = &comparison->found;

  g_assert (found->a == NULL);
  found->ks = distance_end (&comparison->distance);
  found->delta = (double) ((comparison->above - comparison->below) /
                           ((long double) comparison->distance.n[0] * comparison->distance.n[1]));
  found->a = g_new (double, comparison->n_at + 1);
  found->b = g_new (double, comparison->n_at + 1);
  found->differences = g_new0 (GilkInterval, comparison->n_at + 1);
  for (guint i = 0; i < comparison->n_at; i++)
    {
      found->a[i] = gilk_ranks_quantile (comparison->ranks[0], &comparison->own[0][i]);
      found->b[i] = gilk_ranks_quantile (comparison->ranks[1], &comparison->own[1][i]);
      found->differences[i].value = found->b[i] - found->a[i];
      find_interval (comparison, i, &found->differences[i]);
    }

  return *found;
}

GArray *
gilk_comparison_ranks (GilkComparison *comparison,
                       guint           side)
{
  return gilk_ranks_list (comparison->ranks[side]);
}

GilkCompared
gilk_comparison_set_values (GilkComparison      *comparison,
                            const double *const  values[2],
                            double               d,
                            long double          above_less_below)
{
  for (guint side = 0; side < 2; side++)
    {
      g_autoptr(GArray) ranks = gilk_ranks_list (comparison->ranks[side]);

      for (guint i = 0; i < ranks->len; i++)
        gilk_ranks_step (comparison->ranks[side], g_array_index (ranks, uint64_t, i), 1, values[side][i]);
    }
  comparison->distance.d = d;
  comparison->above = above_less_below;
  comparison->below = 0;

  return gilk_comparison_end (comparison);
}

/* ---- compares two sets of runs ---- */

#define ASSIGNMENTS_MAX 200000       /* if there are more assignments of runs to sides than this,
                                      * DRAWS random ones are evaluated instead of all */
#define DRAWS    99999
#define SEED     2002

/* Returns Cliff's delta of two runs: P(b > a) - P(b < a), -1 to 1. */
static double
compute_run_delta (const GilkRunDigest *a, const GilkRunDigest *b)
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

/* ---- confidence intervals from several runs ---- */

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

/* ---- permutation test over assignments of runs to sides ---- */

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

/* Changes the set of runs assigned to side A to the next set of the same size, in colexicographic
 * order. Returns FALSE after the last set. */
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
        delta[i * n + j] = compute_run_delta (&runs[j], &runs[i]);
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
   * the same |delta|, so p cannot be less than 2 / n_assignments. */
  result.p_min = result.exact ? (n_a == n_b ? 2.0 : 1.0) / n_assignments : 1.0 / (DRAWS + 1.0);

  return result;
}
