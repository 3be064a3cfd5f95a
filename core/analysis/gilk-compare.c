/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-compare.c - two samples against each other
 */
#include "core/analysis/gilk-compare.h"

#include <math.h>
#include <stdlib.h>

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

GilkKs
gilk_ks (const double *a,
         gsize         n_a,
         const double *b,
         gsize         n_b)
{
  gsize i = 0, j = 0;
  GilkKs ks = { 0.0, 1.0 };

  while (i < n_a && j < n_b)
    {
      double x = MIN (a[i], b[j]);

      while (i < n_a && a[i] <= x)
        i++;
      while (j < n_b && b[j] <= x)
        j++;
      ks.d = MAX (ks.d, fabs ((double) i / (double) n_a - (double) j / (double) n_b));
    }
  ks.p = kolmogorov_tail (ks.d * sqrt ((double) n_a * (double) n_b / ((double) n_a + (double) n_b)));

  return ks;
}

double
gilk_cliffs_delta (const double *a,
                   gsize         n_a,
                   const double *b,
                   gsize         n_b)
{
  double above = 0.0, below = 0.0;
  gsize low = 0, high = 0;      /* of b: less than a[i], and not more than a[i] */

  for (gsize i = 0; i < n_a; i++)
    {
      while (low < n_b && b[low] < a[i])
        low++;
      while (high < n_b && b[high] <= a[i])
        high++;
      above += (double) low;
      below += (double) (n_b - high);
    }

  return (above - below) / ((double) n_a * (double) n_b);
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

static double
value_at (const double *sorted, gsize n, double u)
{
  gsize i = (gsize) (u * (double) n);

  return sorted[MIN (i, n - 1)];
}

/*
 * The quantile of a resample of @n. Which values it has is decided by n uniform numbers, of which
 * the k-th smallest is Beta (k, n - k + 1), and the next one the least of n - k above it.
 */
static double
draw_quantile (GRand *rand, const double *sorted, gsize n, double p)
{
  double position = p * (double) (n - 1), fraction = position - floor (position), u, low;
  gsize k = (gsize) position + 1;

  u = draw_beta (rand, (double) k, (double) (n - k + 1));
  low = value_at (sorted, n, u);
  if (fraction == 0.0 || k == n)
    return low;
  u += (1.0 - u) * draw_beta (rand, 1.0, (double) (n - k));

  return low + fraction * (value_at (sorted, n, u) - low);
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

GilkInterval
gilk_quantile_difference (const double *a,
                          gsize         n_a,
                          const double *b,
                          gsize         n_b,
                          double        p,
                          double        level,
                          guint         replicates,
                          guint32       seed)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (seed);
  g_autofree double *differences = g_new (double, replicates);
  double outside = (1.0 - level) / 2.0;

  for (guint i = 0; i < replicates; i++)
    differences[i] = draw_quantile (rand, b, n_b, p) - draw_quantile (rand, a, n_a, p);
  qsort (differences, replicates, sizeof *differences, compare_doubles);

  return (GilkInterval) {
    gilk_quantile (b, n_b, p) - gilk_quantile (a, n_a, p),
    gilk_quantile (differences, replicates, outside),
    gilk_quantile (differences, replicates, 1.0 - outside),
  };
}
