/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-median.c - confidence intervals of a median have their stated coverage
 */
/* Promise: confidence intervals of a median have their stated coverage */
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
  /* scipy.stats.binom.ppf (0.025, 101, 0.5) is 41: x(41) to x(61), counted from 1. */
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
  /* At most 2.5 % each; the binomial gives 2.3 %. Four standard deviations are 0.42 %. */
  g_assert_cmpfloat ((double) below / rounds, <, 0.0275);
  g_assert_cmpfloat ((double) above / rounds, <, 0.0275);
  g_assert_cmpfloat ((double) (below + above) / rounds, >, 0.035);
}

static double
draw_normal (GRand *rand)
{
  return sqrt (-2 * log (1 - g_rand_double (rand))) * cos (2 * G_PI * g_rand_double (rand));
}

/* A hit costs about 50 ns, with a level that differs by 4 ns between measurements and a tail in
 * single rows; the cost at the next measurement lies in the interval, which one for independent
 * rows seldom achieves. */
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

#define MEASURED_MOST 12

typedef struct { double over_time, first, all_rows; } Held;    /* fractions of trials */

/*
 * Simulates a drifting cost of a hit: the level of each measurement is 50 ns with a standard
 * deviation of 5, rows within a measurement have one of 1. Returns how often the true mean is in
 * the interval of @n measurements, of the first alone (whose rounds share a level), and of all rows
 * as if they were independent.
 */
static Held
simulate_drift (guint n, guint trials)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (1977 + n);
  const guint each = 15;
  guint over_time = 0, first = 0, all_rows = 0;

  for (guint t = 0; t < trials; t++)
    {
      double rows[(GILK_MEDIAN_ROUNDS + MEASURED_MOST) * 15], all[(GILK_MEDIAN_ROUNDS + MEASURED_MOST) * 15];
      double medians[MEASURED_MOST];
      guint count = 0;
      GilkMedian m;

      for (guint i = 0; i < n; i++)
        {
          guint begin = count, rounds = i == 0 ? GILK_MEDIAN_ROUNDS : 1;

          for (double level = 50 + 5 * draw_normal (rand); count < begin + rounds * each; count++)
            rows[count] = all[count] = level + draw_normal (rand);
          medians[i] = gilk_median_of (all + begin, rounds * each, 0.025).value;
        }
      m = gilk_median_over_time (medians, n);
      g_assert_true (m.low <= m.value && m.value <= m.high);
      over_time += m.low <= 50 && 50 <= m.high;
      m = gilk_median_of_rounds (rows, each);
      first += m.low <= 50 && 50 <= m.high;
      m = gilk_median_of (all, count, 0.025);
      all_rows += m.low <= 50 && 50 <= m.high;
    }

  return (Held) { (double) over_time / trials, (double) first / trials, (double) all_rows / trials };
}

static void
test_over_time (void)
{
  static const guint numbers[] = { 2, 3, 4, 6, MEASURED_MOST };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      Held held = simulate_drift (numbers[i], 4000);

      g_test_message ("%u measurements hold the mean in %.4f, the first in %.4f, all rows in %.4f", numbers[i], held.over_time,
                      held.first, held.all_rows);
      g_assert_cmpfloat (held.over_time, >=, 0.93);
      g_assert_cmpfloat (held.over_time, <=, 0.97);
      g_assert_cmpfloat (held.first, <, 0.35);
      g_assert_cmpfloat (held.all_rows, <, 0.5);
    }
}

/* R: t.test (c (1, 2, 4))$conf.int; then 31 alternating 0 and 1, whose median is outside of the
 * interval. */
static void
test_student (void)
{
  const double three[] = { 1, 2, 4 };
  double many[31];
  GilkMedian m = gilk_median_over_time (three, 3);

  g_assert_cmpfloat (m.value, ==, 2);
  g_assert_cmpfloat_with_epsilon (m.low, 7 / 3.0 - 4.302653 * 1.527525 / sqrt (3), 1e-5);
  g_assert_cmpfloat_with_epsilon (m.high, 7 / 3.0 + 4.302653 * 1.527525 / sqrt (3), 1e-5);
  for (guint i = 0; i < 31; i++)
    many[i] = i % 2;
  m = gilk_median_over_time (many, 31);
  g_assert_cmpfloat_with_epsilon (m.high, 15 / 31.0 + 2.042272 * sqrt (15 * 16 / 31.0 / 30) / sqrt (31), 1e-5);
  g_assert_cmpfloat (m.low, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/median/order", test_order);
  g_test_add_func ("/median/covers", test_covers);
  g_test_add_func ("/median/rounds", test_rounds);
  g_test_add_func ("/median/over-time", test_over_time);
  g_test_add_func ("/median/student", test_student);

  return g_test_run ();
}
