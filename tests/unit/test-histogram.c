/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-histogram.c - tests that bins add up, and quantiles equal those of the sorted data
 *
 * Expected quantiles (type 7) are computed by sorting, which shares no code with the tested
 * selection.
 */
#include <math.h>
#include <stdlib.h>

#include "core/stats/gilk-histogram.h"
#include "tests/unit/number-shapes.h"

static double
sorted_quantile (const double *sorted, gsize n, double q)
{
  double at = q * (double) (n - 1);
  gsize i = (gsize) at;

  return i + 1 < n ? sorted[i] + (at - (double) i) * (sorted[i + 1] - sorted[i]) : sorted[i];
}

static void
assert_consistent (const GilkHistogram *h)
{
  uint64_t sum = 0;

  for (guint i = 0; i < h->n_bins; i++)
    {
      sum += h->counts[i];
      g_assert_cmpfloat (h->edges[i], <, h->edges[i + 1]);
    }
  g_assert_cmpuint (sum, ==, h->n);
  g_assert_cmpfloat (h->edges[0], <=, h->min);
  g_assert_cmpfloat (h->edges[h->n_bins], >=, h->max);
}

static void
assert_bins_hold_their_values (const GilkHistogram *h, const double *v, gsize n)
{
  for (guint b = 0; b < h->n_bins; b++)
    {
      uint64_t in = 0;
      gboolean last = b + 1 == h->n_bins;

      for (gsize i = 0; i < n; i++)
        in += v[i] >= h->edges[b] && (v[i] < h->edges[b + 1] || (last && v[i] <= h->edges[b + 1]));
      g_assert_cmpuint (in, ==, h->counts[b]);
    }
}

static void
test_quantiles (void)
{
  static const gsize sizes[] = { 1, 2, 3, 4, 10, 101, 1000, 4096 };

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (guint shape = 0; shape < 4; shape++)
      {
        gsize n = sizes[s];
        g_autofree double *v = g_new (double, n);
        g_autoptr(GilkHistogram) h = NULL;

        for (gsize i = 0; i < n; i++)
          v[i] = shape == 0 ? g_test_rand_double ()
               : shape == 1 ? (double) i
               : shape == 2 ? (double) (n - i)
               : (double) g_test_rand_int_range (0, 3);
        h = gilk_histogram_new (v, n, 0, FALSE);
        assert_consistent (h);
        assert_bins_hold_their_values (h, v, n);
        qsort (v, n, sizeof *v, compare_doubles);
        g_assert_cmpfloat_with_epsilon (h->median, sorted_quantile (v, n, 0.5), 1e-12);
        g_assert_cmpfloat_with_epsilon (h->p90, sorted_quantile (v, n, 0.9), 1e-9);
        g_assert_cmpfloat_with_epsilon (h->p99, sorted_quantile (v, n, 0.99), 1e-9);
        g_assert_cmpfloat_with_epsilon (h->p999, sorted_quantile (v, n, 0.999), 1e-9);
        g_assert_cmpfloat (h->min, ==, v[0]);
        g_assert_cmpfloat (h->max, ==, v[n - 1]);
      }
}

static void
test_moments (void)
{
  static const double v[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
  g_autoptr(GilkHistogram) h = gilk_histogram_new (v, G_N_ELEMENTS (v), 0, FALSE);

  g_assert_cmpfloat (h->mean, ==, 5.0);
  g_assert_cmpfloat_with_epsilon (h->stddev, sqrt (32.0 / 7.0), 1e-12);
  g_assert_cmpfloat (h->median, ==, 4.5);
}

static void
test_whole_numbers (void)
{
  static const double v[] = { 1, 2, 2, 3, 3, 3, 4, 4, 5 };
  g_autoptr(GilkHistogram) h = gilk_histogram_new (v, G_N_ELEMENTS (v), 0, FALSE);

  assert_consistent (h);
  g_assert_cmpfloat (h->edges[0], ==, 0.5);
  for (guint i = 0; i <= h->n_bins; i++)
    g_assert_cmpfloat (h->edges[i] - 0.5, ==, rint (h->edges[i] - 0.5));
}

static void
test_logarithmic (void)
{
  static const double v[] = { 0.0, -3.0, 1.0, 10.0, 100.0, 1000.0, NAN, INFINITY };
  g_autoptr(GilkHistogram) h = gilk_histogram_new (v, G_N_ELEMENTS (v), 3, TRUE);

  g_assert_cmpuint (h->n, ==, 4);
  g_assert_cmpuint (h->ignored, ==, 4);
  g_assert_cmpuint (h->n_bins, ==, 3);
  assert_consistent (h);
  g_assert_cmpfloat_with_epsilon (h->edges[1], 10.0, 1e-9);
  g_assert_cmpuint (h->counts[2], ==, 2);
}

/* Tests values that a hostile or unusual instrument may deliver. */
static void
test_odd_data (void)
{
  static const double none[] = { NAN, -INFINITY };
  static const double wide[] = { -1e308, 0.0, 1e308, 1.0 };
  static const double same[] = { 7.25, 7.25, 7.25 };
  static const double big[] = { 18446744073709551615.0, 18446744073709551615.0, 0.0 };
  g_autoptr(GilkHistogram) empty = gilk_histogram_new (NULL, 0, 0, FALSE);
  g_autoptr(GilkHistogram) nothing = gilk_histogram_new (none, 2, 0, TRUE);
  g_autoptr(GilkHistogram) h_wide = gilk_histogram_new (wide, 4, 0, FALSE);
  g_autoptr(GilkHistogram) h_same = gilk_histogram_new (same, 3, 0, FALSE);
  g_autoptr(GilkHistogram) h_same_log = gilk_histogram_new (same, 3, 0, TRUE);
  g_autoptr(GilkHistogram) h_big = gilk_histogram_new (big, 3, 0, FALSE);

  g_assert_cmpuint (empty->n, ==, 0);
  g_assert_cmpuint (nothing->n, ==, 0);
  g_assert_cmpuint (nothing->ignored, ==, 2);
  assert_consistent (h_wide);
  assert_consistent (h_same);
  assert_consistent (h_same_log);
  assert_consistent (h_big);
  g_assert_cmpfloat (h_same->median, ==, 7.25);
}

static void
test_auto_bins_bounded (void)
{
  g_autofree double *v = g_new (double, 100000);
  g_autoptr(GilkHistogram) h = NULL;

  for (guint i = 0; i < 100000; i++)
    v[i] = pow (g_test_rand_double (), 12.0) * 1e9;
  h = gilk_histogram_new (v, 100000, 0, FALSE);
  assert_consistent (h);
  g_assert_cmpuint (h->n_bins, <=, 200);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/histogram/quantiles", test_quantiles);
  g_test_add_func ("/histogram/moments", test_moments);
  g_test_add_func ("/histogram/whole-numbers", test_whole_numbers);
  g_test_add_func ("/histogram/logarithmic", test_logarithmic);
  g_test_add_func ("/histogram/odd-data", test_odd_data);
  g_test_add_func ("/histogram/auto-bins-bounded", test_auto_bins_bounded);

  return g_test_run ();
}
