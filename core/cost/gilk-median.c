/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-median.c - computes medians and their confidence intervals
 */
#include "core/cost/gilk-median.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/gilk-array.h"

/* Returns the largest k with P (B <= k) <= tail, where B has the binomial distribution with n = @n
 * and p = 1/2; 0 if there is none. */
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
  qsort (values, n, sizeof *values, gilk_order_double);
  /* The true median is outside [x(k+1), x(n-k)] with probability P (B <= k) on each side. If that
   * probability is above @tail even for k = 0, use k = 0: the interval then spans all values. */
  k = term > tail ? 0 : count_skipped (n, tail);

  return (GilkMedian) {
    n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2, values[k], values[n - 1 - k],
  };
}

/* Returns Student's t for @freedom degrees of freedom, two-sided 95 %. Values beyond the table are
 * from Abramowitz and Stegun 26.7.5, accurate to 1e-5; values between its rows are interpolated
 * linearly in 1/freedom, accurate to 2 %. */
static double
get_student_95 (double freedom)
{
  static const double table[] = {
    NAN, 12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157, 2.228139,
  };
  const double z = 1.959963985;
  double n = MAX (freedom, 1);
  guint row = (guint) n;

  if (row + 1 < G_N_ELEMENTS (table))
    return table[row + 1] + (table[row] - table[row + 1]) * (1 / n - 1.0 / (row + 1)) * row * (row + 1);

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

#define TRIMMED 1                /* number of values that a trimmed mean leaves out at each end */
#define BETWEEN_RUNS 0.4          /* ratio of the variance between runs to the variance within a
                                   * run */

typedef struct { double mean, error; guint freedom; } Trimmed;

/* Returns the trimmed mean of @n values with its standard error. */
static Trimmed
trim (const double *values, guint n)
{
  g_autofree double *sorted = g_memdup2 (values, n * sizeof *values);
  const guint kept = n - 2 * TRIMMED;
  Trimmed trimmed = { .freedom = kept - 1 };

  g_assert (n >= 2 * TRIMMED + 2);
  qsort (sorted, n, sizeof *sorted, gilk_order_double);
  trimmed.mean = compute_mean (sorted + TRIMMED, kept);
  for (guint i = 0; i < TRIMMED; i++)
    {
      sorted[i] = sorted[TRIMMED];
      sorted[n - 1 - i] = sorted[n - 1 - TRIMMED];
    }
  trimmed.error = compute_deviation (sorted, n, compute_mean (sorted, n)) * sqrt (n) / kept;

  return trimmed;
}

double
gilk_trimmed_mean (const double *values,
                   guint         n)
{
  return trim (values, n).mean;
}

/* Returns half the width of the confidence interval for the mean over runs. */
static double
compute_half_over_runs (const double *levels, guint n, const Trimmed *copies)
{
  double deviation = compute_deviation (levels, n, compute_mean (levels, n));
  double of_times = deviation * deviation * (1.0 / n + BETWEEN_RUNS), of_copies = copies->error * copies->error;
  double variance = of_times + of_copies;
  double freedom = variance * variance / (of_times * of_times / (n - 1) + of_copies * of_copies / copies->freedom);

  return variance > 0 ? get_student_95 (freedom) * sqrt (variance) : 0;
}

GilkMedian
gilk_median_over_time (const double *values,
                       guint         n_copies,
                       guint         n_times)
{
  g_autofree double *copies = g_new0 (double, n_copies), *levels = g_new (double, n_times);
  Trimmed of_copies;
  double mean, half, median;

  g_assert (n_times >= 2);
  for (guint t = 0; t < n_times; t++)
    {
      levels[t] = gilk_trimmed_mean (values + t * n_copies, n_copies);
      for (guint c = 0; c < n_copies; c++)
        copies[c] += values[t * n_copies + c] / n_times;
    }
  of_copies = trim (copies, n_copies);
  mean = compute_mean (levels, n_times);
  half = compute_half_over_runs (levels, n_times, &of_copies);
  median = gilk_median_of (levels, n_times, 0.025).value;

  return (GilkMedian) { median, MIN (mean - half, median), MAX (mean + half, median) };
}
