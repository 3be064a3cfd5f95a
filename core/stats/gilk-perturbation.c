/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-perturbation.c - computes how much an outcome changes when something is switched on
 */
#include "core/stats/gilk-perturbation.h"

#include <float.h>
#include <glib/gi18n.h>
#include <math.h>

#include "core/base/gilk-error.h"

#define STEPS_MAX 500

/* ---- Student's t distribution ---- */

/* Evaluates the continued fraction of the incomplete
 * beta function by Lentz's method (DLMF 8.17.22). */
static double
evaluate_beta_fraction (double a, double b, double x)
{
  double c = 1.0, d = 1.0 - (a + b) * x / (a + 1.0), f;

  d = 1.0 / (fabs (d) < DBL_MIN ? DBL_MIN : d);
  f = d;
  for (guint m = 1; m < STEPS_MAX; m++)
    {
      double even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
      double odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
      double step;

      d = 1.0 + even * d;
      c = 1.0 + even / c;
      d = 1.0 / (fabs (d) < DBL_MIN ? DBL_MIN : d);
      f *= d * c;
      d = 1.0 + odd * d;
      c = 1.0 + odd / c;
      d = 1.0 / (fabs (d) < DBL_MIN ? DBL_MIN : d);
      step = d * c;
      f *= step;
      if (fabs (step - 1.0) < DBL_EPSILON)
        break;
    }

  return f;
}

/* Returns the regularised incomplete beta function I_x (a, b). */
static double
compute_beta (double a, double b, double x)
{
  double front;

  if (x <= 0.0 || x >= 1.0)
    return x <= 0.0 ? 0.0 : 1.0;
  front = exp (lgamma (a + b) - lgamma (a) - lgamma (b) + a * log (x) + b * log1p (-x));

  return x < (a + 1.0) / (a + b + 2.0) ? front * evaluate_beta_fraction (a, b, x) / a
                                       : 1.0 - front * evaluate_beta_fraction (b, a, 1.0 - x) / b;
}

/* Returns the probability of both tails of Student's t distribution beyond |t|. */
static double
compute_student_tails (double t, double df)
{
  return isinf (t) ? 0.0 : compute_beta (df / 2.0, 0.5, df / (df + t * t));
}

double
gilk_student_t (double tails,
                double df)
{
  double low = 0.0, high = 1.0;

  while (compute_student_tails (high, df) > tails)
    high *= 2.0;
  for (guint i = 0; i < 200 && high - low > 1e-14 * high; i++)
    {
      double middle = (low + high) / 2.0;

      if (compute_student_tails (middle, df) > tails)
        low = middle;
      else
        high = middle;
    }

  return (low + high) / 2.0;
}

/* ---- computes the change from pairs of an on value and an off value ---- */

/* Variances of the means of the on values and of the off values, and the covariance of the
 * means. */
typedef struct {
  double on, off, both;
} Spread;

static Spread
compute_spread (const double *on, const double *off, guint n, double mean_on, double mean_off)
{
  Spread spread = { 0 };
  double scale = 1.0 / ((double) n * (n - 1.0));

  for (guint i = 0; i < n; i++)
    {
      spread.on += (on[i] - mean_on) * (on[i] - mean_on) * scale;
      spread.off += (off[i] - mean_off) * (off[i] - mean_off) * scale;
      spread.both += (on[i] - mean_on) * (off[i] - mean_off) * scale;
    }

  return spread;
}

/* Solves for the quotients q at which the mean of the on values minus q times the mean of the off
 * values is within @t standard errors of 0. */
static void
solve_quotient (GilkPerturbation *found, const Spread *spread, double t)
{
  double a = found->off * found->off - t * t * spread->off;
  double b = found->on * found->off - t * t * spread->both;
  double c = found->on * found->on - t * t * spread->on;
  double root = sqrt (MAX (b * b - a * c, 0.0));

  found->relative = found->relative_low = found->relative_high = NAN;
  if (!(a > 0.0))
    return;
  found->relative = found->on / found->off - 1.0;
  found->relative_low = (b - root) / a - 1.0;
  found->relative_high = (b + root) / a - 1.0;
}

static double
compute_mean (const double *values, guint n)
{
  double sum = 0.0;

  for (guint i = 0; i < n; i++)
    sum += values[i];

  return sum / n;
}

gboolean
gilk_perturbation_of (const double     *on,
                      const double     *off,
                      guint             n,
                      double            level,
                      GilkPerturbation *found,
                      GError          **error)
{
  GilkPerturbation it = { .pairs = n };
  double deviation, t;
  Spread spread;

  if (n < GILK_PERTURBATION_PAIRS_MIN)
    return gilk_fail (error, GILK_ERROR_USAGE,
        _("%u pairs of intervals are too few to measure the perturbation: at least %u are needed. Record for "
          "longer, or with shorter intervals."), n, GILK_PERTURBATION_PAIRS_MIN);
  it.on = compute_mean (on, n);
  it.off = compute_mean (off, n);
  it.difference = it.on - it.off;
  spread = compute_spread (on, off, n, it.on, it.off);
  deviation = sqrt (MAX (spread.on + spread.off - 2.0 * spread.both, 0.0));
  t = gilk_student_t (1.0 - level, n - 1.0);
  it.low = it.difference - t * deviation;
  it.high = it.difference + t * deviation;
  it.t = deviation > 0.0 ? it.difference / deviation : it.difference == 0.0 ? 0.0 : copysign (INFINITY, it.difference);
  it.p = it.t == 0.0 ? 1.0 : compute_student_tails (it.t, n - 1.0);
  solve_quotient (&it, &spread, t);
  *found = it;

  return TRUE;
}
