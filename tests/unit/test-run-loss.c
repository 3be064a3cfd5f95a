/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-run-loss.c - tests that increases of loss counters are stored as losses with a time; plots
 * show these losses as gaps
 */
/* Promise: Accounts: losses get a time, and become gaps in plots */

#include "core/analysis/gilk-hook-gaps.h"
#include "core/run/gilk-run-counters.h"
#include "core/store/gilk-store-loss.h"
#include "tests/store-fixture.h"

#define IID 7
#define ZERO_US 5000000

static GilkRunSession session;
static GilkRunClock run_clock;

static void
start_run (void)
{
  const GilkStoreRun row = {
    .target = "lab:6.1", .hostname = "lab", .release = "6.1.0", .build_id = "abcd",
    .title = "test", .plan_text = "[gilk-plan]\n", .tsc_khz = 1000000, .n_cpus = 2,
  };
  const GilkStoreHook hook = {
    .iid = IID, .label = "sleeps", .function = "pipe_write", .module = "kernel", .block = "+0x2b1",
    .where = "pre", .instrument = "stamp", .tactic = "splice", .start_ns = 1000000000,
    .stop_ns = 9000000000,
  };
  const struct ilk_instrument_desc desc = { .name = "stamp", .version = 1 };
  g_autoptr(GError) error = NULL;

  session.run = gilk_store_begin_run (session.store, &row, &error);
  g_assert_no_error (error);
  g_assert_true (gilk_store_set_zero (session.store, session.run, 0, 0, 0, &error) &&
                 gilk_store_add_instrument (session.store, session.run, &desc, &error) &&
                 gilk_store_add_hook (session.store, session.run, &hook, NULL, &error));
  run_clock.zero_us = ZERO_US;
  run_clock.arming_us = ZERO_US - 3000;
}

/* Adds the agent's answer to a query of the loss counters that was sent @ms after time zero; the
 * answer arrives 2 ms later. */
static void
add_tick (GilkRunCounters *counters, gint64 ms, uint64_t lost_0, uint64_t lost_1)
{
  g_autoptr(GError) error = NULL;

  counters->now[0].lost = lost_0;
  counters->now[1].lost = lost_1;
  counters->answered_us = ZERO_US + (ms + 2) * 1000;
  gilk_run_counters_record_losses (counters, ZERO_US + ms * 1000, FALSE, &error);
  g_assert_no_error (error);
}

static void
assert_loss (const GArray *losses, guint i, double from_ms, double to_ms, uint64_t lost)
{
  const GilkStoredLoss *loss = &g_array_index (losses, GilkStoredLoss, i);

  g_assert_cmpfloat ((double) loss->from_ns / 1e6, ==, from_ms);
  g_assert_cmpfloat ((double) loss->to_ns / 1e6, ==, to_ms);
  g_assert_cmpuint (loss->lost, ==, lost);
}

static void
check_session (const char *path)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkStore) store = fixture_read (path);
  g_autoptr(GArray) hooks = NULL, losses = NULL, gaps = NULL;
  const GilkStoredHook *hook;

  hooks = fixture_hooks (store);
  hook = &g_array_index (hooks, GilkStoredHook, 0);
  losses = gilk_store_losses (store, hook, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (losses->len, ==, 4);
  assert_loss (losses, 0, 2000, 2305, 30);
  assert_loss (losses, 1, 3000, 4005, 10);
  assert_loss (losses, 2, 4000, 4505, 5);
  assert_loss (losses, 3, 4200, 4505, 1);

  gaps = gilk_hook_gaps (store, hook, 10.0, &error);
  g_assert_no_error (error);
  g_assert_true (gilk_gaps_touch (gaps, 0.5, 0.6) && gilk_gaps_touch (gaps, 9.1, 9.2));
  g_assert_true (gilk_gaps_touch (gaps, 2.1, 2.2) && gilk_gaps_touch (gaps, 4.3, 4.4));
  g_assert_false (gilk_gaps_touch (gaps, 1.0, 2.0) || gilk_gaps_touch (gaps, 2.4, 2.9) ||
                  gilk_gaps_touch (gaps, 4.6, 9.0));
  g_assert_cmpfloat_with_epsilon (gilk_gaps_measured (gaps, 0, 10), 8.0, 1e-9);
  g_assert_cmpfloat_with_epsilon (gilk_gaps_lost (gaps, 0, 10), 46.0, 1e-6);
}

static void
test_losses (void)
{
  g_auto(StoreFixture) at = fixture_new ();
  g_autoptr(GError) error = NULL;
  uint32_t iid = IID;
  const GilkRunRows rows = { .n = 1, .n_cpus = 2, .iids = &iid };
  GilkRunCounters counters;

  session.thread = g_thread_self ();
  g_mutex_init (&session.lock);
  gilk_run_clock_init (&run_clock, &session, NULL);
  g_assert_true (gilk_run_counters_init (&counters, NULL, &session, &rows, &run_clock, &error));
  session.store = fixture_open (at.path);
  start_run ();

  /* One CPU loses thirty samples, which two successive answers report: they are stored as one
   * loss. */
  add_tick (&counters, 2000, 0, 0);
  add_tick (&counters, 2100, 20, 0);
  add_tick (&counters, 2300, 30, 0);
  /* A long loss is stored in pieces; a loss on another CPU is separate. */
  add_tick (&counters, 3000, 30, 0);
  for (gint64 ms = 3100; ms <= 4000; ms += 100)
    add_tick (&counters, ms, 30 + (uint64_t) (ms - 3000) / 100, 0);
  add_tick (&counters, 4200, 43, 0);
  add_tick (&counters, 4500, 45, 1);
  add_tick (&counters, 5000, 45, 1);

  for (guint cpu = 0; cpu < 2; cpu++)
    g_assert_true (gilk_store_put_counts (session.store, session.run, IID, cpu, &counters.now[cpu], 0, &error));
  g_assert_true (gilk_store_end_run (session.store, session.run, 10000000000, "time is up", &error));
  g_assert_true (gilk_store_close (session.store, &error));
  check_session (at.path);
  g_mutex_clear (&session.lock);
  gilk_run_counters_clear (&counters);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/run-loss/losses", test_losses);

  return g_test_run ();
}
