/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-median.c - tests that confidence intervals of a median, and of the cost of a hit, have their
 * stated coverage
 */
/* Promise: confidence intervals of a median have their stated coverage */
#include "core/cost/gilk-median.h"

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
  /* scipy.stats.binom.ppf (0.025, 101, 0.5) is 41, so the interval is x(41) to x(61), counted
   * from 1. */
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
  /* At most 2.5 % of the intervals may miss on each side; the binomial distribution gives 2.3 %.
   * Four standard deviations are 0.42 %. */
  g_assert_cmpfloat ((double) below / rounds, <, 0.0275);
  g_assert_cmpfloat ((double) above / rounds, <, 0.0275);
  g_assert_cmpfloat ((double) (below + above) / rounds, >, 0.035);
}

static double
draw_normal (GRand *rand)
{
  return sqrt (-2 * log (1 - g_rand_double (rand))) * cos (2 * G_PI * g_rand_double (rand));
}

/* Simulates measurements of hits that cost about 50 ns. The level varies by 4 ns between
 * measurements, and the costs in a measurement have a long tail. The interval must contain the cost
 * at the next measurement; an interval for independent values would seldom contain it. */
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
      next += 0.57536414490356;     /* adds the median of the tail */
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

#define COPIES      7
#define TIMES_MOST  12
#define RUNS        20
#define OCTAVES     20      /* number of time constants in the drift, from 1 ms to 500 s */
#define RUN_SECONDS 3.0

/* Quantiles of Student's t, two-sided 95 %, indexed by degrees of freedom */
static const double student_95[TIMES_MOST] = {
  NAN, 12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157, 2.228139, 2.200985,
};

/*
 * A simulated machine. A hit costs 50 ns, plus random parts that depend on the location of the
 * hook's copy, on the time, and on both. The part that depends on the time drifts with 1/f
 * noise: each octave of time constants contributes equally.
 */
typedef struct {
  const char *name;
  double      place, drift, rest;     /* standard deviations in ns; @drift: per octave */
  double      slow_places;            /* proportion of locations that cost 14 ns more */
  double      outliers, more;         /* proportion of times when all copies cost @more ns more */
} Machine;

typedef struct {
  GRand  *rand;
  double  octaves[OCTAVES];
} Drift;

static void
let_pass (Drift *drift, double seconds)
{
  for (guint i = 0; i < OCTAVES; i++)
    {
      double kept = exp (-seconds / (0.001 * exp2 (i)));

      drift->octaves[i] = kept * drift->octaves[i] + sqrt (1 - kept * kept) * draw_normal (drift->rand);
    }
}

/* Draws the values of a run: @n_times measurements of new copies, spread over RUN_SECONDS. */
static void
draw_run (Drift *drift, const Machine *machine, guint n_times, double *values)
{
  double places[COPIES];

  for (guint c = 0; c < COPIES; c++)
    places[c] = machine->place * draw_normal (drift->rand) + (g_rand_double (drift->rand) < machine->slow_places ? 14 : 0);
  for (guint t = 0; t < n_times; t++)
    {
      double level = 50 + (g_rand_double (drift->rand) < machine->outliers ? machine->more : 0);

      let_pass (drift, RUN_SECONDS / n_times);
      for (guint i = 0; i < OCTAVES; i++)
        level += machine->drift * drift->octaves[i];
      for (guint c = 0; c < COPIES; c++)
        values[t * COPIES + c] = level + places[c] + machine->rest * draw_normal (drift->rand);
    }
}

static double
compute_level (const double *values, guint n_times)
{
  double sum = 0;

  for (guint t = 0; t < n_times; t++)
    sum += gilk_trimmed_mean (values + t * COPIES, COPIES);

  return sum / n_times;
}

static gboolean
holds (const GilkMedian *interval, double value)
{
  return interval->low <= value && value <= interval->high;
}

typedef struct { double all, within; } Held;    /* see simulate_series() */

/*
 * Simulates series of RUNS runs on one machine. @all: proportion of runs whose interval contains
 * the mean of their series. @within: the same proportion, if the intervals were computed only from
 * the spread between measurements of one copy.
 */
static Held
simulate_series (const Machine *machine, guint n_times, guint series)
{
  Drift drift = { .rand = g_rand_new_with_seed (1977 + n_times) };
  guint all = 0, within = 0;

  for (guint i = 0; i < series; i++)
    {
      GilkMedian intervals[RUNS], of_one[RUNS];
      double mean = 0;

      for (guint o = 0; o < OCTAVES; o++)
        drift.octaves[o] = draw_normal (drift.rand);
      for (guint r = 0; r < RUNS; r++)
        {
          double values[TIMES_MOST * COPIES], squares = 0, one = 0, half;

          let_pass (&drift, RUN_SECONDS);
          draw_run (&drift, machine, n_times, values);
          mean += compute_level (values, n_times) / RUNS;
          intervals[r] = gilk_median_over_time (values, COPIES, n_times);
          g_assert_true (intervals[r].low <= intervals[r].value && intervals[r].value <= intervals[r].high);
          for (guint t = 0; t < n_times; t++)
            one += values[t * COPIES] / n_times;
          for (guint t = 0; t < n_times; t++)
            squares += (values[t * COPIES] - one) * (values[t * COPIES] - one);
          half = student_95[n_times - 1] * sqrt (squares / (n_times - 1) / n_times);
          of_one[r] = (GilkMedian) { one, one - half, one + half };
        }
      for (guint r = 0; r < RUNS; r++)
        {
          all += holds (&intervals[r], mean);
          within += holds (&of_one[r], mean);
        }
    }
  g_rand_free (drift.rand);

  return (Held) { (double) all / (series * RUNS), (double) within / (series * RUNS) };
}

static void
test_over_time (void)
{
  static const Machine machines[] = {
    { .name = "drift", .drift = 0.4 },
    { .name = "drift, places", .drift = 0.4, .place = 0.5, .rest = 0.3 },
    { .name = "drift, places, slow places, outliers", .drift = 0.4, .place = 0.5, .rest = 0.3, .slow_places = 0.025,
      .outliers = 0.05, .more = 5 },
    { .name = "places and drift alike", .drift = 0.4, .place = 2, .rest = 0.3 },
    { .name = "places above all", .drift = 0.1, .place = 2, .rest = 0.1 },
  };
  static const guint numbers[] = { 4, 6, 9, TIMES_MOST };

  for (guint m = 0; m < G_N_ELEMENTS (machines); m++)
    for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
      {
        Held held = simulate_series (&machines[m], numbers[i], 400);

        g_test_message ("%s, %u measurements: %.4f hold the mean of %u runs, within one copy %.4f", machines[m].name,
                        numbers[i], held.all, RUNS, held.within);
        g_assert_cmpfloat (held.all, >=, 0.93);
        g_assert_cmpfloat (held.all, <=, 0.97);
        g_assert_cmpfloat (held.within, <, 0.9);
      }
}

/* Tests intervals against R. The first is for x = c (1, 2, 4), with equal copies:
 * mean (x) + c (-1, 1) * qt (0.975, 2) * sd (x) * sqrt (1/3 + 0.4). The second is for 31 values
 * that alternate between 0 and 1; their median is outside the mean's interval. */
static void
test_student (void)
{
  const double three[] = { 1, 2, 4 };
  double values[31 * COPIES];
  GilkMedian m;

  for (guint i = 0; i < 3 * COPIES; i++)
    values[i] = three[i / COPIES];
  m = gilk_median_over_time (values, COPIES, 3);
  g_assert_cmpfloat (m.value, ==, 2);
  g_assert_cmpfloat_with_epsilon (m.low, 7 / 3.0 - 4.302653 * 1.527525 * sqrt (1 / 3.0 + 0.4), 1e-5);
  g_assert_cmpfloat_with_epsilon (m.high, 7 / 3.0 + 4.302653 * 1.527525 * sqrt (1 / 3.0 + 0.4), 1e-5);
  for (guint i = 0; i < 31 * COPIES; i++)
    values[i] = i / COPIES % 2;
  m = gilk_median_over_time (values, COPIES, 31);
  g_assert_cmpfloat_with_epsilon (m.high, 15 / 31.0 + 2.042272 * sqrt (15 * 16 / 31.0 / 30) * sqrt (1 / 31.0 + 0.4), 1e-5);
  g_assert_cmpfloat (m.value, ==, 0);
}

/* Tests an interval if copies differ, but times do not. The expected interval was computed
 * with R for x = c (1, 2, 4, 5, 6, 6, 30), whose winsorised values are w = c (2, 2, 4, 5, 6, 6, 6):
 * mean (c (2, 4, 5, 6, 6)) + c (-1, 1) * qt (0.975, 4) * sd (w) * sqrt (7) / 5 */
static void
test_trimmed (void)
{
  const double places[COPIES] = { 4, 30, 6, 1, 5, 6, 2 };
  const double half = 2.776445 * 1.812654 * sqrt (7) / 5;
  double values[3 * COPIES];
  GilkMedian m;

  for (guint i = 0; i < 3 * COPIES; i++)
    values[i] = places[i % COPIES];
  m = gilk_median_over_time (values, COPIES, 3);
  g_assert_cmpfloat_with_epsilon (gilk_trimmed_mean (places, COPIES), 23 / 5.0, 1e-9);
  g_assert_cmpfloat_with_epsilon (m.value, 23 / 5.0, 1e-9);
  g_assert_cmpfloat_with_epsilon (m.low, 23 / 5.0 - half, 1e-5);
  g_assert_cmpfloat_with_epsilon (m.high, 23 / 5.0 + half, 1e-5);
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
  g_test_add_func ("/median/trimmed", test_trimmed);

  return g_test_run ();
}
