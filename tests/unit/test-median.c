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

static double
draw_normal (GRand *rand)
{
  return sqrt (-2 * log (1 - g_rand_double (rand))) * cos (2 * G_PI * g_rand_double (rand));
}

/* A hit costs 50 ns, another moment 4 more or less, and single rows have a tail; what it costs in the next moment is in the
 * interval, which that of independent rows seldom is. */
static void
expect_rounds (double between, double least, double most)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (11);
  const guint trials = 4000, each = 15, n = GILK_MEDIAN_ROUNDS * each;
  guint held = 0, alone = 0;

  for (guint t = 0; t < trials; t++)
    {
      double values[GILK_MEDIAN_ROUNDS * 15], next = 50 + between * draw_normal (rand);
      GilkMedian m, of_all;

      for (guint i = 0, r = 0; r < GILK_MEDIAN_ROUNDS; r++)
        for (double level = 50 + between * draw_normal (rand); i < (r + 1) * each; i++)
          values[i] = level + 0.5 * draw_normal (rand) - 2 * log (1 - g_rand_double (rand) * 0.5);
      m = gilk_median_of_rounds (values, each);
      of_all = gilk_median_of (values, n, 0.025);
      next += 0.57536414490356;     /* the median of the tail */
      held += m.low <= next && next <= m.high;
      alone += of_all.low <= next && next <= of_all.high;
      g_assert_true (m.low <= m.value && m.value <= m.high);
    }
  g_test_message ("between %g: %.4f, as one round %.4f", between, (double) held / trials, (double) alone / trials);
  g_assert_cmpfloat ((double) held / trials, >=, least);
  g_assert_cmpfloat ((double) held / trials, <=, most);
  g_assert_true (between == 0 || (double) alone / trials < 0.6);
}

static void
test_rounds (void)
{
  expect_rounds (4, 0.93, 0.97);
  expect_rounds (0, 0.93, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/median/order", test_order);
  g_test_add_func ("/median/covers", test_covers);
  g_test_add_func ("/median/rounds", test_rounds);

  return g_test_run ();
}
