/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-time-facts.c - rows about clocks, costs and the effect of hooks, without a display
 */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "gui/base/gilk-text.h"
#include "gui/results/gilk-time-facts.h"

static const GilkFact *
find_fact (const GPtrArray *facts, const char *name)
{
  for (guint i = 0; i < facts->len; i++)
    {
      const GilkFact *fact = g_ptr_array_index (facts, i);

      if (strcmp (fact->name, name) == 0)
        return fact;
    }

  return NULL;
}

static void
expect_fact (const GPtrArray *facts, const char *name, const char *value)
{
  g_assert_nonnull (find_fact (facts, name));
  g_assert_cmpstr (find_fact (facts, name)->value, ==, value);
  g_assert_cmpstr (find_fact (facts, name)->tip, !=, "");
}

/* ---- clocks ---- */

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
  g_autoptr(GPtrArray) facts = NULL, cpus = NULL;

  add_cpu (&clock, 0, 0, 0, FALSE);
  add_cpu (&clock, 1, 500, 60, TRUE);
  add_cpu (&clock, 2, -20000, 1500, FALSE);
  facts = gilk_time_facts_clock (&clock);
  expect_fact (facts, "TSC", "2 GHz");
  g_assert_nonnull (strstr (find_fact (facts, "TSC")->tip, "0.500000000 ns per tick, measured"));
  expect_fact (facts, "Frequency error", "≤ 40 ppb");
  expect_fact (facts, "Time zero", "± 20 ns");
  expect_fact (facts, "Drift", "+200 ± 8 ppb");
  expect_fact (facts, "Error at end", "± 1.25 µs");
  expect_fact (facts, "CPUs in order", "beyond 86 ns");
  cpus = gilk_time_facts_cpus (&clock);
  expect_fact (cpus, "CPU 0", "reference");
  expect_fact (cpus, "CPU 1, corrected", "+500 ± 60 ns");
  expect_fact (cpus, "CPU 2", "−20 µs ± 1.5 µs");
  expect_fact (cpus, "Not compared", "1 CPU");
}

static void
test_clock_unmeasured (void)
{
  g_auto(GilkStoredClock) clock = {
    .hz = 1000000000, .cpus = g_array_new (FALSE, FALSE, sizeof (GilkStoredCpuClock)), .n_cpus = 2,
  };
  g_autoptr(GPtrArray) facts = gilk_time_facts_clock (&clock), cpus = gilk_time_facts_cpus (&clock), later = NULL;

  g_assert_cmpuint (facts->len, ==, 2);
  expect_fact (facts, "Errors", "not measured");
  g_assert_nonnull (strstr (find_fact (facts, "TSC")->tip, "from the kernel"));
  g_assert_cmpuint (cpus->len, ==, 0);
  clock.has_zero = TRUE;                            /* cut off after time zero */
  clock.measured = TRUE;
  clock.rate_error = 2.5e-6;
  later = gilk_time_facts_clock (&clock);
  expect_fact (later, "Frequency error", "≤ 2.5 ppm");
  expect_fact (later, "Drift", "not measured");
  expect_fact (later, "CPUs in order", "unknown");
}

/* ---- costs ---- */

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
  g_autoptr(GPtrArray) facts = NULL;

  g_array_append_vals (costs, some, G_N_ELEMENTS (some));
  facts = gilk_time_facts_costs (costs);
  g_assert_cmpuint (facts->len, ==, 4);
  expect_fact (facts, "count, splice", "1.25 ns (1 to 1.5)");
  expect_fact (facts, "stamp, splice, +19", "40 ns (39.5 to 41)");
  expect_fact (facts, "stamp, splice, +25", "1.29 µs (1.24 µs to 1.35 µs)");
  expect_fact (facts, "span, splice", "at most 300 ps");
  g_assert_nonnull (strstr (find_fact (facts, "count, splice")->tip, "3 instructions"));
  g_assert_nonnull (strstr (find_fact (facts, "count, splice")->tip, "from 5 measurements over the run"));
  g_assert_nonnull (strstr (find_fact (facts, "span, splice")->tip, "1 instruction:"));
}

/* ---- effect of switched hooks, from a session ---- */

static void
save_result (GObject *object, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static GilkSessionEffect *
make_effect (const char *path, gint64 run, gint64 hook, const char *field)
{
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GError) error = NULL;
  GilkSessionEffect *effect;

  gilk_session_effect_async (path, run, hook, field, NULL, save_result, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  effect = gilk_session_effect_finish (result, &error);
  g_assert_no_error (error);

  return effect;
}

static void
test_effect (gconstpointer path)
{
  g_autoptr(GilkSessionEffect) hits = make_effect (path, 1, 0, NULL), interval = make_effect (path, 1, 1, "interval");
  g_autoptr(GPtrArray) of_hits = gilk_time_facts_effect (hits), of_interval = gilk_time_facts_effect (interval);
  g_autofree char *traps = gilk_time_facts_traps (hits);
  double low, value, high;

  g_assert_null (hits->refusal);
  g_assert_null (traps);
  g_assert_cmpstr (gilk_time_facts_plot_difference (hits, &low, &value, &high), ==, "%");
  g_assert_true (low < value && value < high && value > -12 && value < -8);
  expect_fact (of_hits, "Measured by", "witness");
  expect_fact (of_hits, "Compared", "hits");
  expect_fact (of_hits, "Left out", "1 pair");
  g_assert_nonnull (strstr (find_fact (of_hits, "Hooks off")->value, " k/s"));
  g_assert_nonnull (strstr (find_fact (of_hits, "Difference")->value, "−"));
  g_assert_nonnull (strstr (find_fact (of_hits, "Difference")->tip, "p = "));
  expect_fact (of_interval, "Compared", "time between hits");
  g_assert_true (g_str_has_prefix (find_fact (of_interval, "Difference")->value, "+"));
  g_assert_true (g_str_has_suffix (find_fact (of_interval, "Hooks on")->value, " µs"));
}

static void
test_effect_refused (gconstpointer path)
{
  g_autoptr(GilkSessionEffect) without = make_effect (path, 2, 0, NULL), itself = make_effect (path, 1, 2, NULL);
  g_autofree char *traps = gilk_time_facts_traps (without);

  g_assert_nonnull (strstr (without->refusal, "control=yes"));
  g_assert_nonnull (strstr (traps, "1 of the hooks is a trap"));
  g_assert_nonnull (strstr (itself->refusal, "was itself switched off and on"));
}

static void
test_effect_cancelled (gconstpointer path)
{
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GError) error = NULL;

  g_cancellable_cancel (cancellable);
  gilk_session_effect_async (path, 1, 0, NULL, cancellable, save_result, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_null (gilk_session_effect_finish (result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* ---- small texts ---- */

static void
test_folded (void)
{
  g_autofree char *plain = gilk_text_fold_commands ("gilk report a.gilk\ngilk sessions", 32);
  g_autofree char *folded = gilk_text_fold_commands ("gilk plot a.gilk --run 2 --hook h --kind rate --out plot.svg", 32);
  g_autofree char *full = gilk_text_fold_commands ("gilk plot a.gilk --hook h432 --log x", 29);
  g_autofree char *empty = gilk_text_fold_commands ("", 32);

  g_assert_cmpstr (plain, ==, "gilk report a.gilk\ngilk sessions");
  g_assert_cmpstr (folded, ==, "gilk plot a.gilk --run 2 \\\n  --hook h --kind rate \\\n  --out plot.svg");
  g_assert_cmpstr (full, ==, "gilk plot a.gilk \\\n  --hook h432 --log x");
  g_assert_cmpstr (empty, ==, "");
}

static void
test_tame (void)
{
  g_autofree char *word = g_strnfill (4096, 'x');
  g_autofree char *with = g_strdup_printf ("No \"%s\" here.\nRemove it.", word);
  g_autofree char *cut = gilk_text_sanitise (with);
  g_autofree char *same = gilk_text_sanitise ("pipe_write: שלום, tab\tand all");
  g_autofree char *wild = gilk_text_sanitise ("a\u202eb\u2066c\a\xff.");
  g_autofree char *empty = gilk_text_sanitise ("");

  g_assert_true (g_str_has_prefix (cut, "No \"xxx") && g_str_has_suffix (cut, "xxx\" here.\nRemove it."));
  g_assert_cmpint (g_utf8_strlen (cut, -1), <, 120);
  g_assert_cmpstr (same, ==, "pipe_write: שלום, tab\tand all");
  g_assert_cmpstr (wild, ==, "a\uFFFDb\uFFFDc\uFFFD\uFFFD.");
  g_assert_cmpstr (empty, ==, "");
}

int
main (int argc, char **argv)
{
  g_autofree char *dir = g_dir_make_tmp ("time-words-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (dir, "ab.gilk", NULL);
  char *words[] = { g_strdup (g_getenv ("GILK_AB_SESSION")), path, NULL };
  int code, status;

  g_test_init (&argc, &argv, NULL);
  g_assert_true (g_spawn_sync (NULL, words, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL, &status, NULL) && status == 0);
  g_test_add_func ("/time-words/clock", test_clock);
  g_test_add_func ("/time-words/clock-unmeasured", test_clock_unmeasured);
  g_test_add_func ("/time-words/costs", test_costs);
  g_test_add_func ("/text/folded", test_folded);
  g_test_add_func ("/text/tame", test_tame);
  g_test_add_data_func ("/time-words/effect", path, test_effect);
  g_test_add_data_func ("/time-words/effect-refused", path, test_effect_refused);
  g_test_add_data_func ("/time-words/effect-cancelled", path, test_effect_cancelled);
  code = g_test_run ();
  g_remove (path);
  g_rmdir (dir);
  g_free (words[0]);

  return code;
}
