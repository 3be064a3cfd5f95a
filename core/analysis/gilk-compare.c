/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-compare.c - two samples against each other
 */
#include "core/analysis/gilk-compare.h"

#include <math.h>
#include <stdlib.h>

#include "core/analysis/gilk-ranks.h"

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

/* ---- Kolmogorov and Smirnov ---- */

/* 1 - K(z): the sum that converges fast on either side. */
static double
kolmogorov_tail (double z)
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

/* How far the distribution functions are apart, from value to value. */
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

  return (GilkKs) { distance->d, kolmogorov_tail (distance->d * sqrt (n_a * n_b / (n_a + n_b))) };
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

/* ---- bootstrap ---- */

static double
draw_normal (GRand *rand)
{
  double u, v, s;

  do
    {
      u = g_rand_double_range (rand, -1.0, 1.0);
      v = g_rand_double_range (rand, -1.0, 1.0);
      s = u * u + v * v;
    }
  while (s >= 1.0 || s == 0.0);

  return u * sqrt (-2.0 * log (s) / s);
}

/* Marsaglia and Tsang, 2000; shape at least 1. */
static double
draw_gamma (GRand *rand, double shape)
{
  double d = shape - 1.0 / 3.0, c = 1.0 / sqrt (9.0 * d);

  for (;;)
    {
      double x = draw_normal (rand), v = 1.0 + c * x, u = g_rand_double (rand);

      if (v <= 0.0)
        continue;
      v = v * v * v;
      if (log (u) < 0.5 * x * x + d - d * v + d * log (v))
        return d * v;
    }
}

static double
draw_beta (GRand *rand, double a, double b)
{
  double x = draw_gamma (rand, a), y = draw_gamma (rand, b);

  return x / (x + y);
}

static uint64_t
rank_at (uint64_t n, double u)
{
  return MIN ((uint64_t) (u * (double) n), n - 1);
}

/*
 * The quantile of a resample of @n. Which values it has is decided by n uniform numbers, of which
 * the k-th smallest is Beta (k, n - k + 1), and the next one the least of n - k above it.
 */
static GilkRankedQuantile
draw_quantile (GRand *rand, GilkRanks *ranks, uint64_t n, double p)
{
  double position = p * (double) (n - 1), u;
  uint64_t k = (uint64_t) position + 1;
  GilkRankedQuantile quantile = { .fraction = position - floor (position) };

  u = draw_beta (rand, (double) k, (double) (n - k + 1));
  quantile.low = quantile.high = gilk_ranks_ask (ranks, rank_at (n, u));
  if (quantile.fraction == 0.0 || k == n)
    return quantile;
  u += (1.0 - u) * draw_beta (rand, 1.0, (double) (n - k));
  quantile.high = gilk_ranks_ask (ranks, rank_at (n, u));

  return quantile;
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* ---- comparison ---- */

struct _GilkComparison {
  Distance            distance;
  GilkRanks          *ranks[2];
  double              level;
  guint               n_at, replicates;
  GilkRankedQuantile *own[2];         /* of A and B: n_at */
  GilkRankedQuantile *drawn[2];       /* n_at times replicates */
  long double         above, below;   /* pairs; a long double holds each number of them */
  GilkCompared        found;
};

GilkComparison *
gilk_comparison_new (const uint64_t *n,
                     const double   *at,
                     guint           n_at,
                     double          level,
                     guint           replicates,
                     guint32         seed)
{
  GilkComparison *comparison = g_new0 (GilkComparison, 1);
  g_autoptr(GRand) rand = g_rand_new_with_seed (seed);

  comparison->level = level;
  comparison->n_at = n_at;
  comparison->replicates = replicates;
  for (guint side = 0; side < 2; side++)
    {
      comparison->distance.n[side] = n[side];
      comparison->ranks[side] = gilk_ranks_new ();
      comparison->own[side] = g_new (GilkRankedQuantile, n_at + 1);
      comparison->drawn[side] = g_new (GilkRankedQuantile, (gsize) n_at * replicates + 1);
      for (guint i = 0; i < n_at; i++)
        {
          comparison->own[side][i] = gilk_ranks_ask_quantile (comparison->ranks[side], n[side], at[i]);
          for (guint r = 0; r < replicates; r++)
            comparison->drawn[side][i * replicates + r] =
              draw_quantile (rand, comparison->ranks[side], n[side], at[i]);
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
      g_free (comparison->drawn[side]);
    }
  g_free (comparison->found.a);
  g_free (comparison->found.b);
  g_free (comparison->found.differences);
  g_free (comparison);
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

/* Of replicates of quantile @i. */
static void
find_interval (const GilkComparison *comparison, guint i, GilkInterval *interval)
{
  double outside = (1.0 - comparison->level) / 2.0;
  guint n = comparison->replicates;
  g_autofree double *differences = g_new (double, n + 1);

  for (guint r = 0; r < n; r++)
    differences[r] = gilk_ranks_quantile (comparison->ranks[1], &comparison->drawn[1][i * n + r]) -
                     gilk_ranks_quantile (comparison->ranks[0], &comparison->drawn[0][i * n + r]);
  qsort (differences, n, sizeof *differences, compare_doubles);
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
gilk_comparison_give (GilkComparison      *comparison,
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
