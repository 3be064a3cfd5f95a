/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-gaps.c - tests that no data is invented where a hook was off or samples were lost
 */
/* Promise: no data is invented where a hook was off or samples were lost */
#include <math.h>

#include "core/stats/gilk-gaps.h"

static GArray *
gaps_of (const GilkGap *gaps, guint n, double duration)
{
  GArray *array = g_array_new (FALSE, FALSE, sizeof (GilkGap));

  g_array_append_vals (array, gaps, n);
  gilk_gaps_normalise (array, duration);

  return array;
}

#define GAPS(duration, ...) \
  gaps_of ((const GilkGap[]) { __VA_ARGS__ }, sizeof ((const GilkGap[]) { __VA_ARGS__ }) / sizeof (GilkGap), duration)

static void
test_tidy (void)
{
  g_autoptr(GArray) gaps = GAPS (20.0,
    { 10.0, 30.0, GILK_GAP_OFF, 0 }, { -1.0, 2.0, GILK_GAP_OFF, 0 }, { 5.0, 5.0, GILK_GAP_OFF, 0 },
    { 3.0, 4.0, GILK_GAP_LOST, 10 }, { 3.5, 4.5, GILK_GAP_LOST, 20 }, { 3.6, 3.9, GILK_GAP_LOST, 5 },
    { 9.0, 11.0, GILK_GAP_LOST, 8 });
  const GilkGap *gap = (const GilkGap *) gaps->data;

  g_assert_cmpuint (gaps->len, ==, 5);
  g_assert_true (gap[0].from == 0.0 && gap[0].to == 2.0 && gap[0].kind == GILK_GAP_OFF);
  g_assert_true (gap[1].from == 3.0 && gap[1].to == 4.0);
  g_assert_true (gap[2].from == 4.0 && gap[2].to == 4.5);
  g_assert_true (gap[3].from == 9.0 && gap[3].to == 10.0 && gap[3].lost == 8.0);
  g_assert_true (gap[4].from == 10.0 && gap[4].to == 20.0 && gap[4].kind == GILK_GAP_OFF);
  g_assert_cmpfloat_with_epsilon (gilk_gaps_lost (gaps, 0.0, 20.0), 43.0, 1e-9);

  g_assert_false (gilk_gaps_touch (gaps, 2.0, 3.0));
  g_assert_true (gilk_gaps_touch (gaps, 2.5, 3.1));
  g_assert_true (gilk_gaps_touch (gaps, 2.5, 8.0));
  g_assert_false (gilk_gaps_touch (gaps, 5.0, 9.0));
  g_assert_cmpfloat_with_epsilon (gilk_gaps_measured (gaps, 0.0, 20.0), 8.0, 1e-9);
  g_assert_cmpfloat_with_epsilon (gilk_gaps_lost (gaps, 9.5, 20.0), 4.0, 1e-9);
  g_assert_false (gilk_gaps_touch (NULL, 0.0, 1.0));
}

/* Tests a counter with 100 hits per second from 2 s to 5 s that is read every 0.3 s: each rate that
 * can be computed is 100. */
static void
test_count_rates (void)
{
  g_autoptr(GArray) gaps = GAPS (9.0, { 0, 2, GILK_GAP_OFF, 0 }, { 5, 9, GILK_GAP_OFF, 0 });
  g_autoptr(GArray) at = NULL, rates = NULL;
  double times[31], counts[31];
  guint known = 0;

  for (guint i = 0; i < 31; i++)
    {
      times[i] = 0.3 * i;
      counts[i] = 100.0 * (CLAMP (times[i], 2.0, 5.0) - 2.0);
    }
  gilk_count_rates (times, counts, 31, gaps, &at, &rates);
  for (guint i = 0; i < rates->len; i++)
    {
      double rate = g_array_index (rates, double, i), when = g_array_index (at, double, i);

      if (isnan (rate))
        continue;
      known++;
      g_assert_cmpfloat_with_epsilon (rate, 100.0, 1e-6);
      g_assert_true (when > 2.0 && when <= 5.0 + 1e-9);
    }
  g_assert_cmpuint (known, >=, 10);
}

/* Tests that lost samples count in the rate; while the hook was off, the rate is undefined, not
 * zero. */
static void
test_rate (void)
{
  g_autoptr(GArray) gaps = GAPS (10.0, { 2, 4, GILK_GAP_LOST, 15 }, { 6, 10, GILK_GAP_OFF, 0 });
  double rates[10] = { 0.0 };
  const double edges[11] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };

  for (guint i = 0; i < 60; i++)
    rates[i / 10] += i < 20 || i >= 40 || i % 4 == 0;
  gilk_rate_of_counts (rates, edges, 10, gaps);
  for (guint i = 0; i < 6; i++)
    g_assert_cmpfloat_with_epsilon (rates[i], 10.0, i == 2 || i == 3 ? 0.51 : 1e-9);
  for (guint i = 6; i < 10; i++)
    g_assert_true (isnan (rates[i]));
}

/* Tests that without gaps, a rate is the count divided by the time. */
static void
test_rate_without_gaps (void)
{
  double rates[7] = { 0.0 }, edges[8], sum = 0.0;

  for (guint i = 0; i <= 7; i++)
    edges[i] = i / 7.0;
  for (guint i = 0; i < 1000; i++)
    rates[i * 7 / 1000] += 1.0;
  gilk_rate_of_counts (rates, edges, 7, NULL);
  for (guint i = 0; i < 7; i++)
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

  g_test_add_func ("/gaps/tidy", test_tidy);
  g_test_add_func ("/gaps/count-rates", test_count_rates);
  g_test_add_func ("/gaps/rate", test_rate);
  g_test_add_func ("/gaps/rate-without-gaps", test_rate_without_gaps);

  return g_test_run ();
}
