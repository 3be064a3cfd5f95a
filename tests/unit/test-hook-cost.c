/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-hook-cost.c - tests that the cost of a hit is subtracted once from intervals on one CPU, and
 * the subtraction is always reported
 */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "core/analysis/gilk-hook-elapsed.h"
#include "core/analysis/gilk-hook-numbers.h"
#include "core/figure/gilk-figure.h"
#include "tests/store-fixture.h"
#include "tests/unit/own-path.h"

/* CPU and time in ns of each hit. */
static const struct { guint cpu; uint64_t t; } hits[] = {
  { 0, 1000 }, { 0, 1100 }, { 0, 1120 }, { 1, 1130 }, { 1, 1330 }, { 0, 1400 }, { 0, 1430 },
};
static const double plain[] = { 100, 20, 10, 200, 70, 30 };
/* Expected intervals between the hits after subtracting 30 ns, the cost of a hit: 20 is clamped to
 * 0, 10 and 70 span two CPUs and are kept, 30 becomes 0. */
static const double less[] = { 70, 0, 10, 170, 70, 0 };

static char *
make_session (gboolean measured)
{
  char *path = own_path ("hook-cost.gilk");
  const struct ilk_instrument_desc desc = { .name = "stamp", .version = 1 };
  const GilkStoreHook hook = { .iid = 1, .label = "h", .function = "f", .block = "+0x0", .where = "pre",
                               .instrument = "stamp", .tactic = "splice", .cost = 19 };
  const GilkStoreCost other = { "stamp", "splice", 25, 99, 98, 100, 97 }, cost = { "stamp", "splice", 19, 30, 29, 31, 28 };
  g_autoptr(GError) error = NULL;
  GilkStore *store;
  gint64 run;

  g_remove (path);
  store = fixture_open (path);
  run = fixture_begin (store, 2);
  g_assert_true (gilk_store_add_instrument (store, run, &desc, &error) &&
                 gilk_store_add_hook (store, run, &hook, NULL, &error) &&
                 gilk_store_add_cost (store, run, &other, &error) &&
                 (!measured || gilk_store_add_cost (store, run, &cost, &error)));
  for (guint i = 0; i < G_N_ELEMENTS (hits); i++)
    fixture_add_sample (store, run, hits[i].cpu, 1, (gint64) hits[i].t, NULL, 0);
  fixture_end (store, run, 1000000);

  return path;
}

typedef struct { double values[16]; gsize n; } Taken;

static void
take_values (const double *values, gsize n, gpointer data)
{
  Taken *taken = data;

  for (gsize i = 0; i < n; i++)
    taken->values[taken->n++] = values[i];
}

static void
expect_values (const Taken *taken, const double *wanted)
{
  g_assert_cmpuint (taken->n, ==, G_N_ELEMENTS (plain));
  for (guint i = 0; i < taken->n; i++)
    g_assert_cmpfloat_with_epsilon (taken->values[i] * 1e9, wanted[i], 1e-3);
}

static void
test_intervals (void)
{
  g_autofree char *path = make_session (TRUE);
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkStore) store = fixture_read (path);
  g_autoptr(GArray) hooks = fixture_hooks (store);
  const GilkStoredHook *hook = &g_array_index (hooks, GilkStoredHook, 0);
  GilkHookCost cost;

  g_assert_true (gilk_hook_cost_of (store, hook, &cost, &error));
  g_assert_cmpfloat_with_epsilon (cost.seconds, 30e-9, 1e-15);
  for (guint subtract = 0; subtract < 2; subtract++)
    {
      const GilkHookAsk ask = { .field = "interval", .from = NAN, .to = NAN, .cost = subtract ? &cost : NULL };
      g_autoptr(GilkHookStream) stream = gilk_hook_stream_new (store, hook, &ask, &error);
      g_autoptr(GilkHookNumbers) numbers = gilk_hook_numbers_new (store, hook, &ask, 1.0, &error);
      Taken streamed = { .n = 0 };
      GilkHookBlock block;

      g_assert_no_error (error);
      while (gilk_hook_stream_next (stream, &block, &error))
        take_values (block.values, block.n, &streamed);
      expect_values (&streamed, subtract ? less : plain);
      g_assert_true (!subtract || cost.clamped == 1);
      for (guint pass = 0; pass < 2; pass++)
        {
          Taken taken = { .n = 0 };
          gpointer shares[] = { &taken };

          g_assert_cmpuint (gilk_hook_numbers_shares (numbers), ==, 1);
          g_assert_true (gilk_hook_numbers_pass (numbers, take_values, shares, &error));
          expect_values (&taken, subtract ? less : plain);
          g_assert_true (!subtract || cost.clamped == 1);
        }
    }
  g_remove (path);
}

/* Tests that a figure's caption states the subtracted cost. */
static void
test_figure (void)
{
  g_autofree char *path = make_session (TRUE);
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkStore) store = fixture_read (path);
  g_autoptr(GArray) hooks = fixture_hooks (store);
  const GilkFigureAsk ask = gilk_figure_ask (GILK_FIGURE_HISTOGRAM, "interval");
  GilkHookCost cost;
  GilkFigureSource source = { .store = store, .hook = &g_array_index (hooks, GilkStoredHook, 0), .duration = 1.0,
                              .name = "h" };

  g_assert_true (gilk_hook_cost_of (store, source.hook, &cost, &error));
  for (guint subtract = 0; subtract < 2; subtract++)
    {
      g_autoptr(GilkFigure) figure = NULL;

      source.cost = subtract ? &cost : NULL;
      figure = gilk_figure_make (&ask, &source, 1, &error);
      g_assert_no_error (error);
      g_assert_true (subtract == (figure->caption != NULL && strstr (figure->caption, "h: 30 ns subtracted from each value") != NULL));
    }
  g_remove (path);
}

static void
test_unmeasured (void)
{
  g_autofree char *path = make_session (FALSE);
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkStore) store = fixture_read (path);
  g_autoptr(GArray) hooks = fixture_hooks (store);
  GilkHookCost cost;

  g_assert_false (gilk_hook_cost_of (store, &g_array_index (hooks, GilkStoredHook, 0), &cost, &error));
  g_assert_nonnull (strstr (error->message, "was not measured"));
  g_remove (path);
}

/* Tests costs that are measured repeatedly during a run that ends abruptly. */
static void
test_measurements (void)
{
  g_autofree char *path = make_session (FALSE);
  GilkStoreCost cost = { "stamp", "splice", 19, 57, 52, 58, 51 };
  g_autoptr(GError) error = NULL;
  g_autoptr(GArray) costs = NULL;
  GilkStore *store = fixture_open (path);
  gint64 run = fixture_begin (store, 2);

  for (guint i = 0; i < 3; i++, cost.ns = 50, cost.low_ns = 40, cost.high_ns = 60)
    {
      const GilkCostMeasurement measurement = { i, i == 0 ? -1 : (int64_t) i * 250000000, 57 - 6 * i, 50 };

      g_assert_true (gilk_store_add_cost (store, run, &cost, &error) &&
                     gilk_store_add_cost_measurement (store, run, &cost, &measurement, &error) &&
                     gilk_store_flush (store, &error));
      g_clear_pointer (&costs, g_array_unref);
      costs = gilk_store_costs (store, run, &error);
      g_assert_cmpuint (costs->len, ==, 1);
      g_assert_cmpuint (g_array_index (costs, GilkStoredCost, 0).n_measurements, ==, i + 1);
      g_assert_true (g_array_index (costs, GilkStoredCost, 0).high_ns == cost.high_ns);
    }
  g_assert_true (gilk_store_close (store, &error));
  g_remove (path);
}

/* Tests that half the cost of the entry's hook and half the cost of the exit's hook are subtracted
 * from the duration of a call. The two costs differ. */
static void
test_calls (void)
{
  g_autofree char *path = own_path ("hook-cost-calls.gilk");
  const GilkStoreRun row = { .target = "lab", .plan_text = "", .tsc_khz = 1000000, .n_cpus = 1 };
  const struct ilk_instrument_desc desc = { .name = "span", .version = 1 };
  const GilkStoreHook ends[] = {
    { .iid = 1, .label = "entry", .function = "f", .block = "+0x0", .where = "pre", .instrument = "span", .tactic = "splice", .cost = 20 },
    { .iid = 2, .label = "exit", .function = "f", .block = "+0x8", .where = "post", .instrument = "span", .tactic = "splice", .cost = 22 },
    { .iid = 3, .label = "late", .function = "f", .block = "+0x9", .where = "post", .instrument = "span", .tactic = "splice", .cost = 30 },
  };
  const GilkStoreCost kinds[] = {
    { "span", "splice", 20, 30, 28, 33, 28 }, { "span", "splice", 22, 32, 30, 34, 30 }, { "span", "splice", 30, 40, 36, 44, 35 },
  };
  g_autoptr(GError) error = NULL;
  g_autoptr(GArray) hooks = NULL;
  g_autofree char *words = NULL;
  GilkHookCost cost;
  GilkStore *store;
  gint64 run;

  g_remove (path);
  store = fixture_open (path);
  run = gilk_store_begin_run (store, &row, &error);
  g_assert_true (gilk_store_add_instrument (store, run, &desc, &error));
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    g_assert_true (gilk_store_add_hook (store, run, &ends[i], NULL, &error) && gilk_store_add_cost (store, run, &kinds[i], &error));
  g_assert_true (gilk_store_end_run (store, run, 1000000, "stopped", &error) && gilk_store_flush (store, &error));
  hooks = gilk_store_hooks (store, run, &error);
  g_assert_true (gilk_hook_elapsed_cost (store, (const GilkStoredHook *) (const void *) hooks->data, hooks->len, &cost, &error));
  g_assert_cmpfloat_with_epsilon (cost.seconds * 1e9, (30 + (32 + 40) / 2.0) / 2, 1e-9);
  g_assert_cmpfloat_with_epsilon (cost.low * 1e9, (28 + 30) / 2.0, 1e-9);
  g_assert_cmpfloat_with_epsilon (cost.high * 1e9, (33 + 44) / 2.0, 1e-9);
  words = gilk_hook_cost_text (&cost);
  g_assert_nonnull (strstr (words, "33 ns subtracted from each call, which is half the cost of the hooks "
                            "around it (95 % interval 29 to 38.5, "));
  g_assert_true (gilk_hook_elapsed_cost_of (store, &g_array_index (hooks, GilkStoredHook, 1), &cost, &error));
  g_assert_cmpfloat_with_epsilon (cost.seconds * 1e9, (30 + 32) / 2.0, 1e-9);
  g_assert_true (gilk_store_close (store, &error));
  g_remove (path);
}

static void
test_basis (void)
{
  const GilkHookCost cost = { 50e-9, 40e-9, 60e-9, 5, FALSE, 0 };
  g_autofree char *words = gilk_hook_cost_text (&cost), *one = gilk_hook_cost_basis (1);

  g_assert_cmpstr (words, ==, "50 ns subtracted from each value, which is the cost of one hit (95 % "
                   "interval 40 to 60, from 5 measurements over the run). This lowers medians by "
                   "the same amount");
  g_assert_cmpstr (one, ==, "from one measurement, before the run");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hook-cost/intervals", test_intervals);
  g_test_add_func ("/hook-cost/calls", test_calls);
  g_test_add_func ("/hook-cost/figure", test_figure);
  g_test_add_func ("/hook-cost/unmeasured", test_unmeasured);
  g_test_add_func ("/hook-cost/measurements", test_measurements);
  g_test_add_func ("/hook-cost/basis", test_basis);

  return g_test_run ();
}
