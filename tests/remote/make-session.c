/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * make-session.c - makes a session for a push: make-session FILE HOST SEED SAMPLES
 *
 * The session has one run of HOST. Hooks "reads" and "writes" have samples with numbers of each
 * type and texts that need quoting; some samples are too short for all fields. "writes" loses
 * samples at two times. "ticks" has only times and no losses. "calls" only counts, starts later
 * than the others, and pauses for a while.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/store/gilk-store-loss.h"
#include "core/store/gilk-store-write.h"
#include "core/store/gilk-store.h"

#define TSC_KHZ 1000000u            /* 1 tick = 1 ns */
#define SECOND  G_GINT64_CONSTANT (1000000000)
#define LOST    7
#define READINGS 1000

enum { READS = 1, WRITES, TICKS, CALLS, CPUS = 2 };

typedef struct {
  char     comm[16];
  uint64_t size;
  int64_t  delta;
  uint32_t pid;                     /* missing in samples that are too short for all fields */
} Wide;

static void
check_result (gboolean good, const GError *error)
{
  if (good)
    return;
  fprintf (stderr, "make-session: %s\n", error != NULL ? error->message : "failed");
  exit (EXIT_FAILURE);
}

static void
add_instruments (GilkStore *store, gint64 run)
{
  static const struct ilk_field fields[] = {
    { "pid", "", "process", ILK_FIELD_U32, 32, 4, 0 },
    { "comm", "", "its name", ILK_FIELD_TEXT, 0, 16, 0 },
    { "size", "B", "how much", ILK_FIELD_U64, 16, 8, 0 },
    { "delta", "ns", "since then", ILK_FIELD_S64, 24, 8, 0 },
  };
  struct ilk_instrument_desc wide = { .id = 1, .version = 1, .sample_bytes = sizeof (Wide) - 4,
                                      .field_count = G_N_ELEMENTS (fields), .name = "wide", .help = "of all kinds" };
  struct ilk_instrument_desc stamp = { .id = 2, .version = 1, .name = "stamp", .help = "times" };
  GError *error = NULL;

  memcpy (wide.fields, fields, sizeof fields);
  check_result (gilk_store_add_instrument (store, run, &wide, &error), error);
  check_result (gilk_store_add_instrument (store, run, &stamp, &error), error);
}

static void
add_hook (GilkStore *store, gint64 run, uint32_t iid, const char *label, const char *instrument)
{
  const GilkStoreHook hook = { .iid = iid, .label = label, .function = "vfs_\"x\"", .module = "kernel",
                               .block = "+0x9", .where = "pre", .instrument = instrument, .tactic = "splice",
                               .start_ns = iid == CALLS ? 1000000 : 0, .addr = 0xffffffff81234500, .site = 0xffffffff81234500, .cost = 19 };
  GError *error = NULL;

  check_result (gilk_store_add_hook (store, run, &hook, NULL, &error), error);
}

static gint64
begin_run (GilkStore *store, const char *host, guint seed)
{
  GilkStoreRun run = { .target = "local", .hostname = host, .release = "6.1.0-test", .build_id = "00ff",
                       .boot_id = "boot", .title = "A run's \\ title", .plan_text = "", .tsc_khz = TSC_KHZ,
                       .n_cpus = CPUS };
  GError *error = NULL;
  gint64 id;

  run.zero_unix_ns = (G_GUINT64_CONSTANT (1700000000) + seed) * SECOND;
  id = gilk_store_begin_run (store, &run, &error);
  check_result (id != 0, error);
  add_instruments (store, id);
  add_hook (store, id, READS, "reads", "wide");
  add_hook (store, id, WRITES, "writes", "wide");
  add_hook (store, id, TICKS, "ticks", "stamp");
  add_hook (store, id, CALLS, "calls", "count");

  return id;
}

static gsize
put_sample (GRand *rand, uint8_t *at, gint64 t_ns, uint32_t iid)
{
  static const char *const names[] = { "cat", "a\tb", "it's", "\\n \"c\"", "k\xc3\xa4se" };
  struct ilk_record record = { .commit = 1, .tsc = (uint64_t) t_ns, .iid = iid };
  gboolean is_short = g_rand_int_range (rand, 0, 40) == 0;
  Wide wide = { .pid = (uint32_t) g_rand_int_range (rand, 1, 30) };

  memset (at, 0, 3 * ILK_CELL);
  if (iid == TICKS)
    {
      memcpy (at, &record, sizeof record);
      return ILK_CELL;
    }
  strcpy (wide.comm, names[wide.pid % G_N_ELEMENTS (names)]);
  wide.size = (uint64_t) g_rand_int_range (rand, 1, 1 << 20) >> g_rand_int_range (rand, 0, 20);
  if (g_rand_int_range (rand, 0, 1000) == 0)
    wide.size = G_MAXUINT64 - wide.size;
  wide.delta = g_rand_int_range (rand, -100000, 100000) * (iid == WRITES ? 2 : 1);
  record.len = is_short ? 32 : 36;
  memcpy (at, &record, 24);
  memcpy (at + 24, &wide, record.len);

  return ILK_RECORD_CELLS (record.len) * ILK_CELL;
}

static uint64_t
put_samples (GilkStore *store, gint64 run, guint seed, guint n, uint64_t stored[CALLS + 1][CPUS])
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (seed);
  uint8_t cells[3 * ILK_CELL];
  GError *error = NULL;
  gint64 t_ns = 0;

  for (guint i = 0; i < n; i++)
    {
      uint32_t iid = (uint32_t) g_rand_int_range (rand, READS, TICKS + 1);
      guint cpu = (guint) g_rand_int_range (rand, 0, CPUS), added;
      gsize bytes;

      t_ns += g_rand_int_range (rand, 0, 1500);
      bytes = put_sample (rand, cells, t_ns, iid);
      check_result (gilk_store_add_records (store, run, cpu, cells, bytes, &added, &error), error);
      stored[iid][cpu] += added;
    }

  return (uint64_t) t_ns;
}

static void
put_counts (GilkStore *store, gint64 run, uint64_t stored[CALLS + 1][CPUS], uint64_t end_ns)
{
  const GilkStoredLoss early = { 0, (gint64) end_ns / 100, LOST, 0 };
  const GilkStoredLoss late = { (gint64) end_ns / 2, (gint64) end_ns / 2 + (gint64) end_ns / 50, LOST, 0 };
  GError *error = NULL;

  for (uint32_t iid = READS; iid <= CALLS; iid++)
    for (guint cpu = 0; cpu < CPUS; cpu++)
      {
        uint64_t lost = iid == WRITES && cpu == 0 ? 2 * LOST : 0;
        const struct ilk_counter counter = { .count = (iid == CALLS ? 1000 : stored[iid][cpu]) + lost, .lost = lost };

        check_result (gilk_store_put_counts (store, run, iid, cpu, &counter, end_ns, &error), error);
      }
  check_result (gilk_store_put_loss (store, run, WRITES, 0, &early, &error), error);
  check_result (gilk_store_put_loss (store, run, WRITES, 0, &late, &error), error);
}

/* Adds readings of a counter that counts 2,000 hits, and pauses from a third to half of the run. */
static void
put_readings (GilkStore *store, gint64 run, uint64_t end_ns)
{
  GError *error = NULL;

  for (guint i = 0; i <= READINGS; i++)
    if (i <= READINGS / 3 || i >= READINGS / 2)
      check_result (gilk_store_add_count_point (store, run, CALLS, end_ns / READINGS * i,
                                                i < READINGS / 3 ? 2 * i : i <= READINGS / 2 ? 2 * (READINGS / 3) : 2 * i, &error),
                    error);
}

int
main (int argc, char **argv)
{
  uint64_t stored[CALLS + 1][CPUS] = { { 0 } }, end_ns;
  GError *error = NULL;
  GilkStore *store;
  guint seed;
  gint64 run;

  if (argc != 5)
    {
      fprintf (stderr, "usage: make-session FILE HOST SEED SAMPLES\n");
      return 2;
    }
  seed = (guint) atoi (argv[3]);
  store = gilk_store_open (argv[1], &error);
  check_result (store != NULL, error);
  run = begin_run (store, argv[2], seed);
  end_ns = put_samples (store, run, seed, (guint) atoi (argv[4]), stored);
  put_counts (store, run, stored, end_ns);
  put_readings (store, run, end_ns);
  check_result (gilk_store_end_run (store, run, end_ns + 1000, "stopped", &error), error);
  check_result (gilk_store_close (store, &error), error);

  return 0;
}
