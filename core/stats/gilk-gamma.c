/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-gamma.c - incomplete gamma functions, and their inverses by bisection
 */
#include "core/stats/gilk-gamma.h"

#include <float.h>
#include <math.h>

/* Returns x^shape e^-x / Gamma (shape). */
static double
compute_prefactor (double shape, double x)
{
  int sign;

  return exp (shape * log (x) - x - lgamma_r (shape, &sign));
}

/* Returns P by its series (DLMF 8.11.4), whose terms
 * decrease from the start if x is at most shape + 1. */
static double
sum_series (double shape, double x)
{
  double term = 1.0 / shape, sum = term;

  for (double k = 1.0; term > DBL_EPSILON * sum; k += 1.0)
    {
      term *= x / (shape + k);
      sum += term;
    }

  return compute_prefactor (shape, x) * sum;
}

/* Returns Q by its continued fraction (DLMF 8.9.2) with Lentz's method; for x above shape + 1. */
static double
evaluate_fraction (double shape, double x)
{
  double b = x + 1.0 - shape, c = 1.0 / DBL_MIN, d = 1.0 / b, f = d, step = 0.0;

  for (double k = 1.0; fabs (step - 1.0) > 4.0 * DBL_EPSILON; k += 1.0)
    {
      double a = -k * (k - shape);

      b += 2.0;
      d = a * d + b;
      d = 1.0 / (fabs (d) < DBL_MIN ? DBL_MIN : d);
      c = b + a / c;
      c = fabs (c) < DBL_MIN ? DBL_MIN : c;
      step = c * d;
      f *= step;
    }

  return compute_prefactor (shape, x) * f;
}

double
gilk_gamma_below (double shape,
                  double x)
{
  if (!(x > 0.0))
    return 0.0;

  return x <= shape + 1.0 ? sum_series (shape, x) : 1.0 - gilk_gamma_above (shape, x);
}

double
gilk_gamma_above (double shape,
                  double x)
{
  if (!(x > 0.0))
    return 1.0;

  return x <= shape + 1.0 ? 1.0 - sum_series (shape, x) : evaluate_fraction (shape, x);
}

/* Bisects by ratio, so that quantiles near 0 have as many
 * digits as others. @rises: the probability increases with x. */
static double
solve_quantile (double (*chance) (double shape, double x), gboolean rises, double shape, double p)
{
  double low = shape, high = shape;

  while ((chance (shape, low) > p) == rises && low > DBL_MIN)
    low /= 2.0;
  while ((chance (shape, high) < p) == rises)
    high *= 2.0;
  while (high > low * (1.0 + 4.0 * DBL_EPSILON))
    {
      double middle = sqrt (low) * sqrt (high);

      if ((chance (shape, middle) < p) == rises)
        low = middle;
      else
        high = middle;
    }

  return high;
}

double
gilk_gamma_quantile (double shape,
                     double p)
{
  return solve_quantile (gilk_gamma_below, TRUE, shape, p);
}

double
gilk_gamma_quantile_above (double shape,
                           double p)
{
  return solve_quantile (gilk_gamma_above, FALSE, shape, p);
}
