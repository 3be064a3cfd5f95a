/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-readings.c - tests that series of counters extend to the end of the measurement, however the
 * run ended
 */
#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/figure/gilk-figure.h"
#include "core/samples/gilk-samples.h"
#include "tests/store-fixture.h"

/* Records two counters, then kills this process. One counter changes; the other keeps the value
 * that it had when it was armed. */
static void
record_and_die (const char *path)
{
  const struct ilk_instrument_desc count = { .id = 9, .version = 1, .name = "count", .help = "counts" };
  g_autoptr(GError) error = NULL;
  GilkStore *store = fixture_open (path);
  gint64 run = fixture_begin (store, 1);

  gilk_store_add_instrument (store, run, &count, &error);
  fixture_add_hook (store, run, 17, "moves", "count");
  fixture_add_hook (store, run, 18, "still", "count");
  for (uint32_t iid = 17; iid <= 18; iid++)
    gilk_store_add_count_point (store, run, iid, 0, 5, &error);
  for (uint64_t at_ns = 1000; at_ns <= 3000; at_ns += 1000)
    {
      const struct ilk_counter moved = { .count = 5 + at_ns }, still = { .count = 5 };

      if (at_ns < 3000)
        gilk_store_add_count_point (store, run, 17, at_ns - 100, moved.count - 1, &error);
      gilk_store_put_counts (store, run, 17, 0, &moved, at_ns, &error);
      if (at_ns == 1000)
        gilk_store_put_counts (store, run, 18, 0, &still, at_ns, &error);
      gilk_store_sync (store, &error);
    }
  raise (SIGKILL);
}

/* Tests that the series of both counters end at their last reading, however the session is read. */
static void
test_killed (void)
{
  static const char expected[] = "0:0=5 0:1=5 900:0=1004 1900:0=2004 3000:0=3005 3000:1=5 ";
  g_auto(StoreFixture) at = fixture_new ();
  pid_t child = fork ();
  int status;

  if (child == 0)
    record_and_die (at.path);
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_true (WIFSIGNALED (status));
  for (guint mended = 0; mended < 2; mended++)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(GilkStore) store = mended != 0 ? fixture_open (at.path) : fixture_read (at.path);
      g_autoptr(GArray) hooks = NULL, times = NULL, counts = NULL;
      g_autoptr(GilkReadings) readings = NULL;
      g_autoptr(GString) told = g_string_new (NULL);
      GilkReading reading;

      hooks = fixture_hooks (store);
      readings = gilk_readings_new (store, &g_array_index (hooks, GilkStoredHook, 0), hooks->len, 0, 3001, &error);
      g_assert_no_error (error);
      while (gilk_readings_next (readings, &reading, &error))
        g_string_append_printf (told, "%d:%u=%d ", (int) reading.t_ns, reading.hook, (int) reading.hits);
      g_assert_no_error (error);
      g_assert_cmpstr (told->str, ==, expected);
      g_assert_true (gilk_store_count_series (store, &g_array_index (hooks, GilkStoredHook, 1), &times, &counts, &error));
      g_assert_cmpuint (times->len, ==, 2);
      g_assert_cmpfloat (g_array_index (times, double, 1), ==, 3000 / 1e9);
    }
}

/* Tests that a counter that was read only once has no rate, but is not reported as empty. */
static void
test_counted (void)
{
  static const struct { guint hook; double from; const char *said; } cases[] = {
    { 0, NAN, "1204 hits, counted*" }, { 0, 1.5, "*not read in this range*" }, { 1, NAN, "No samples*" },
  };
  const struct ilk_instrument_desc count = { .id = 9, .version = 1, .name = "count", .help = "counts" };
  const struct ilk_counter hit = { .count = 1204 }, not_hit = { .count = 0 };
  g_auto(StoreFixture) at = fixture_new ();
  g_autoptr(GError) error = NULL;
  g_autoptr(GArray) hooks = NULL;
  GilkStore *store = fixture_open (at.path);
  gint64 run = fixture_begin (store, 1);

  gilk_store_add_instrument (store, run, &count, &error);
  fixture_add_hook (store, run, 17, "hit", "count");
  fixture_add_hook (store, run, 18, "not-hit", "count");
  gilk_store_put_counts (store, run, 17, 0, &hit, 0, &error);
  gilk_store_put_counts (store, run, 18, 0, &not_hit, 0, &error);
  gilk_store_end_run (store, run, 2000000000, "stopped", &error);
  g_assert_no_error (error);
  hooks = gilk_store_hooks (store, run, &error);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const GilkStoredHook *hook = &g_array_index (hooks, GilkStoredHook, cases[i].hook);
      const GilkFigureSource source = { .store = store, .hook = hook, .duration = 2.0, .name = hook->label };
      GilkFigureAsk ask = gilk_figure_ask (GILK_FIGURE_RATE, NULL);
      g_autoptr(GilkFigure) figure = NULL;

      ask.from = cases[i].from;
      figure = gilk_figure_make (&ask, &source, 1, &error);
      g_assert_no_error (error);
      g_assert_true (g_pattern_match_simple (cases[i].said, figure->message));
    }
  g_assert_true (gilk_store_close (store, &error));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/readings/killed", test_killed);
  g_test_add_func ("/readings/counted", test_counted);

  return g_test_run ();
}
