/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-median.c - the interval of a median holds it as often as it says
 */
#include "core/base/gilk-median.h"

#include <math.h>

static void
test_order (void)
{
  double odd[] = { 3, 1, 2 }, even[] = { 4, 1, 3, 2 }, one[] = { 7 };
  double many[101];
  GilkMedian m = gilk_median_of (odd, 3, 0.025);

  g_assert_true (m.value == 2 && m.low == 1 && m.high == 3);
  m = gilk_median_of (even, 4, 0.025);
  g_assert_true (m.value == 2.5 && m.low == 1 && m.high == 4);
  m = gilk_median_of (one, 1, 0.025);
  g_assert_true (m.value == 7 && m.low == 7 && m.high == 7);
  for (guint i = 0; i < 101; i++)
    many[i] = 100 - i;
  /* scipy.stats.binom.ppf (0.025, 101, 0.5) is 41: x(41) to x(61) from 1 on. */
  m = gilk_median_of (many, 101, 0.025);
  g_assert_cmpfloat (m.value, ==, 50);
  g_assert_cmpfloat (m.low, ==, 40);
  g_assert_cmpfloat (m.high, ==, 60);
}

static void
test_covers (void)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (7);
  guint below = 0, above = 0;
  const guint rounds = 20000;

  for (guint r = 0; r < rounds; r++)
    {
      double values[101];
      GilkMedian m;

      for (guint i = 0; i < 101; i++)
        values[i] = -log (1 - g_rand_double (rand));
      m = gilk_median_of (values, 101, 0.025);
      below += m.high < G_LN2;
      above += m.low > G_LN2;
    }
  /* At most 2.5 % each; by the binomial it is 2.3 %. Four deviations are 0.42 %. */
  g_assert_cmpfloat ((double) below / rounds, <, 0.0275);
  g_assert_cmpfloat ((double) above / rounds, <, 0.0275);
  g_assert_cmpfloat ((double) (below + above) / rounds, >, 0.035);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/median/order", test_order);
  g_test_add_func ("/median/covers", test_covers);

  return g_test_run ();
}
