/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-median.c - a median and its interval by order statistics
 */
#include "core/base/gilk-median.h"

#include <math.h>
#include <stdlib.h>

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
