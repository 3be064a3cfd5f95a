/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-cost-history.c - tests that forecasts use the measurements of a session's runs, and prefer
 * the latest run
 */
#include <glib/gstdio.h>

#include "core/cost/gilk-forecast.h"
#include "core/store/gilk-store-cost.h"
#include "core/store/gilk-store-write.h"
#include "tests/unit/own-path.h"

typedef struct {
  const char *build_id;
  /* Measured costs in ns of a hit by splice and by trap, both with code of 10 instructions;
   * negative: not measured. */
  double      splice_ns, trap_ns;
  uint64_t    hits;
} Run;

static void
add_run (GilkStore *store, const Run *run)
{
  const GilkStoreRun row = { .target = "lab", .plan_text = "", .tsc_khz = 1000000, .n_cpus = 1, .hostname = "host",
                             .release = "6.1", .build_id = run->build_id, .zero_unix_ns = 100 * G_GUINT64_CONSTANT (1000000000) };
  const GilkStoreHook hook = { .iid = 1, .label = "h", .function = "f", .module = "kernel", .block = "+0x10", .where = "pre",
                               .instrument = "count", .tactic = "splice", .cost = 10 };
  const GilkStoreCost splice = { "count", "splice", 10, run->splice_ns, run->splice_ns, run->splice_ns, run->splice_ns };
  const GilkStoreCost trap = { "count", "trap", 10, run->trap_ns, run->trap_ns, run->trap_ns, run->trap_ns };
  const struct ilk_counter counter = { .count = run->hits };
  g_autoptr(GError) error = NULL;
  gint64 id = gilk_store_begin_run (store, &row, &error);

  g_assert_no_error (error);
  g_assert_true (gilk_store_add_hook (store, id, &hook, NULL, &error));
  g_assert_true (run->splice_ns < 0 || gilk_store_add_cost (store, id, &splice, &error));
  g_assert_true (run->trap_ns < 0 || gilk_store_add_cost (store, id, &trap, &error));
  g_assert_true (gilk_store_put_counts (store, id, 1, 0, &counter, 2000000000, &error));
  g_assert_true (gilk_store_end_run (store, id, 2000000000, "stopped", &error));
}

static GilkCostHistory *
measured_of (const Run *runs, guint n, GError **error)
{
  g_autofree char *path = own_path ("measured.gilk");
  g_autoptr(GilkStore) store = NULL;
  GilkCostHistory *measured;

  store = gilk_store_open (path, NULL);
  g_assert_nonnull (store);
  for (guint i = 0; i < n; i++)
    add_run (store, &runs[i]);

  measured = gilk_cost_history_read (store, error);
  g_clear_pointer (&store, gilk_store_free);
  g_remove (path);

  return measured;
}

/* Tests that the forecast for the same code is its measured cost, for other code a cost derived
 * from the number of instructions, and for a trap a cost derived from a measured trap. */
static void
test_prices (void)
{
  const Run run = { "b", 20, 820, 1000 };
  g_autoptr(GilkCostHistory) measured = measured_of (&run, 1, NULL);
  GilkCostSource price;

  g_assert_cmpfloat_with_epsilon (gilk_cost_history_ns (measured, "count", "splice", 10, &price), 20, 1e-9);
  g_assert_cmpint (price, ==, GILK_COST_SOURCE_MEASURED);
  g_assert_cmpfloat_with_epsilon (gilk_cost_history_ns (measured, "stamp", "clone", 30, &price), 60, 1e-9);
  g_assert_cmpint (price, ==, GILK_COST_SOURCE_DERIVED);
  g_assert_cmpfloat_with_epsilon (gilk_cost_history_ns (measured, "stamp", "trap", 5, &price), 810, 1e-9);
  g_assert_cmpint (price, ==, GILK_COST_SOURCE_DERIVED);
  g_assert_cmpfloat_with_epsilon (gilk_cost_history_ns (NULL, "stamp", "splice", 10, &price), 5, 1e-9);
  g_assert_cmpint (price, ==, GILK_COST_SOURCE_ASSUMED);
}

/* Tests that the rate of a hook's hits is looked up by its probe point if the hook has one,
 * otherwise by its label. */
static void
test_rates (void)
{
  const Run run = { "b", 20, -1, 1000 };
  g_autoptr(GilkCostHistory) measured = measured_of (&run, 1, NULL);

  g_assert_cmpfloat_with_epsilon (gilk_cost_history_rate (measured, "x", "f", "+0x10", "pre"), 500, 1e-9);
  g_assert_cmpfloat_with_epsilon (gilk_cost_history_rate (measured, "x", "f [module]", "+0x10", "pre"), 500, 1e-9);
  g_assert_cmpfloat (gilk_cost_history_rate (measured, "h", "f", "+0x10", "post"), <, 0);
  g_assert_cmpfloat_with_epsilon (gilk_cost_history_rate (measured, "h", "f", NULL, "pre"), 500, 1e-9);
  g_assert_cmpfloat (gilk_cost_history_rate (measured, "x", NULL, NULL, "pre"), <, 0);
}

/* Tests that forecasts use the values of the latest run. Missing values come from the run before
 * it, unless that run was on another kernel. */
static void
test_runs (void)
{
  const Run same[] = { { "b", 50, 700, 10 }, { "b", 20, -1, 1000 } };
  const Run others[] = { { "a", 50, 700, 10 }, { "b", -1, -1, 1000 } };
  g_autoptr(GilkCostHistory) one = measured_of (same, 2, NULL);
  g_autoptr(GilkCostHistory) two = measured_of (others, 2, NULL);
  GilkCostSource price;

  g_assert_cmpfloat_with_epsilon (gilk_cost_history_ns (one, "count", "splice", 10, &price), 20, 1e-9);
  g_assert_cmpfloat_with_epsilon (gilk_cost_history_ns (one, "count", "trap", 10, &price), 700, 1e-9);
  g_assert_cmpint (price, ==, GILK_COST_SOURCE_MEASURED);
  g_assert_cmpfloat_with_epsilon (gilk_cost_history_rate (one, "h", "f", "+0x10", "pre"), 500, 1e-9);
  g_assert_cmpuint (gilk_cost_history_n_costs (two), ==, 0);
  g_assert_cmpstr (gilk_cost_history_build_id (two), ==, "b");
  gilk_cost_history_ns (two, "count", "splice", 10, &price);
  g_assert_cmpint (price, ==, GILK_COST_SOURCE_ASSUMED);
}

static void
test_none (void)
{
  g_autoptr(GError) error = NULL;

  g_assert_null (measured_of (NULL, 0, &error));
  g_assert_cmpstr (g_quark_to_string (error->domain), !=, "");
}

static void
test_forecast (void)
{
  const Run run = { "b", 20, -1, 1000 };
  g_autoptr(GilkCostHistory) measured = measured_of (&run, 1, NULL);
  GilkForecast known = gilk_forecast_hook (measured, "count", ILK_TACTIC_SPLICE, 10, 1e6);
  GilkForecast unknown = gilk_forecast_hook (measured, "count", ILK_TACTIC_SPLICE, 11, -1);
  GilkForecast trapped = gilk_forecast_hook (measured, "count", ILK_TACTIC_TRAP, 10, 1);
  g_autoptr(GilkPlanForecast) plan = gilk_plan_forecast_new (measured), none = gilk_plan_forecast_new (NULL);
  g_autofree char *words = NULL, *more = NULL, *assumed = NULL, *total = NULL, *unmeasured = NULL;

  g_assert_cmpfloat_with_epsilon (known.share, 0.02, 1e-9);
  g_assert_cmpfloat (unknown.share, <, 0);
  gilk_plan_forecast_add (plan, &known);
  gilk_plan_forecast_add (plan, &unknown);
  g_assert_cmpuint (plan->sum.n_known, ==, 1);
  g_assert_cmpfloat_with_epsilon (plan->sum.share, 0.02, 1e-9);
  total = gilk_plan_forecast_total (plan);
  g_assert_cmpstr (total, ==, "about 2.0 % of one CPU");
  words = gilk_plan_forecast_source (plan, 100 + 180);
  g_assert_cmpstr (words, ==, "The cost of a hit was measured on this kernel 3 min ago. 1 hook runs other code than was "
                   "measured; its cost is estimated from its instructions.");
  gilk_plan_forecast_add (plan, &trapped);
  more = gilk_plan_forecast_source (plan, 100 + 180);
  g_assert_true (g_str_has_prefix (more, words));
  g_assert_cmpstr (more + strlen (words), ==, " 1 hook is of a kind that was not measured: 0.5 ns per instruction and 500 ns "
                   "more per trap are assumed.");
  assumed = gilk_plan_forecast_source (none, 0);
  g_assert_nonnull (g_strstr_len (assumed, -1, "0.5 ns per instruction"));
  unmeasured = gilk_plan_forecast_total (none);
  g_assert_true (g_str_has_prefix (unmeasured, "Cost unknown"));
}

/* Tests that a refused hook is listed with the others, that its cost is not added to the sums, and
 * that it is never marked as over budget. */
static void
test_budget (void)
{
  GilkForecast cheap = gilk_forecast_hook (NULL, "count", ILK_TACTIC_SPLICE, 2, 1e6);
  GilkForecast dear = gilk_forecast_hook (NULL, "count", ILK_TACTIC_SPLICE, 20, 1e6);
  g_autoptr(GilkPlanForecast) plan = gilk_plan_forecast_new (NULL);
  g_autoptr(GArray) over = NULL, fits = NULL;

  gilk_plan_forecast_add (plan, NULL);
  gilk_plan_forecast_add (plan, &cheap);
  gilk_plan_forecast_add (plan, &dear);
  g_assert_cmpuint (plan->hooks->len, ==, 3);
  g_assert_cmpuint (plan->sum.n, ==, 2);
  over = gilk_plan_forecast_set_budget (plan, 0.005);
  g_assert_cmpuint (over->len, ==, 1);
  g_assert_cmpuint (g_array_index (over, guint, 0), ==, 2);
  g_assert_cmpuint (plan->n_over_budget, ==, 1);
  g_assert_true (gilk_plan_forecast_hook (plan, 2)->over_budget);
  g_assert_false (gilk_plan_forecast_hook (plan, 0)->over_budget);
  g_assert_cmpfloat_with_epsilon (plan->kept.share, cheap.share, 1e-12);
  fits = gilk_plan_forecast_set_budget (plan, 0.5);
  g_assert_cmpuint (fits->len, ==, 0);
  g_assert_false (gilk_plan_forecast_hook (plan, 2)->over_budget);
  g_assert_cmpfloat_with_epsilon (plan->kept.share, plan->sum.share, 1e-12);
}

static void
expect_share (double share, const char *text)
{
  g_autofree char *found = gilk_format_share (share);

  g_assert_cmpstr (found, ==, text);
}

static void
test_share_texts (void)
{
  expect_share (-1, "-");
  expect_share (0, "0.00 %");
  expect_share (1e-5, "<0.01 %");
  expect_share (0.0042, "0.42 %");
  expect_share (0.042, "4.2 %");
  expect_share (0.42, "42 %");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/measured/prices", test_prices);
  g_test_add_func ("/measured/rates", test_rates);
  g_test_add_func ("/measured/runs", test_runs);
  g_test_add_func ("/measured/none", test_none);
  g_test_add_func ("/measured/forecast", test_forecast);
  g_test_add_func ("/measured/budget", test_budget);
  g_test_add_func ("/measured/share-texts", test_share_texts);

  return g_test_run ();
}
