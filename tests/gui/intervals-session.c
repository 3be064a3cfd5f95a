/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * intervals-session.c - makes a session with hooks switched at random intervals, with clocks and
 * costs
 *
 *   intervals-session FILE
 *
 * Run 1 has a control hook with hits on two of four CPUs: 10,000 per second while the other hooks
 * are off, and a tenth fewer while they are on. Run 2 has a trap among the switched hooks, and no
 * control hook.
 */
#include <stdio.h>
#include <stdlib.h>

#include "core/plan/gilk-plan.h"
#include "core/store/gilk-store-clock.h"
#include "core/store/gilk-store-cost.h"
#include "core/store/gilk-store-loss.h"
#include "core/store/gilk-store-write.h"

#define BLOCKS  60
#define PERIOD  20000000u             /* length of an interval in ns; 1 tick = 1 ns */
#define SECOND  G_GUINT64_CONSTANT (1000000000)
#define N_CPUS  4u

static void
check_result (gboolean good, GError *error)
{
  if (good)
    return;
  fprintf (stderr, "intervals-session: %s\n", error != NULL ? error->message : "failed");
  exit (EXIT_FAILURE);
}

static void
add_hook (GilkStore *store, gint64 run, uint32_t iid, const char *label, const char *tactic, guint cost, gboolean switched)
{
  const GilkStoreHook hook = {
    .iid = iid, .label = label, .function = "pipe_write", .module = "kernel", .block = "+0x9", .where = "pre",
    .instrument = "stamp", .tactic = tactic, .cost = cost, .switched = switched,
  };
  GError *error = NULL;

  check_result (gilk_store_add_hook (store, run, &hook, NULL, &error), error);
}

static void
add_clocks (GilkStore *store, gint64 run)
{
  const uint64_t length = BLOCKS * (uint64_t) PERIOD;
  const GilkTimestampPair moments[] = { { 0, 0, 60 }, { SECOND, SECOND, 40 }, { SECOND + length + 240, SECOND + length, 44 } };
  const GilkCpuOffset offsets[N_CPUS] = { { 0, 0, TRUE }, { 740, 60, TRUE }, { -12, 60, TRUE }, { 0, 0, FALSE } };
  GError *error = NULL;

  check_result (gilk_store_set_rate (store, run, 1000000000, &error), error);
  for (guint i = 0; i < G_N_ELEMENTS (moments); i++)
    check_result (gilk_store_add_timestamp_pair (store, run, (GilkTimestampPosition) i, &moments[i], &error), error);
  check_result (gilk_store_add_offsets (store, run, GILK_TIMESTAMP_ZERO, offsets, N_CPUS, &error), error);
  check_result (gilk_store_add_offsets (store, run, GILK_TIMESTAMP_END, offsets, N_CPUS, &error), error);
}

static void
add_costs (GilkStore *store, gint64 run)
{
  const GilkStoreCost costs[] = { { "stamp", "splice", 19, 8.25, 8.11, 8.4, 7.9 }, { "stamp", "trap", 25, 1290, 1240, 1350, 1180 } };
  GError *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (costs); i++)
    check_result (gilk_store_add_cost (store, run, &costs[i], &error), error);
}

/* Adds the control hook's samples, fewer while the other hooks are on. */
static void
add_samples (GilkStore *store, gint64 run)
{
  const GilkPlanInterleave interleave = { PERIOD, 11 };
  g_autofree uint8_t *on = gilk_interleave_intervals (&interleave, BLOCKS);
  g_autoptr(GRand) rand = g_rand_new_with_seed (5);
  struct ilk_counter hits[2] = { { 0 } };
  GError *error = NULL;

  for (guint i = 0; i < BLOCKS; i++)
    {
      const GilkStoredInterval block = { (gint64) i * PERIOD, (gint64) (i + 1) * PERIOD, on[i], i + 1 < BLOCKS };
      uint64_t t = i * (uint64_t) PERIOD + 50000;

      check_result (gilk_store_add_interval (store, run, i, &block, &error), error);
      while (t < (i + 1) * (uint64_t) PERIOD)
        {
          const struct ilk_record record = { .commit = 1, .tsc = SECOND + t, .iid = 1 };
          guint stored, cpu = (guint) (t / 100000) % 2;

          check_result (gilk_store_add_records (store, run, cpu, &record, sizeof record, &stored, &error), error);
          hits[cpu].count++;
          t += (uint64_t) ((on[i] ? 111000 : 100000) * (0.6 + 0.8 * g_rand_double (rand)));
        }
    }
  for (guint cpu = 0; cpu < G_N_ELEMENTS (hits); cpu++)
    check_result (gilk_store_put_counts (store, run, 1, cpu, &hits[cpu], BLOCKS * (uint64_t) PERIOD, &error), error);
}

static void
add_run (GilkStore *store, gboolean witness)
{
  const GilkStoreRun row = { .target = "lab:6.12", .hostname = "lab", .release = "6.12.9-amd64", .title = "What the hooks do",
                             .plan_text = "", .tsc_khz = 1000000, .zero_tsc = SECOND, .zero_mono_ns = SECOND,
                             .zero_unix_ns = G_GUINT64_CONSTANT (1700000000000000000),
                             .n_cpus = N_CPUS };
  const struct ilk_instrument_desc desc = { .name = "stamp", .version = 1 };
  GError *error = NULL;
  gint64 run = gilk_store_begin_run (store, &row, &error);

  check_result (run > 0 && gilk_store_add_instrument (store, run, &desc, &error), error);
  if (witness)
    {
      add_hook (store, run, 1, "witness", "splice", 19, FALSE);
      add_clocks (store, run);
      add_costs (store, run);
      add_samples (store, run);
    }
  add_hook (store, run, 2, "switched", witness ? "splice" : "trap", 25, TRUE);
  check_result (gilk_store_end_run (store, run, BLOCKS * (uint64_t) PERIOD, "time is up", &error), error);
}

int
main (int argc, char **argv)
{
  GError *error = NULL;
  GilkStore *store;

  if (argc != 2)
    {
      fprintf (stderr, "usage: intervals-session FILE\n");
      return EXIT_FAILURE;
    }
  store = gilk_store_open (argv[1], &error);
  check_result (store != NULL, error);
  add_run (store, TRUE);
  add_run (store, FALSE);
  check_result (gilk_store_close (store, &error), error);

  return EXIT_SUCCESS;
}
