/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-compare.c - checks distances between samples against closed forms and invariants;
 * tests/analysis/ also compares them with SciPy
 */
#include <math.h>
#include <stdlib.h>

#include "core/stats/gilk-arrivals.h"
#include "core/stats/gilk-compare.h"
#include "core/stats/gilk-spectrum.h"

static const double a[] = { 1, 2, 3, 4, 5 }, b[] = { 3, 4, 5, 6, 7, 8 };

static void
test_ks (void)
{
  GilkKs ks = gilk_ks (a, 5, a, 5);

  g_assert_cmpfloat (ks.d, ==, 0.0);
  g_assert_cmpfloat (ks.p, ==, 1.0);
  ks = gilk_ks (a, 5, b, 6);
  g_assert_cmpfloat_with_epsilon (ks.d, 0.5, 1e-15);
  g_assert_cmpfloat_with_epsilon (ks.p, 165.0 / 462, 1e-12);      /* the exact p-value */
}

/* Passes the sorted values of both samples to @comparison, each distinct value once. */
static GilkCompared
compare_sorted (GilkComparison *comparison, const double *x, guint n_x, const double *y, guint n_y)
{
  for (guint i = 0, j = 0; i < n_x || j < n_y;)
    {
      double value = i < n_x && (j == n_y || x[i] <= y[j]) ? x[i] : y[j];
      uint64_t n[2] = { 0, 0 };

      for (; i < n_x && x[i] == value; i++)
        n[0]++;
      for (; j < n_y && y[j] == value; j++)
        n[1]++;
      gilk_comparison_step (comparison, value, n);
    }

  return gilk_comparison_end (comparison);
}

static double
delta_of (const double *x, guint n_x, const double *y, guint n_y)
{
  g_autoptr(GilkComparison) comparison = gilk_comparison_new ((const uint64_t[]) { n_x, n_y }, NULL, 0, 0.95, 0, NULL);
  const GilkCompared found = compare_sorted (comparison, x, n_x, y, n_y);
  const GilkKs ks = gilk_ks (x, n_x, y, n_y);

  g_assert_cmpfloat (found.ks.d, ==, ks.d);
  g_assert_cmpfloat (found.ks.p, ==, ks.p);

  return found.delta;
}

static void
test_delta (void)
{
  g_assert_cmpfloat (delta_of (a, 5, a, 5), ==, 0.0);
  g_assert_cmpfloat_with_epsilon (delta_of (a, 5, b, 6), (24.0 - 3.0) / 30.0, 1e-15);
  g_assert_cmpfloat_with_epsilon (delta_of (b, 6, a, 5), (3.0 - 24.0) / 30.0, 1e-15);
}

static void
test_welch (void)
{
  enum { N = 8192 };
  g_autofree double *sine = g_new (double, N);
  g_autoptr(GilkSpectrum) spectrum = NULL;
  double sum = 0.0;
  guint top = 0;

  for (guint i = 0; i < N; i++)
    sine[i] = 3.0 * sin (2.0 * G_PI * 125.0 * i / 1000.0) + 7.0;
  sine[100] = NAN;
  spectrum = gilk_spectrum_welch (sine, N, 1000.0, 256, GILK_WINDOW_FUNCTION_HANN);
  g_assert_cmpuint (spectrum->broken, ==, 1);
  g_assert_cmpuint (spectrum->segments, ==, 62);
  for (guint k = 0; k < spectrum->n; k++)
    {
      sum += spectrum->power[k] * 1000.0 / 256;
      if (spectrum->power[k] > spectrum->power[top])
        top = k;
    }
  g_assert_cmpfloat_with_epsilon (spectrum->hz[top], 125.0, 1e-9);
  g_assert_cmpfloat_with_epsilon (sum, 4.5, 1e-6);        /* the variance of the sine */
}

static void
test_autocorrelation (void)
{
  const double x[] = { 1, 2, 3, 4 };
  g_autofree double *r = gilk_autocorrelation (x, 4, 5), *none = NULL;
  const double same[] = { 2, 2, 2 };

  g_assert_cmpfloat_with_epsilon (r[0], 1.0, 1e-12);
  g_assert_cmpfloat_with_epsilon (r[1], 0.25, 1e-12);
  g_assert_cmpfloat_with_epsilon (r[2], -0.3, 1e-12);
  g_assert_cmpfloat_with_epsilon (r[3], -0.45, 1e-12);
  g_assert_cmpfloat (r[4], ==, 0.0);
  none = gilk_autocorrelation (same, 3, 1);
  g_assert_true (isnan (none[0]));
}

static void
test_hurst (void)
{
  enum { N = 100000 };
  g_autoptr(GRand) rand = g_rand_new_with_seed (9);
  g_autofree double *noise = g_new (double, N);
  g_auto(GilkHurst) variance = { 0 }, rescaled = { 0 }, few = { 0 };

  for (guint i = 0; i < N; i++)
    noise[i] = g_rand_double (rand);
  gilk_hurst_variance (noise, N, &variance);
  gilk_hurst_rescaled (noise, N, &rescaled);
  g_assert_cmpfloat_with_epsilon (variance.h, 0.5, 0.05);
  /* The rescaled range is biased for short blocks of values: the estimate is above 0.5. */
  g_assert_cmpfloat_with_epsilon (rescaled.h, 0.55, 0.06);
  gilk_hurst_variance (noise, 150, &few);
  g_assert_true (isnan (few.h));
  /* Almost all bins are empty after five hits: their counts contain no information. */
  gilk_hurst_clear (&few);
  for (guint i = 0; i < N; i++)
    noise[i] = i % 20000 == 77;
  gilk_hurst_variance (noise, N, &few);
  g_assert_true (isnan (few.h));
  gilk_hurst_clear (&few);
  gilk_hurst_rescaled (noise, N, &few);
  g_assert_true (isnan (few.h));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/compare/ks", test_ks);
  g_test_add_func ("/compare/delta", test_delta);
  g_test_add_func ("/spectrum/welch", test_welch);
  g_test_add_func ("/spectrum/autocorrelation", test_autocorrelation);
  g_test_add_func ("/hurst", test_hurst);

  return g_test_run ();
}
