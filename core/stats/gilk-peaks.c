/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-peaks.c - finds the peaks of a spectrum, with the gamma distribution of its noise
 *
 * The threshold: let X be the power of noise at one frequency, and M the (h + 1)-th smallest of
 * the powers at 2 h other frequencies. In suitable units each power has the gamma distribution F
 * with the shape of the spectrum, and F (M) has the distribution Beta (h + 1, h). A window spreads
 * noise over neighbouring frequencies, so that fewer frequencies are independent: both parameters
 * of the Beta distribution are divided by spectrum->bins_per_independent. P (X > t M) is the mean
 * of 1 - F (t M) over that distribution, and decreases with t.
 */
#include "core/stats/gilk-peaks.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "core/base/gilk-array.h"

#define AROUND 40            /* number of neighbours on either side with which a power is compared,
                              * if there are that many */
#define NEXT   3             /* a peak must exceed this number of neighbours on either side; more
                              * than one, because a window spreads a line over two frequencies */
/* The distribution of the median of the neighbours is divided into STEPS steps of equal ratio. The
 * tail on either side of these steps has a probability below EDGE. */
#define STEPS  128
#define EDGE   1e-20

/* Threshold that a peak must exceed, for frequencies that have a certain number of neighbours on
 * either side. */
typedef struct {
  double m[STEPS], share[STEPS];
  double near, far;          /* multiples of the median that bound the threshold: @near is
                              * insignificant, @far is significant */
  double mean;               /* mean power of the noise, divided by the median of the neighbours; 0:
                              * not computed yet */
} Around;

typedef struct {
  double shape, bins_per_independent;
  double chance;             /* probability of a false peak, per frequency */
  Around around[AROUND + 1];
} Rule;

static int
compare_by_times (gconstpointer one, gconstpointer other)
{
  return GILK_ORDER (((const GilkPeak *) other)->times, ((const GilkPeak *) one)->times);
}

/* ---- threshold that a peak must exceed ---- */

static Rule *
rule_new (const GilkSpectrum *spectrum, guint n)
{
  Rule *rule = g_new0 (Rule, 1);

  rule->shape = spectrum->n_effective;
  rule->bins_per_independent = spectrum->bins_per_independent;
  rule->chance = -expm1 (log1p (-GILK_PEAKS_FALSE) / n);

  return rule;
}

static void
around_init (Around *around, const Rule *rule, guint h)
{
  double a = (h + 1) / rule->bins_per_independent, b = h / rule->bins_per_independent, shape = rule->shape, sum = 0.0;
  double low = log (gilk_gamma_quantile (shape, pow (EDGE, 1.0 / a)));
  double high = log (gilk_gamma_quantile_above (shape, pow (EDGE, 1.0 / b)));

  for (guint i = 0; i < STEPS; i++)
    {
      double m = exp (low + (high - low) * (i + 0.5) / STEPS);

      around->m[i] = m;
      around->share[i] = exp ((a - 1.0) * log (gilk_gamma_below (shape, m)) +
                              (b - 1.0) * log (gilk_gamma_above (shape, m)) + shape * (log (m / shape) + 1.0) - m);
      sum += around->share[i];
    }
  for (guint i = 0; i < STEPS; i++)
    around->share[i] /= sum;
  around->far = INFINITY;
  around->mean = shape / gilk_gamma_quantile (shape, (h + 1.0) / (2.0 * h + 1.0));
}

/* Returns the probability that the power of noise exceeds @times the median of its neighbours. */
static double
compute_chance_above (const Around *around, double shape, double times)
{
  double chance = 0.0;

  for (guint i = 0; i < STEPS; i++)
    chance += around->share[i] * gilk_gamma_above (shape, times * around->m[i]);

  return chance;
}

static gboolean
is_far_enough (Rule *rule, guint h, double times)
{
  Around *around = &rule->around[h];

  if (!(around->mean > 0.0))
    around_init (around, rule, h);
  if (times > around->near && times < around->far)
    {
      if (compute_chance_above (around, rule->shape, times) > rule->chance)
        around->near = times;
      else
        around->far = times;
    }

  return times >= around->far;
}

/* ---- decides whether a single frequency is a peak ---- */

static gboolean
is_highest (const GilkSpectrum *spectrum, guint first, guint i)
{
  for (guint k = MAX (i, first + NEXT) - NEXT; k < spectrum->n && k <= i + NEXT; k++)
    if (k != i && !(spectrum->power[k] < spectrum->power[i]))
      return FALSE;

  return TRUE;
}

/* Returns the median of @h neighbours on each side: the same number on both sides, because the
 * noise may have a slope. */
static double
find_median_around (const GilkSpectrum *spectrum, guint i, guint h)
{
  double around[2 * AROUND];

  for (guint k = 0; k < h; k++)
    {
      around[2 * k] = spectrum->power[i - 1 - k];
      around[2 * k + 1] = spectrum->power[i + 1 + k];
    }
  qsort (around, 2 * h, sizeof *around, gilk_order_double);

  return around[h];
}

GArray *
gilk_spectrum_peaks (const GilkSpectrum *spectrum,
                     guint               most)
{
  GArray *peaks = g_array_new (FALSE, FALSE, sizeof (GilkPeak));
  guint first = spectrum->n > 0 && spectrum->hz[0] > 0.0 ? 0 : 1;
  g_autofree Rule *rule = NULL;

  if (spectrum->n < first + 3)
    return peaks;
  rule = rule_new (spectrum, spectrum->n - first - 2);
  for (guint i = first + 1; i + 1 < spectrum->n; i++)
    {
      guint h = MIN (MIN (i - first, spectrum->n - 1 - i), AROUND);
      double median = is_highest (spectrum, first, i) ? find_median_around (spectrum, i, h) : 0.0;
      GilkPeak peak = { spectrum->hz[i], spectrum->power[i], 0.0 };

      if (!(median > 0.0) || !is_far_enough (rule, h, peak.power / median))
        continue;
      peak.times = peak.power / median / rule->around[h].mean;
      g_array_append_val (peaks, peak);
    }
  g_array_sort (peaks, compare_by_times);
  g_array_set_size (peaks, MIN (peaks->len, most));

  return peaks;
}

/* ---- computes incomplete gamma functions, and inverts them by bisection ---- */

/* Returns x^shape e^-x / Gamma (shape). */
static double
compute_prefactor (double shape, double x)
{
  int sign;

  return exp (shape * log (x) - x - lgamma_r (shape, &sign));
}

/* Returns P(X <= x) by its series (DLMF 8.11.4), whose terms decrease from the start if x is at
 * most shape + 1. */
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

/* Returns P(X > x) by its continued fraction (DLMF 8.9.2) with Lentz's method; for x above shape +
 * 1. */
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

/* Finds an x by bisection of ratios, so that quantiles near 0 have as many digits as others.
 * @rises: the probability increases with x. */
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
