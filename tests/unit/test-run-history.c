/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-run-history.c - tests that the history of a run in progress, and its plots, lose no hit
 */
#include <math.h>

#include "core/figure/gilk-figure.h"

#define HOOKS 3
#define CPUS  4

typedef struct {
  GilkRunFigures  figures;
  GilkHookFigures hooks[HOOKS];
  GilkCpuFigures  cpus[CPUS];
} Told;

static void
note_counted (Told *told, GilkRunHistory *history, double seconds, uint64_t hits)
{
  told->figures = (GilkRunFigures) {
    .elapsed = seconds, .n_hooks = HOOKS, .hooks = told->hooks, .n_cpus = CPUS, .cpus = told->cpus,
    .lost = (uint64_t) seconds, .ring_bytes = 1000, .ring_used = 250,
  };
  told->hooks[0].hits += hits;
  told->hooks[2].hits += 2 * hits;
  told->cpus[1].hits += 3 * hits;
  gilk_run_history_add (history, &told->figures);
}

static double
sum_rates (const GilkRunHistory *history, guint hook)
{
  double all = 0;

  for (guint i = 0; i < gilk_run_history_n (history); i++)
    {
      double length = MIN (gilk_run_history_length (history), gilk_run_history_end (history) -
                           i * gilk_run_history_length (history));
      double rate = gilk_run_history_rate (history, i, hook);

      all += isnan (rate) ? 0 : rate * length;
    }

  return all;
}

static void
test_history (void)
{
  g_autoptr(GilkRunHistory) history = gilk_run_history_new ();
  g_autoptr(GArray) busiest = NULL;
  Told told = { 0 };
  uint64_t lost = 0;

  for (guint i = 1; i <= 10000; i++)
    note_counted (&told, history, i * 0.1, 7);
  /* A reading of the hit counts is skipped if its time is not later than that of the last reading.
   * The next reading includes its hits. */
  note_counted (&told, history, 999.0, 1000000);
  g_assert_cmpuint (gilk_run_history_n (history), <=, GILK_HISTORY_SLICES);
  g_assert_cmpfloat (gilk_run_history_length (history), ==, 8);
  g_assert_cmpfloat_with_epsilon (sum_rates (history, 0), 70000, 700);
  g_assert_cmpfloat_with_epsilon (sum_rates (history, 2), 140000, 1400);
  g_assert_cmpfloat_with_epsilon (sum_rates (history, G_MAXUINT), 210000, 2100);
  for (guint i = 0; i < gilk_run_history_n (history); i++)
    {
      g_assert_cmpfloat_with_epsilon (gilk_run_history_rate (history, i, 0), 70, 1);
      g_assert_cmpfloat_with_epsilon (gilk_run_history_cpu_rate (history, i, 1), 210, 3);
      g_assert_cmpfloat (gilk_run_history_cpu_rate (history, i, 0), ==, 0);
      g_assert_cmpfloat (gilk_run_history_fill (history, i), ==, 0.25);
      lost += gilk_run_history_lost (history, i);
    }
  g_assert_cmpuint (lost, ==, 1000);
  busiest = gilk_run_history_busiest (history, 8);
  g_assert_cmpuint (busiest->len, ==, 2);
  g_assert_cmpuint (g_array_index (busiest, guint, 1), ==, 2);
  gilk_run_history_clear (history);
  g_assert_cmpuint (gilk_run_history_n (history), ==, 0);
}

/* Tests that the last slice of the history is not drawn until it is complete. */
static void
test_whole (void)
{
  g_autoptr(GilkRunHistory) history = gilk_run_history_new ();
  Told told = { 0 };

  note_counted (&told, history, 0.1, 7);
  g_assert_cmpuint (gilk_run_history_n_full (history), ==, 1);
  for (guint i = 2; i <= 6; i++)
    note_counted (&told, history, i * 0.1, 7);
  g_assert_cmpuint (gilk_run_history_n (history), ==, 3);
  g_assert_cmpuint (gilk_run_history_n_full (history), ==, 2);
  note_counted (&told, history, 0.74, 7);
  g_assert_cmpuint (gilk_run_history_n_full (history), ==, 3);
}

static void
test_losses (void)
{
  g_autoptr(GilkRunHistory) history = gilk_run_history_new ();
  g_autoptr(GilkFigure) none = NULL, lost = NULL;
  Told told = { 0 };

  for (guint i = 1; i <= 20; i++)
    note_counted (&told, history, i * 0.1, 7);
  none = gilk_live_losses (history);
  g_assert_nonnull (none->subtitle);
  told.cpus[2].lost = 50;
  for (guint i = 21; i <= 30; i++)
    note_counted (&told, history, i * 0.1, 7);
  lost = gilk_live_losses (history);
  g_assert_null (lost->message);
  g_assert_cmpuint (gilk_heat_at (lost->heat, 8, 2), >, 100);
  g_assert_cmpuint (gilk_heat_at (lost->heat, 8, 1), ==, 0);
  g_assert_cmpuint (gilk_run_history_cpu_lost_all (history, 2), ==, 50);
}

#define MANY 1000

/* Adds the figures of a run, 0.25 s after the previous ones, with @of[i] more hits of each hook
 * i. */
static void
add_tick (GilkRunHistory *history, GilkHookFigures *hooks, guint n, const uint64_t *of)
{
  GilkRunFigures figures = { .elapsed = gilk_run_history_end (history) + 0.25, .n_hooks = MANY, .hooks = hooks };

  for (guint i = 0; i < n; i++)
    hooks[i].hits += of[i];
  gilk_run_history_add (history, &figures);
}

/* Tests that if there are many hooks, the history covers the busiest hooks, even if others were hit
 * first, and the hooks that are displayed. */
static void
test_many_hooks (void)
{
  g_autoptr(GilkRunHistory) history = gilk_run_history_new ();
  g_autofree GilkHookFigures *hooks = g_new0 (GilkHookFigures, MANY);
  g_autofree uint64_t *of = g_new0 (uint64_t, MANY);
  g_autoptr(GArray) busiest = NULL;
  const guint kept = 900;

  for (guint i = 0; i < 500; i++)
    of[i] = 1;
  add_tick (history, hooks, MANY, of);
  for (guint i = 700; i < 704; i++)
    of[i] = 1000;
  gilk_run_history_pin (history, &kept, 1);
  of[kept] = 2;
  for (guint i = 0; i < 8; i++)
    add_tick (history, hooks, MANY, of);
  busiest = gilk_run_history_busiest (history, 4);
  g_assert_cmpuint (busiest->len, ==, 4);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpuint (g_array_index (busiest, guint, i), ==, 700 + i);
  g_assert_true (isnan (gilk_run_history_rate (history, 0, 700)));
  g_assert_cmpfloat (gilk_run_history_rate (history, gilk_run_history_n (history) - 1, 700), ==, 4000);
  g_assert_cmpfloat (gilk_run_history_rate (history, gilk_run_history_n (history) - 1, kept), ==, 8);
  g_assert_true (isnan (gilk_run_history_rate (history, 3, 499)));
  g_assert_cmpfloat (gilk_run_history_rate (history, 3, G_MAXUINT), ==, 4 * (500 + 4000 + 2));
}

static void
test_figures (void)
{
  const GilkLiveCurve curves[] = { { 0, "a" }, { 2, "c" } };
  g_autoptr(GilkRunHistory) history = gilk_run_history_new ();
  g_autoptr(GilkFigure) none = gilk_live_cpus (history), rates = NULL, cpus = NULL, rings = NULL;
  Told told = { 0 };

  g_assert_nonnull (none->message);
  for (guint i = 1; i <= 50; i++)
    note_counted (&told, history, i * 0.1, 7);
  rates = gilk_live_rates (history, curves, 2);
  g_assert_cmpuint (rates->curves->len, ==, 2);
  g_assert_cmpfloat (rates->x.to, ==, 5);
  g_assert_cmpfloat (rates->y.to, >=, 140);
  g_assert_cmpuint (rates->lost, ==, 5);
  g_assert_null (rates->message);
  cpus = gilk_live_cpus (history);
  g_assert_cmpuint (cpus->heat->rows, ==, CPUS);
  g_assert_cmpfloat_with_epsilon ((double) gilk_heat_at (cpus->heat, 3, 1), 210, 4);
  g_assert_cmpuint (gilk_heat_at (cpus->heat, 3, 2), ==, 0);
  g_assert_cmpfloat (gilk_heat_edge (cpus->heat, 1), ==, 0.5);
  rings = gilk_live_rings (history);
  g_assert_cmpfloat (((GilkCurve *) g_ptr_array_index (rings->curves, 0))->y[2], ==, 25);
}

static void
check_values (double least, double greatest, gboolean log)
{
  g_autoptr(GilkSketch) sketch = gilk_sketch_new ();
  g_autoptr(GilkFigure) figure = NULL;
  g_autoptr(GRand) rand = g_rand_new_with_seed (5);
  uint64_t n = 0;

  gilk_sketch_add (sketch, &least, 1);
  gilk_sketch_add (sketch, &greatest, 1);
  for (guint i = 0; i < 5000; i++)
    {
      double value = least < greatest ? rint (g_rand_double_range (rand, least, greatest)) : least;

      gilk_sketch_add (sketch, &value, 1);
    }
  figure = gilk_live_histogram (sketch, "a", "elapsed", "ns");
  g_assert_true (figure->histogram->log == log && figure->message == NULL && figure->x.to > figure->x.from);
  for (guint i = 0; i < figure->histogram->n_bins; i++)
    n += figure->histogram->counts[i];
  g_assert_cmpuint (n, ==, 5002);
}

static void
test_values (void)
{
  g_autoptr(GilkFigure) none = gilk_live_histogram (NULL, NULL, NULL, NULL);

  g_assert_nonnull (none->message);
  check_values (100, 1e7, TRUE);
  check_values (100, 900, FALSE);
  check_values (7, 7, FALSE);
  check_values (1, 12, FALSE);
  check_values (-4000, 1e6, FALSE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run-history/history", test_history);
  g_test_add_func ("/run-history/whole", test_whole);
  g_test_add_func ("/run-history/losses", test_losses);
  g_test_add_func ("/run-history/many-hooks", test_many_hooks);
  g_test_add_func ("/run-history/figures", test_figures);
  g_test_add_func ("/run-history/values", test_values);

  return g_test_run ();
}
