/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-decimate.c - columns keep every extreme; rates add up to the events
 */
#include <math.h>

#include "core/analysis/gilk-decimate.h"

static void
test_columns (void)
{
  static const double times[]  = { 0.0, 0.5, 1.0, 1.2, 1.9, 3.0, 4.0 };
  static const double values[] = { 5.0, -1.0, 2.0, 9.0, 3.0, NAN, 7.0 };
  GilkColumn c[4];

  gilk_decimate (times, values, G_N_ELEMENTS (times), 0.0, 4.0, c, 4);
  g_assert_cmpuint (c[0].n, ==, 2);
  g_assert_cmpfloat (c[0].min, ==, -1.0);
  g_assert_cmpfloat (c[0].max, ==, 5.0);
  g_assert_cmpfloat (c[0].last, ==, -1.0);
  g_assert_cmpuint (c[1].n, ==, 3);
  g_assert_cmpfloat (c[1].max, ==, 9.0);
  g_assert_cmpuint (c[2].n, ==, 0);
  g_assert_cmpuint (c[3].n, ==, 1);
  g_assert_cmpfloat (c[3].max, ==, 7.0);
}

static void
test_range (void)
{
  double times[100], values[100];
  GilkColumn c[10];
  guint seen = 0;

  for (int i = 0; i < 100; i++)
    times[i] = values[i] = i;
  gilk_decimate (times, values, 100, 20.0, 30.0, c, 10);
  for (int i = 0; i < 10; i++)
    {
      seen += c[i].n;
      g_assert_cmpfloat (c[i].min, ==, 20 + i);
    }
  g_assert_cmpuint (seen, ==, 11);
}

static void
test_empty_and_backward (void)
{
  GilkColumn c[3];
  double rates[3];

  gilk_decimate (NULL, NULL, 0, 0.0, 1.0, c, 3);
  g_assert_cmpuint (c[0].n + c[1].n + c[2].n, ==, 0);
  gilk_decimate (NULL, NULL, 0, 1.0, 1.0, c, 3);
  gilk_rate (NULL, 0, 2.0, 1.0, NULL, rates, 3);
  g_assert_cmpfloat (rates[0], ==, 0.0);
}

static void
test_rate (void)
{
  double times[1000], rates[7], sum = 0.0;

  for (int i = 0; i < 1000; i++)
    times[i] = i / 1000.0;
  gilk_rate (times, 1000, 0.0, 1.0, NULL, rates, 7);
  for (int i = 0; i < 7; i++)
    {
      sum += rates[i] / 7.0;
      g_assert_cmpfloat (fabs (rates[i] - 1000.0), <, 7.5);
    }
  g_assert_cmpfloat_with_epsilon (sum, 1000.0, 1e-6);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/decimate/columns", test_columns);
  g_test_add_func ("/decimate/range", test_range);
  g_test_add_func ("/decimate/empty-and-backward", test_empty_and_backward);
  g_test_add_func ("/decimate/rate", test_rate);

  return g_test_run ();
}
