/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-median.c - a median and its interval by order statistics
 */
#include "core/base/gilk-median.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STUDENT_95 2.446912   /* of GILK_MEDIAN_ROUNDS - 1 degrees of freedom, both tails */

static int
compare (const void *a, const void *b)
{
  const double *x = a, *y = b;

  return (*x > *y) - (*x < *y);
}

/* The greatest k with P (B <= k) <= tail, B binomial of @n and 1/2; 0 if there is none. */
static guint
skip (guint n, double tail)
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
  qsort (values, n, sizeof *values, compare);
  /* Outside of [x(k+1), x(n-k)] with P (B <= k): the least value stands for k = 0. */
  k = term > tail ? 0 : skip (n, tail);

  return (GilkMedian) {
    n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2, values[k], values[n - 1 - k],
  };
}

GilkMedian
gilk_median_of_rounds (double *values,
                       guint   each)
{
  double medians[GILK_MEDIAN_ROUNDS], mean = 0, squares = 0, half;
  g_autofree double *all = g_memdup2 (values, GILK_MEDIAN_ROUNDS * each * sizeof *values);
  GilkMedian within = gilk_median_of (all, GILK_MEDIAN_ROUNDS * each, 0.025), median;

  for (guint r = 0; r < GILK_MEDIAN_ROUNDS; r++)
    {
      medians[r] = gilk_median_of (values + r * each, each, 0.025).value;
      mean += medians[r] / GILK_MEDIAN_ROUNDS;
    }
  for (guint r = 0; r < GILK_MEDIAN_ROUNDS; r++)
    squares += (medians[r] - mean) * (medians[r] - mean);
  half = STUDENT_95 * sqrt (squares / (GILK_MEDIAN_ROUNDS - 1) * (1 + 1.0 / GILK_MEDIAN_ROUNDS));
  median = gilk_median_of (medians, GILK_MEDIAN_ROUNDS, 0.025);

  return (GilkMedian) { median.value, MIN (mean - half, within.low), MAX (mean + half, within.high) };
}
