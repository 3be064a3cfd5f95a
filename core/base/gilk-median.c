/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-median.c - medians and their confidence intervals
 */
#include "core/base/gilk-median.h"

#include <math.h>
#include <stdlib.h>

static int
compare_doubles (const void *a, const void *b)
{
  const double *x = a, *y = b;

  return (*x > *y) - (*x < *y);
}

/* Returns the greatest k with P (B <= k) <= tail, where B is binomial with @n and 1/2; 0 if there
 * is none. */
static guint
count_skipped (guint n, double tail)
{
  double term = exp2 (-(double) n), sum = 0;

  for (guint k = 0; k < n / 2; k++)
    {
      sum += term;
      if (sum > tail)
        return k > 0 ? k - 1 : 0;
      term *= (double) (n - k) / (k + 1);
    }

  return n / 2 > 0 ? n / 2 - 1 : 0;
}

GilkMedian
gilk_median_of (double *values,
                guint   n,
                double  tail)
{
  double term = exp2 (-(double) n);
  guint k;

  g_assert (n > 0);
  qsort (values, n, sizeof *values, compare_doubles);
  /* The median is outside [x(k+1), x(n-k)] with P (B <= k) on each side. If no k fits, use k =
   * 0. */
  k = term > tail ? 0 : count_skipped (n, tail);

  return (GilkMedian) {
    n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2, values[k], values[n - 1 - k],
  };
}

/* Returns Student's t for @freedom degrees, two-sided 95 %; beyond the table by Abramowitz and
 * Stegun 26.7.5, to 1e-5. */
static double
get_student_95 (guint freedom)
{
  static const double table[] = {
    NAN, 12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157, 2.228139,
  };
  const double z = 1.959963985;
  double n = freedom;

  if (freedom < G_N_ELEMENTS (table))
    return table[freedom];

  return z + (pow (z, 3) + z) / (4 * n) + (5 * pow (z, 5) + 16 * pow (z, 3) + 3 * z) / (96 * n * n) +
         (3 * pow (z, 7) + 19 * pow (z, 5) + 17 * pow (z, 3) - 15 * z) / (384 * n * n * n);
}

static double
compute_mean (const double *values, guint n)
{
  double sum = 0;

  for (guint i = 0; i < n; i++)
    sum += values[i];

  return sum / n;
}

static double
compute_deviation (const double *values, guint n, double mean)
{
  double squares = 0;

  for (guint i = 0; i < n; i++)
    squares += (values[i] - mean) * (values[i] - mean);

  return sqrt (squares / (n - 1));
}

GilkMedian
gilk_median_of_rounds (double *values,
                       guint   each)
{
  double medians[GILK_MEDIAN_ROUNDS], mean, half;
  g_autofree double *all = g_memdup2 (values, GILK_MEDIAN_ROUNDS * each * sizeof *values);
  GilkMedian within = gilk_median_of (all, GILK_MEDIAN_ROUNDS * each, 0.025), median;

  for (guint r = 0; r < GILK_MEDIAN_ROUNDS; r++)
    medians[r] = gilk_median_of (values + r * each, each, 0.025).value;
  mean = compute_mean (medians, GILK_MEDIAN_ROUNDS);
  half = get_student_95 (GILK_MEDIAN_ROUNDS - 1) * compute_deviation (medians, GILK_MEDIAN_ROUNDS, mean) *
         sqrt (1 + 1.0 / GILK_MEDIAN_ROUNDS);
  median = gilk_median_of (medians, GILK_MEDIAN_ROUNDS, 0.025);

  return (GilkMedian) { median.value, MIN (mean - half, within.low), MAX (mean + half, within.high) };
}

GilkMedian
gilk_median_over_time (const double *measurements,
                       guint         n)
{
  g_autofree double *sorted = g_memdup2 (measurements, n * sizeof *measurements);
  double median, mean, half;

  g_assert (n >= 2);
  median = gilk_median_of (sorted, n, 0.025).value;
  mean = compute_mean (measurements, n);
  half = get_student_95 (n - 1) * compute_deviation (measurements, n, mean) / sqrt (n);

  return (GilkMedian) { median, MIN (mean - half, median), MAX (mean + half, median) };
}
