/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-lomb.c - tests that Lomb's periodogram computed on a grid equals the direct sums, for any
 * times
 */
#include <gio/gio.h>
#include <math.h>

#include "core/stats/gilk-spectrum.h"

/* Returns the power by Scargle's formula, summed term by term. */
static double
power_at (const double *t, const double *x, guint n, double hz)
{
  long double mean = 0.0L, sin2 = 0.0L, cos2 = 0.0L, a = 0.0L, b = 0.0L, aa = 0.0L, bb = 0.0L, w, tau;

  for (guint i = 0; i < n; i++)
    mean += (long double) x[i] / n;
  w = 2.0L * acosl (-1.0L) * hz;
  for (guint i = 0; i < n; i++)
    {
      sin2 += sinl (2.0L * w * t[i]);
      cos2 += cosl (2.0L * w * t[i]);
    }
  tau = atan2l (sin2, cos2) / (2.0L * w);
  for (guint i = 0; i < n; i++)
    {
      long double c = cosl (w * (t[i] - tau)), s = sinl (w * (t[i] - tau));

      a += (x[i] - mean) * c;
      b += (x[i] - mean) * s;
      aa += c * c;
      bb += s * s;
    }

  return (double) (0.5L * (a * a / aa + (bb > 1e-6L * n ? b * b / bb : 0.0L)));
}

/* Checks the error of the spectrum in units of the variance of the values, which is the typical
 * power of noise. */
static void
check_error (const double *t, const double *x, guint n, double first, double step, guint n_hz, double tolerance)
{
  g_autoptr(GilkSpectrum) spectrum = gilk_spectrum_lomb (t, x, n, first, step, n_hz, NULL);
  double worst = 0.0, variance = 0.0, mean = 0.0;

  for (guint i = 0; i < n; i++)
    mean += x[i] / n;
  for (guint i = 0; i < n; i++)
    variance += (x[i] - mean) * (x[i] - mean) / n;
  g_assert_cmpuint (spectrum->n, ==, n_hz);
  for (guint k = 0; k < n_hz; k++)
    {
      g_assert_cmpfloat_with_epsilon (spectrum->hz[k], first + k * step, 1e-12 * spectrum->hz[k]);
      worst = fmax (worst, fabs (spectrum->power[k] - power_at (t, x, n, spectrum->hz[k])));
    }
  g_test_message ("%u values, %u frequencies: %.2g of the variance", n, n_hz, worst / variance);
  g_assert_cmpfloat (worst, <=, tolerance * variance);
}

static void
fill_series (GRand *rand, double *t, double *x, guint n, double span)
{
  for (guint i = 0; i < n; i++)
    {
      t[i] = g_rand_double_range (rand, 0.0, span);
      x[i] = 1e3 + 3.0 * cos (7.0 * t[i]) + g_rand_double_range (rand, -5.0, 5.0);
    }
}

/* Tests arbitrary frequencies, and unordered times that span many periods and start before zero. */
static void
test_like_sums (void)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (5);
  static const struct { guint n, n_hz; double span, first, step, at; } all[] = {
    { 3, 1, 1.0, 0.3, 0.0, 0.0 }, { 17, 5, 10.0, 0.77, 0.013, -5.0 }, { 100, 63, 10.0, 0.1, 0.1, 0.0 },
    { 1000, 500, 50.0, 0.02, 0.02, 1000.0 }, { 1000, 1000, 2.0, 40.3, 0.31, -1.0 },
    { 500, 777, 1e-3, 1234.5, 33.3, 0.25 }, { 3001, 257, 900.0, 0.5, 0.05, 3.0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      g_autofree double *t = g_new (double, all[i].n), *x = g_new (double, all[i].n);

      fill_series (rand, t, x, all[i].n, all[i].span);
      for (guint k = 0; k < all[i].n; k++)
        t[k] += all[i].at;
      check_error (t, x, all[i].n, all[i].first, all[i].step, all[i].n_hz, 1e-10);
    }
}

/* Tests short bursts of values at integer times. At integer frequencies, the sine in each term of
 * the sum is small. */
static void
test_many (void)
{
  enum { N = 10000, FREQUENCIES = 100 };
  g_autoptr(GRand) rand = g_rand_new_with_seed (6);
  g_autofree double *t = g_new (double, N), *x = g_new (double, N);

  fill_series (rand, t, x, N, 1.0);
  for (guint i = 0; i < N; i++)
    t[i] = 1e-3 * t[i] + i * 40 / N;
  check_error (t, x, N, 1.0 / 40.0, 1.0 / 40.0, FREQUENCIES, 1e-7);
  check_error (t, x, N, 200.01, 1.0 / 40.0, FREQUENCIES, 1e-10);
}

/* Tests that a sine has the expected power at its frequency. */
static void
test_sine (void)
{
  enum { N = 500 };
  g_autoptr(GRand) rand = g_rand_new_with_seed (5);
  g_autoptr(GilkSpectrum) spectrum = NULL;
  double t[N], x[N];
  guint top = 0;

  for (guint i = 0; i < N; i++)
    {
      t[i] = 10.0 * g_rand_double (rand);
      x[i] = 2.0 * cos (2.0 * G_PI * 3.0 * t[i] + 1.0);
    }
  spectrum = gilk_spectrum_lomb (t, x, N, 0.02, 0.02, 400, NULL);
  for (guint k = 0; k < spectrum->n; k++)
    if (spectrum->power[k] > spectrum->power[top])
      top = k;
  g_assert_cmpfloat_with_epsilon (spectrum->hz[top], 3.0, 1e-9);
  g_assert_cmpfloat_with_epsilon (spectrum->power[top], N * 4.0 / 4.0, N * 0.1);
}

/* Tests evenly spaced times: at half the sampling rate all sines are zero, at the sampling rate the
 * cosine is constant. */
static void
test_even (void)
{
  enum { N = 64 };
  g_autoptr(GilkSpectrum) spectrum = NULL;
  double t[N], x[N];

  for (guint i = 0; i < N; i++)
    {
      t[i] = 0.5 * i;
      x[i] = i % 2 == 0 ? 3.0 : -3.0;
    }
  spectrum = gilk_spectrum_lomb (t, x, N, 1.0, 1.0, 2, NULL);
  g_assert_cmpfloat_with_epsilon (spectrum->power[0], 0.5 * N * 9.0, 1e-9);
  g_assert_cmpfloat_with_epsilon (spectrum->power[1], 0.0, 1e-9);
}

static void
test_cancelled (void)
{
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  const double t[] = { 0.0, 1.0, 2.5 }, x[] = { 1.0, 2.0, 0.0 };

  g_cancellable_cancel (cancellable);
  g_assert_null (gilk_spectrum_lomb (t, x, 3, 0.1, 0.1, 5, cancellable));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lomb/like-sums", test_like_sums);
  g_test_add_func ("/lomb/many", test_many);
  g_test_add_func ("/lomb/sine", test_sine);
  g_test_add_func ("/lomb/even", test_even);
  g_test_add_func ("/lomb/cancelled", test_cancelled);

  return g_test_run ();
}
