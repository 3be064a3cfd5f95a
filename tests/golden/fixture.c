/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fixture.c - makes the session that the transcripts read; the result is always the same
 *
 * fixture FILE: run 1 is a pipeline study with losses, run 2 only counts. All data are written
 * through gilk-store, like a recording.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/store/gilk-store-clock.h"
#include "core/store/gilk-store-cost.h"
#include "core/store/gilk-store-write.h"

#define TSC_KHZ  2000000u              /* 2 GHz: 1 ns = 2 ticks */
#define ZERO_TSC 3000000000u
#define SECOND   G_GUINT64_CONSTANT (1000000000)

enum { WRITER_SLEEPS = 1, READER_SLEEPS, WRITES, ONLY_COUNTS };

/* Payload of a task sample, in the layout that instruments/task.c describes. */
typedef struct {
  uint32_t pid;
  char     comm[16];
} Task;

static void
check_result (gboolean ok, GError *error)
{
  if (ok)
    return;
  fprintf (stderr, "fixture: %s\n", error != NULL ? error->message : "failed");
  exit (EXIT_FAILURE);
}

static void
describe_task (struct ilk_instrument_desc *desc)
{
  *desc = (struct ilk_instrument_desc) {
    .id = 1, .version = 1, .sample_bytes = sizeof (Task), .field_count = 2,
    .name = "task", .help = "which task passes",
  };
  desc->fields[0] = (struct ilk_field) { "pid", "", "process", ILK_FIELD_U32, 0, 4, 0 };
  desc->fields[1] = (struct ilk_field) { "comm", "", "name", ILK_FIELD_TEXT, 4, 16, 0 };
}

static void
add_hook (GilkStore *store, gint64 run, uint32_t iid, const char *label, const char *function,
          const char *block, const char *instrument, uint64_t stop_s)
{
  GError *error = NULL;
  gint64 id;
  GilkStoreHook hook = {
    .iid = iid, .label = label, .function = function, .module = "kernel", .block = block,
    .where = "pre", .instrument = instrument, .tactic = "splice",
    .addr = 0xffffffff81234500 + iid * 16, .site = 0xffffffff81234500 + iid * 16,
    .start_ns = 0, .stop_ns = stop_s * SECOND, .cost = strcmp (instrument, "count") == 0 ? 1 : 38,
    .fingerprint = "0123456789abcdef",
  };

  check_result (gilk_store_add_hook (store, run, &hook, &id, &error), error);
}

/* Adds a record of two cells of the ring, units of 32 bytes. The first cell contains eight bytes of
 * the payload, the second cell contains the rest. */
static void
put_task (GByteArray *cells, uint32_t iid, uint64_t at_ns, uint32_t pid, const char *comm)
{
  struct ilk_record record = { .tsc = ZERO_TSC + at_ns * 2, .iid = iid, .len = sizeof (Task) };
  guint8 second[ILK_CELL] = { 0 };
  Task task = { .pid = pid };

  memcpy (task.comm, comm, MIN (strlen (comm), sizeof task.comm));
  record.commit = cells->len + 1;
  memcpy (record.data, &task, sizeof record.data);
  memcpy (second, (const guint8 *) &task + sizeof record.data, sizeof task - sizeof record.data);
  g_byte_array_append (cells, (const guint8 *) &record, sizeof record);
  g_byte_array_append (cells, second, sizeof second);
}

static void
put_counter (GilkStore *store, gint64 run, uint32_t iid, guint cpu, uint64_t hits, uint64_t lost,
             uint64_t missed)
{
  GError *error = NULL;
  struct ilk_counter counter = { hits, lost, missed };

  check_result (gilk_store_put_counts (store, run, iid, cpu, &counter, 10 * SECOND, &error), error);
}

/* Adds samples of a pipeline. cat and tr wait for space in a pipe, grep waits for input, and sed
 * hardly ever sleeps. */
static void
add_pipeline_samples (GilkStore *store, gint64 run)
{
  g_autoptr(GByteArray) cells = g_byte_array_new ();
  GError *error = NULL;
  guint stored = 0;

  for (guint i = 0; i < 60; i++)
    {
      uint64_t at = (i + 1) * (SECOND / 10);

      put_task (cells, WRITER_SLEEPS, at, 101, "cat");
      if (i % 2 == 0)
        put_task (cells, WRITER_SLEEPS, at + 1000, 102, "tr");
      put_task (cells, READER_SLEEPS, at + 2500, 104, "grep");
      if (i == 0)
        put_task (cells, READER_SLEEPS, at + 5000, 103, "sed");
    }
  check_result (gilk_store_add_records (store, run, 0, cells->data, cells->len, &stored, &error), error);
  put_counter (store, run, WRITER_SLEEPS, 0, 97, 7, 0);
  put_counter (store, run, READER_SLEEPS, 0, 61, 0, 1);
  put_counter (store, run, WRITES, 0, 400, 0, 0);
  put_counter (store, run, WRITES, 1, 23, 0, 0);
}

static void
add_costs (GilkStore *store, gint64 run)
{
  const GilkStoreCost task = { "task", "splice", 38, 40.0, 38.8, 41.7, 38.0 },
                      count = { "count", "splice", 1, 1.25, 1.0, 1.5, 1.0 },
                      trap = { "count", "trap", 1, 1287.4, 998.6, 1310.0, 960.0 };
  const GilkCostMeasurement of_task[] = { { 0, -1, 39.8, 38 }, { 1, 250000000, 40, 38.5 }, { 2, 1000000000, 40.9, 39 } };
  GError *error = NULL;

  check_result (gilk_store_add_cost (store, run, &task, &error) && gilk_store_add_cost (store, run, &count, &error) &&
                gilk_store_add_cost (store, run, &trap, &error), error);
  for (guint i = 0; i < G_N_ELEMENTS (of_task); i++)
    check_result (gilk_store_add_cost_measurement (store, run, &task, &of_task[i], &error), error);
}

/* Stores clock data: the TSC gains 0.2 ppm, and the second CPU's TSC was ahead by 500 ns. */
static void
add_clocks (GilkStore *store, gint64 run)
{
  const GilkTimestampPair moments[] = { { ZERO_TSC - 1000000000, SECOND / 2, 60 }, { ZERO_TSC, SECOND, 40 },
                                 { ZERO_TSC + 20000004000, 11 * SECOND, 44 } };
  const GilkCpuOffset offsets[] = { { 0, 0, TRUE }, { 1000, 120, TRUE } };
  GError *error = NULL;

  check_result (gilk_store_set_rate (store, run, TSC_KHZ * G_GUINT64_CONSTANT (1000), &error), error);
  for (guint i = 0; i < G_N_ELEMENTS (moments); i++)
    check_result (gilk_store_add_timestamp_pair (store, run, (GilkTimestampPosition) i, &moments[i], &error), error);
  check_result (gilk_store_add_offsets (store, run, GILK_TIMESTAMP_ZERO, offsets, 2, &error), error);
  check_result (gilk_store_add_offsets (store, run, GILK_TIMESTAMP_END, offsets, 2, &error), error);
}

static void
add_pipeline_run (GilkStore *store)
{
  GilkStoreRun about = {
    .target = "lab:6.1", .hostname = "lab", .release = "6.1.0-56-amd64",
    .build_id = "00112233445566778899aabbccddeeff00112233", .title = "Who sleeps in a pipe",
    .plan_text = "[gilk-plan]\nversion=1\n", .zero_tsc = ZERO_TSC, .zero_mono_ns = SECOND,
    .zero_unix_ns = G_GUINT64_CONSTANT (1700000000) * SECOND, .tsc_khz = TSC_KHZ, .n_cpus = 2,
  };
  struct ilk_instrument_desc task;
  GError *error = NULL;
  gint64 run = gilk_store_begin_run (store, &about, &error);

  check_result (run > 0, error);
  describe_task (&task);
  check_result (gilk_store_add_instrument (store, run, &task, &error), error);
  add_hook (store, run, WRITER_SLEEPS, "writer-sleeps", "pipe_write", "+0x2b1", "task", 10);
  add_hook (store, run, READER_SLEEPS, "reader-sleeps", "pipe_read", "+0x1c4", "task", 10);
  add_hook (store, run, WRITES, "writes", "pipe_write", "+0x9", "count", 0);
  add_clocks (store, run);
  add_costs (store, run);
  add_pipeline_samples (store, run);
  check_result (gilk_store_end_run (store, run, 10 * SECOND, "time is up", &error), error);
}

static void
add_counting_run (GilkStore *store)
{
  GilkStoreRun about = {
    .target = "lab:6.12", .hostname = "lab", .release = "6.12.9-amd64", .build_id = "",
    .title = "Only counts", .plan_text = "[gilk-plan]\nversion=1\n", .zero_tsc = ZERO_TSC,
    .zero_mono_ns = SECOND, .zero_unix_ns = G_GUINT64_CONSTANT (1700000100) * SECOND,
    .tsc_khz = TSC_KHZ, .n_cpus = 1,
  };
  GError *error = NULL;
  gint64 run = gilk_store_begin_run (store, &about, &error);

  check_result (run > 0, error);
  add_hook (store, run, ONLY_COUNTS, "reads", "vfs_read", "+0x9", "count", 0);
  for (guint i = 1; i <= 4; i++)
    check_result (gilk_store_add_count_point (store, run, ONLY_COUNTS, i * SECOND / 2, i * i * 10, &error),
                  error);
  put_counter (store, run, ONLY_COUNTS, 0, 160, 0, 0);
  check_result (gilk_store_end_run (store, run, 2 * SECOND, "stopped", &error), error);
}

int
main (int argc, char **argv)
{
  GError *error = NULL;
  GilkStore *store;

  if (argc != 2)
    {
      fprintf (stderr, "usage: fixture FILE\n");
      return EXIT_FAILURE;
    }
  store = gilk_store_open (argv[1], &error);
  check_result (store != NULL, error);
  add_pipeline_run (store);
  add_counting_run (store);
  check_result (gilk_store_close (store, &error), error);
  return EXIT_SUCCESS;
}
