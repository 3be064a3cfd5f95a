/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-field-stats.c - computes statistics and a history of sampled values and of times between
 * hits, for samples that arrive from the CPUs in any order
 */
#include <math.h>

#include "core/figure/gilk-figure.h"
#include "core/run/gilk-field-stats.h"

#define HZ 1000000000ull

static const struct ilk_field number = { .name = "elapsed", .unit = "ns", .type = ILK_FIELD_U64, .size = 8 };
static const struct ilk_field interval = { .name = "interval", .unit = "ns", .type = ILK_FIELD_U64 };

static void
test_numbers (void)
{
  const GilkClock clock = gilk_clock_at (0, HZ);
  g_autoptr(GilkFieldStats) stats = gilk_field_stats_new (&number);
  g_autoptr(GilkSketch) sketch = NULL;
  g_autoptr(GilkValueHistory) history = NULL;

  for (uint64_t i = 1; i <= 100000; i++)
    gilk_field_stats_add (stats, &clock, i * 1000000, &i, sizeof i);
  gilk_field_stats_add (stats, &clock, 5, &sketch, 4);        /* too few bytes for a number */
  sketch = gilk_field_stats_sketch (stats);
  history = gilk_field_stats_history (stats);
  g_assert_cmpuint (sketch->n, ==, 100000);
  g_assert_cmpfloat (sketch->max, ==, 100000);
  g_assert_cmpuint (gilk_value_history_n (history), <=, GILK_VALUES_SLICES);
  g_assert_cmpfloat (gilk_value_history_length (history), ==, 1);
  for (guint i = 0; i < 100; i++)
    {
      double least = MAX (1000 * i, 1), greatest = 1000 * i + 999;

      g_assert_cmpuint (gilk_value_history_count (history, i), ==, i == 0 ? 999 : 1000);
      g_assert_cmpfloat (gilk_value_history_quantile (history, i, 0), ==, least);
      g_assert_cmpfloat (gilk_value_history_quantile (history, i, 1), ==, greatest);
      g_assert_cmpfloat_with_epsilon (gilk_value_history_quantile (history, i, 0.5), 1000 * i + 500, 0.03 * (1000 * i + 500));
    }
}

/* Tests intervals between samples of two CPUs, which are 1 ms apart and arrive in alternating
 * batches of 20 ms. */
static void
test_intervals (void)
{
  const GilkClock clock = gilk_clock_at (1000, HZ);
  g_autoptr(GilkFieldStats) stats = gilk_field_stats_new (&interval);
  g_autoptr(GilkSketch) sketch = NULL;
  g_autoptr(GilkValueHistory) history = NULL;

  for (guint flush = 0; flush < 100; flush++)
    for (guint cpu = 0; cpu < 2; cpu++)
      for (guint i = cpu; i < 20; i += 2)
        gilk_field_stats_add (stats, &clock, 1000 + (flush * 20 + i) * 1000000ull, NULL, 0);
  sketch = gilk_field_stats_sketch (stats);
  history = gilk_field_stats_history (stats);
  g_assert_cmpuint (sketch->n, >, 1700);
  g_assert_cmpfloat (sketch->min, ==, 1e6);
  g_assert_cmpfloat (sketch->max, ==, 1e6);
  g_assert_cmpfloat (gilk_value_history_quantile (history, 3, 0.5), ==, 1e6);
}

/* Tests that impossible times and equal times do not cause wrong results, and that memory stays
 * bounded. */
static void
test_hostile (void)
{
  const GilkClock clock = gilk_clock_at (G_MAXUINT64 / 2, 1), usual = gilk_clock_at (0, HZ);
  g_autoptr(GilkFieldStats) stats = gilk_field_stats_new (&interval), other = gilk_field_stats_new (&interval);
  g_autoptr(GilkSketch) sketch = NULL, same = NULL;
  g_autoptr(GilkValueHistory) history = NULL;
  const uint64_t times[] = { 0, G_MAXUINT64, 1, G_MAXUINT64 / 2, G_MAXUINT64 - 1 };

  for (guint i = 0; i < 1000; i++)
    gilk_field_stats_add (stats, &clock, times[i % G_N_ELEMENTS (times)], NULL, 0);
  sketch = gilk_field_stats_sketch (stats);
  history = gilk_field_stats_history (stats);
  g_assert_cmpuint (gilk_value_history_n (history), <=, GILK_VALUES_SLICES);
  g_assert_true (sketch->n == 0 || sketch->min >= 1);
  /* All hits have the same time, and the queue cannot hold all of them. */
  for (guint i = 0; i < 5 << 20; i++)
    gilk_field_stats_add (other, &usual, G_MAXINT64, NULL, 0);
  same = gilk_field_stats_sketch (other);
  g_assert_cmpuint (same->n, ==, (4 << 20) - 1);
}

static void
test_signs (void)
{
  g_autoptr(GilkValueHistory) history = gilk_value_history_new ();
  g_autoptr(GilkValueHistory) copy = NULL;

  for (int i = -1000; i <= 1000; i++)
    gilk_value_history_add (history, 0.1, i);
  /* This value comes so late that the slices of the history are merged repeatedly, to span its
   * time. */
  gilk_value_history_add (history, 1e6, 7);
  copy = gilk_value_history_copy (history);
  g_assert_cmpuint (gilk_value_history_count (copy, 0), ==, 2001);
  g_assert_cmpfloat (gilk_value_history_quantile (copy, 0, 0), ==, -1000);
  g_assert_cmpfloat_with_epsilon (gilk_value_history_quantile (copy, 0, 0.25), -500, 16);
  g_assert_cmpfloat_with_epsilon (gilk_value_history_quantile (copy, 0, 0.75), 500, 16);
  g_assert_cmpfloat (gilk_value_history_quantile (copy, gilk_value_history_n (copy) - 1, 0.5), ==, 7);
  g_assert_true (isnan (gilk_value_history_quantile (copy, 1, 0.5)));
}

static void
test_figure (void)
{
  g_autoptr(GilkValueHistory) values = gilk_value_history_new ();
  g_autoptr(GilkRunHistory) run = gilk_run_history_new ();
  g_autoptr(GilkFigure) none = gilk_live_values (run, NULL, NULL, NULL, NULL), figure = NULL;
  GilkHookFigures hook = { 0 };

  g_assert_nonnull (none->message);
  for (guint i = 1; i <= 40; i++)
    {
      const GilkRunFigures figures = { .elapsed = i * 0.1, .n_hooks = 1, .hooks = &hook };

      gilk_value_history_add (values, figures.elapsed, 100 * i);
      gilk_run_history_add (run, &figures);
    }
  figure = gilk_live_values (run, values, "a", "elapsed", "ns");
  g_assert_null (figure->message);
  g_assert_cmpuint (figure->curves->len, ==, 4);
  g_assert_true (figure->y.scale == GILK_SCALE_LOG && figure->y.from < 100 && figure->y.to > 4000);
  g_assert_cmpfloat (((GilkCurve *) g_ptr_array_index (figure->curves, 3))->y[15], ==, 3900);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gauge/numbers", test_numbers);
  g_test_add_func ("/gauge/intervals", test_intervals);
  g_test_add_func ("/gauge/hostile", test_hostile);
  g_test_add_func ("/gauge/signs", test_signs);
  g_test_add_func ("/gauge/figure", test_figure);

  return g_test_run ();
}
