/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * samples.c - measures the cost of storing samples and of reading them
 *
 *   samples FILE [--samples N] [--hooks N] [--cpus N] [--fields | --spans] [--per-second N]
 *
 * Writes synthetic records, as the rings contain them, to a new session, then reads them. Prints
 * one value per line, in seconds of CPU time unless noted. With --fields, samples have a process, a
 * name and a size (instrument task). With --spans, they have stack frames of calls (instrument
 * span, two hooks). Otherwise they have only times.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <glib/gstdio.h>

#include "core/samples/gilk-samples.h"
#include "core/store/gilk-store-write.h"

#define TSC_KHZ     2500000u
#define BATCH_BYTES (256 << 10)
#define STACKS      300         /* number of tasks that make calls */

static int n_samples = 10000000, n_hooks = 4, n_cpus = 2, per_second = 1000000, pause_each;
static gboolean fields, spans;

static const GOptionEntry entries[] = {
  { "samples", 0, 0, G_OPTION_ARG_INT, &n_samples, "Samples in all", "N" },
  { "hooks", 0, 0, G_OPTION_ARG_INT, &n_hooks, "Hooks that they are of", "N" },
  { "cpus", 0, 0, G_OPTION_ARG_INT, &n_cpus, "Processors", "N" },
  { "per-second", 0, 0, G_OPTION_ARG_INT, &per_second, "Rate, in the samples' own time", "N" },
  { "pause-each", 0, 0, G_OPTION_ARG_INT, &pause_each, "Now and then a pause, as long as N samples take", "N" },
  { "fields", 0, 0, G_OPTION_ARG_NONE, &fields, "With a process, a name and a size", NULL },
  { "spans", 0, 0, G_OPTION_ARG_NONE, &spans, "Entries and exits of a function", NULL },
  { NULL },
};

static double
cpu_seconds (void)
{
  struct timespec t;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);

  return (double) t.tv_sec + (double) t.tv_nsec / 1e9;
}

static void
check_result (gboolean good, GError *error)
{
  if (!good)
    g_error ("%s", error != NULL ? error->message : "failed");
}

/* ---- making records ---- */

static uint64_t random_state = 88172645463325252u;

static uint64_t
draw_next (void)
{
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;

  return random_state;
}

/* Writes a record for a random task: of a call's exit if the task is in a call, otherwise of a
 * call's entry. */
static gsize
put_span (uint8_t *at, struct ilk_record *record)
{
  static gboolean inside[STACKS];
  guint stack = (guint) (draw_next () % STACKS);
  const uint64_t frame = 0xffffc90000003e58u + 0x8000u * (uint64_t) stack;

  record->iid = inside[stack];
  record->len = 8;
  inside[stack] = !inside[stack];
  memset (at, 0, 32);
  memcpy (at, record, 24);
  memcpy (at + 24, &frame, 8);

  return 32;
}

static gsize
put_record (uint8_t *at, uint64_t tsc)
{
  static const char names[4][16] = { "nginx", "postgres", "kworker/0:1", "bash" };
  struct ilk_record record = { .commit = 1, .tsc = tsc, .iid = (uint32_t) (draw_next () % n_hooks) };
  uint32_t who = (uint32_t) (draw_next () % 40);
  uint64_t size = draw_next () % 65536;

  if (spans)
    return put_span (at, &record);
  if (!fields)
    {
      memcpy (at, &record, sizeof record);
      return sizeof record;
    }
  record.len = 32;
  memset (at, 0, 64);
  memcpy (at, &record, 24);
  who += 1000;
  memcpy (at + 24, &who, 4);
  memcpy (at + 28, names[who % 4], 16);
  memcpy (at + 48, &size, 8);

  return 64;
}

/* Makes the next batch of a CPU's records, at the times of a Poisson process. */
static guint
make_batch (uint8_t *cells, uint64_t *tsc, guint most, gsize *bytes)
{
  double mean = TSC_KHZ * 1000.0 * n_cpus / per_second;
  guint n = 0;

  for (*bytes = 0; n < most && *bytes + 64 <= BATCH_BYTES; n++)
    {
      *tsc += 1 + (uint64_t) (mean * (double) (draw_next () % 2000) / 1000.0);
      if (pause_each > 0 && draw_next () % (uint64_t) pause_each == 0)
        *tsc += (uint64_t) (mean * pause_each);
      *bytes += put_record (cells + *bytes, *tsc);
    }

  return n;
}

/* ---- measuring the cost of storing samples ---- */

static gint64
begin_run (GilkStore *store)
{
  static const struct ilk_field task[] = {
    { "pid", "", "process", ILK_FIELD_U32, 0, 4, 0 },
    { "comm", "", "name", ILK_FIELD_TEXT, 4, 16, 0 },
    { "size", "B", "size", ILK_FIELD_U64, 24, 8, 0 },
  };
  const GilkStoreRun run = { .target = "bench", .plan_text = "", .tsc_khz = TSC_KHZ,
                             .n_cpus = (guint) n_cpus };
  static const struct ilk_field frame = { "frame", "", "return address", ILK_FIELD_HEX64, 0, 8, 0 };
  struct ilk_instrument_desc desc = { .id = 1, .name = "stamp" };
  GError *error = NULL;
  gint64 id = gilk_store_begin_run (store, &run, &error);

  check_result (id != 0, error);
  if (fields)
    {
      desc.sample_bytes = 32;
      desc.field_count = G_N_ELEMENTS (task);
      strcpy (desc.name, "task");
      memcpy (desc.fields, task, sizeof task);
    }
  if (spans)
    {
      desc.sample_bytes = 8;
      desc.field_count = 1;
      strcpy (desc.name, "span");
      desc.fields[0] = frame;
    }
  check_result (gilk_store_add_instrument (store, id, &desc, &error), error);
  for (int i = 0; i < n_hooks; i++)
    {
      g_autofree char *label = g_strdup_printf ("h%d", i);
      const GilkStoreHook hook = { .iid = (uint32_t) i, .label = label, .function = "f", .block = "+0x0",
                                   .where = spans && i == 1 ? "post" : "pre", .instrument = desc.name, .tactic = "splice" };

      check_result (gilk_store_add_hook (store, id, &hook, NULL, &error), error);
    }

  return id;
}

static void
record_session (const char *path)
{
  g_autofree uint8_t *cells = g_malloc (BATCH_BYTES);
  g_autofree uint64_t *tsc = g_new0 (uint64_t, n_cpus);
  GError *error = NULL;
  GilkStore *store = gilk_store_open (path, &error);
  uint64_t flush_at = TSC_KHZ * 500ull, end_ns = 0;
  double spent = 0.0, begun;
  guint done = 0, stored;
  gint64 run;
  gsize bytes;

  check_result (store != NULL, error);
  run = begin_run (store);
  while (done < (guint) n_samples)
    {
      guint cpu = 0;

      for (guint i = 1; i < (guint) n_cpus; i++)
        if (tsc[i] < tsc[cpu])
          cpu = i;
      done += make_batch (cells, &tsc[cpu], (guint) n_samples - done, &bytes);
      begun = cpu_seconds ();
      check_result (gilk_store_add_records (store, run, cpu, cells, bytes, &stored, &error), error);
      if (tsc[cpu] > flush_at)
        {
          check_result (gilk_store_flush (store, &error), error);
          flush_at += TSC_KHZ * 500ull;
        }
      spent += cpu_seconds () - begun;
    }
  begun = cpu_seconds ();
  check_result (gilk_store_flush (store, &error), error);
  spent += cpu_seconds () - begun;
  printf ("record: %.3f s, %.1f ns a sample\n", spent, spent * 1e9 / n_samples);
  for (guint i = 0; i < (guint) n_cpus; i++)
    end_ns = MAX (end_ns, tsc[i] * 1000000 / TSC_KHZ + 1);
  begun = cpu_seconds ();
  check_result (gilk_store_end_run (store, run, end_ns, "stopped", &error) && gilk_store_close (store, &error),
                error);
  printf ("end of the run: %.3f s\n", cpu_seconds () - begun);
}

/* ---- measuring the cost of reading samples ---- */

static void
read_hooks (const char *path, guint n, gboolean ordered, const char *what)
{
  double begun = cpu_seconds ();
  GError *error = NULL;
  g_autoptr(GilkStore) store = gilk_store_open_read (path, NULL, &error);
  g_autoptr(GArray) hooks = store != NULL ? gilk_store_hooks (store, 1, &error) : NULL;
  g_autoptr(GilkSamples) samples = NULL;
  guint number = 0, type;
  GilkSampleBlock block;
  uint64_t found = 0, sum = 0;

  check_result (hooks != NULL, error);
  samples = gilk_samples_new (store, (const GilkStoredHook *) (void *) hooks->data, n, &error);
  check_result (samples != NULL, error);
  if (fields)
    check_result (gilk_samples_add_field (samples, "size", &number, &type, &error), error);
  if (ordered)
    gilk_samples_in_order (samples);
  while (gilk_samples_next (samples, &block, &error))
    {
      const gint64 *values = fields ? block.values[number] : block.t_ns;

      for (guint i = 0; i < block.n; i++)
        sum += (uint64_t) values[i];
      found += block.n;
    }
  check_result (error == NULL, error);
  printf ("read %s: %" G_GUINT64_FORMAT " in %.3f s, %.1f ns each (sum %" G_GUINT64_FORMAT ")\n", what,
          (guint64) found, cpu_seconds () - begun, (cpu_seconds () - begun) * 1e9 / (double) found,
          (guint64) sum);
}

int
main (int argc, char **argv)
{
  g_autoptr(GOptionContext) context = g_option_context_new ("FILE");
  GError *error = NULL;
  struct rusage usage;
  GStatBuf st;

  g_option_context_add_main_entries (context, entries, NULL);
  check_result (g_option_context_parse (context, &argc, &argv, &error), error);
  if (argc != 2)
    {
      fprintf (stderr, "usage: samples FILE [OPTION...]\n");
      return 2;
    }
  if (spans)
    n_hooks = 2;
  g_unlink (argv[1]);
  record_session (argv[1]);
  if (g_stat (argv[1], &st) == 0)
    printf ("on disk: %.2f bytes a sample\n", (double) st.st_size / n_samples);
  read_hooks (argv[1], 1, FALSE, "one hook, as they come");
  read_hooks (argv[1], (guint) n_hooks, FALSE, "all, as they come");
  read_hooks (argv[1], (guint) n_hooks, TRUE, "all, by time");
  getrusage (RUSAGE_SELF, &usage);
  printf ("memory at most: %ld MiB\n", usage.ru_maxrss / 1024);

  return 0;
}
