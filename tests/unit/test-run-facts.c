/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-run-facts.c - checks texts and figures displayed about clocks, costs and the effect of hooks
 */
#include <math.h>
#include <string.h>

#include "core/analysis/gilk-run-facts.h"

static void
expect_fact (const GilkFacts *facts, const char *name, const char *value)
{
  g_assert_nonnull (gilk_facts_find (facts, name));
  g_assert_cmpstr (gilk_facts_find (facts, name)->value, ==, value);
  g_assert_cmpstr (gilk_facts_find (facts, name)->explanation, !=, "");
}

static void
expect_explanation (const GilkFacts *facts, const char *name, const char *part)
{
  g_assert_nonnull (gilk_facts_find (facts, name));
  g_assert_nonnull (strstr (gilk_facts_find (facts, name)->explanation, part));
}

static void
expect_number (const GilkFacts *facts, const char *name, const char *key, double value)
{
  const GilkFact *fact = gilk_facts_find (facts, name);

  g_assert_nonnull (fact);
  for (guint i = 0; i < GILK_FACT_NUMBERS && fact->numbers[i].key != NULL; i++)
    if (strcmp (fact->numbers[i].key, key) == 0)
      {
        g_assert_cmpfloat_with_epsilon (fact->numbers[i].value, value, 1e-9 * fabs (value));
        return;
      }
  g_assert_not_reached ();
}

/* ---- tests of texts and figures displayed about clocks ---- */

static void
add_cpu (GilkStoredClock *clock, guint cpu, double ahead_ns, double error_ns, gboolean taken_off)
{
  const GilkStoredCpuClock one = { cpu, ahead_ns, error_ns, error_ns, taken_off };

  g_array_append_val (clock->cpus, one);
}

static void
test_clock (void)
{
  g_auto(GilkStoredClock) clock = {
    .hz = 2000000000, .measured = TRUE, .rate_error = 4e-8, .has_zero = TRUE, .zero_error_ns = 20, .has_end = TRUE,
    .run_error = 8e-9, .drift = 2e-7, .end_error_ns = 1250, .cpus = g_array_new (FALSE, FALSE, sizeof (GilkStoredCpuClock)),
    .n_cpus = 4, .order_ns = 86, .order_at_end = TRUE,
  };
  g_autoptr(GilkFacts) facts = NULL, cpus = NULL;

  add_cpu (&clock, 0, 0, 0, FALSE);
  add_cpu (&clock, 1, 500, 60, TRUE);
  add_cpu (&clock, 2, -20000, 1500, FALSE);
  facts = gilk_facts_of_clock (&clock, TRUE);
  expect_fact (facts, "TSC", "2 GHz");
  expect_explanation (facts, "TSC", "0.500000000 ns per tick, measured");
  expect_fact (facts, "Frequency error", "≤ 40 ppb");
  expect_fact (facts, "Time zero", "± 20 ns");
  expect_fact (facts, "Drift", "+200 ± 8 ppb");
  expect_fact (facts, "Error at end", "± 1.25 µs");
  expect_fact (facts, "CPUs in order", "beyond 86 ns");
  cpus = gilk_facts_of_cpus (&clock);
  expect_fact (cpus, "CPU 0", "reference");
  expect_fact (cpus, "CPU 1, corrected", "+500 ± 60 ns");
  expect_fact (cpus, "CPU 2", "−20 µs ± 1.5 µs");
  expect_fact (facts, "Corrected", "1 CPU");
  expect_fact (cpus, "Not compared", "1 CPU");
  expect_fact (facts, "Not compared", "1 CPU");
  expect_number (facts, "Drift", "gain_ppm", 0.2);
  expect_number (facts, "CPUs in order", "order_error_ns", 86);
  expect_number (cpus, "CPU 2", "offset_ns", -20000);
}

static void
test_clock_unmeasured (void)
{
  g_auto(GilkStoredClock) clock = {
    .hz = 1000000000, .cpus = g_array_new (FALSE, FALSE, sizeof (GilkStoredCpuClock)), .n_cpus = 2,
  };
  g_autoptr(GilkFacts) facts = gilk_facts_of_clock (&clock, TRUE), cpus = gilk_facts_of_cpus (&clock), later = NULL;

  g_assert_cmpuint (gilk_facts_n (facts), ==, 2);
  expect_fact (facts, "Errors", "not measured");
  expect_explanation (facts, "TSC", "from the kernel");
  g_assert_cmpuint (gilk_facts_n (cpus), ==, 0);
  clock.has_zero = TRUE;                            /* the run ended abruptly after time zero */
  clock.zero_error_ns = 20;
  clock.measured = TRUE;
  clock.rate_error = 2.5e-6;
  later = gilk_facts_of_clock (&clock, TRUE);
  expect_fact (later, "Frequency error", "≤ 2.5 ppm");
  expect_fact (later, "Drift", "not measured");
  expect_fact (later, "CPUs in order", "unknown");
}

/* Tests that times of BPF programs are described as times of CLOCK_MONOTONIC, not of a TSC. */
static void
test_clock_monotonic (void)
{
  g_auto(GilkStoredClock) clock = {
    .hz = 1000000000, .has_zero = TRUE, .cpus = g_array_new (FALSE, FALSE, sizeof (GilkStoredCpuClock)), .n_cpus = 2,
  };
  g_autoptr(GilkFacts) facts = gilk_facts_of_clock (&clock, TRUE);

  g_assert_cmpuint (gilk_facts_n (facts), ==, 1);
  expect_fact (facts, "Clock", "CLOCK_MONOTONIC");
}

/* ---- test of texts and figures displayed about costs ---- */

static void
test_costs (void)
{
  const GilkStoredCost some[] = {
    { (char *) "count", (char *) "splice", 3, 1.25, 1.0, 1.5, 1.0, 5 },
    { (char *) "stamp", (char *) "splice", 19, 40, 39.5, 41, 38 },
    { (char *) "stamp", (char *) "splice", 25, 1290, 1240, 1350, 1180 },
    { (char *) "span", (char *) "splice", 1, 0.1, -0.2, 0.3, 0, 1 },
  };
  g_autoptr(GArray) costs = g_array_new (FALSE, FALSE, sizeof (GilkStoredCost));
  g_autoptr(GilkFacts) facts = NULL;

  g_array_append_vals (costs, some, G_N_ELEMENTS (some));
  facts = gilk_facts_of_costs (costs);
  g_assert_cmpuint (gilk_facts_n (facts), ==, 4);
  expect_fact (facts, "count, splice", "1.25 ns (1 to 1.5)");
  expect_fact (facts, "stamp, splice, +19", "40 ns (39.5 to 41)");
  expect_fact (facts, "stamp, splice, +25", "1.29 µs (1.24 µs to 1.35 µs)");
  expect_fact (facts, "span, splice", "at most 300 ps");
  expect_explanation (facts, "count, splice", "3 instructions");
  expect_explanation (facts, "count, splice", "from 5 measurements over the run");
  expect_explanation (facts, "span, splice", "1 instruction,");
}

/* ---- tests of the effect of hooks that are switched on and off ---- */

static void
test_effect (void)
{
  GilkEffect effect = {
    .measured_by = (char *) "witness", .unit = (char *) "/s",
    .found = { .intervals = 40, .left_out = 1, .period = 0.05, .found = {
      .pairs = 19, .on = 900, .off = 1000, .difference = -100, .low = -120, .high = -80, .t = -9, .p = 1e-6,
      .relative = -0.1, .relative_low = -0.12, .relative_high = -0.08 } },
  };
  g_autoptr(GilkFacts) facts = gilk_facts_of_effect (&effect), of_interval = NULL, of_workload = NULL;
  g_autofree char *none = gilk_effect_caveat (&effect), *traps = NULL;
  double low, value, high;

  expect_fact (facts, "Compared", "hits");
  expect_fact (facts, "Measured by", "witness");
  expect_fact (facts, "Hooks off", "1 k/s");
  expect_fact (facts, "Difference", "−10 %");
  expect_fact (facts, "95 % interval", "−12 % to −8 %");
  expect_fact (facts, "Pairs", "19, intervals of 50 ms");
  expect_fact (facts, "Left out", "1 pair");
  expect_explanation (facts, "Difference", "−100 /s, 95 % confidence interval −120 /s to −80 /s");
  expect_explanation (facts, "Difference", "p = 1e-06");
  expect_number (facts, "Difference", "low", -120);
  expect_number (facts, "95 % interval", "relative_high", -0.08);
  g_assert_null (none);
  g_assert_cmpstr (gilk_effect_difference (&effect, &low, &value, &high), ==, "%");
  g_assert_cmpfloat_with_epsilon (value, -10, 1e-9);

  /* The relative effect is unknown, because the value with hooks off can be zero. */
  effect.found.found.relative = NAN;
  effect.field = (char *) "interval";
  effect.unit = (char *) "s";
  effect.traps = 1;
  of_interval = gilk_facts_of_effect (&effect);
  expect_fact (of_interval, "Compared", "time between hits");
  expect_fact (of_interval, "Difference", "−100 s");
  traps = gilk_effect_caveat (&effect);
  g_assert_nonnull (strstr (traps, "1 of the hooks is a trap"));

  effect.field = NULL;
  effect.by_workload = TRUE;
  of_workload = gilk_facts_of_effect (&effect);
  expect_fact (of_workload, "Compared", "workload");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run-facts/clock", test_clock);
  g_test_add_func ("/run-facts/clock-unmeasured", test_clock_unmeasured);
  g_test_add_func ("/run-facts/clock-monotonic", test_clock_monotonic);
  g_test_add_func ("/run-facts/costs", test_costs);
  g_test_add_func ("/run-facts/effect", test_effect);

  return g_test_run ();
}
