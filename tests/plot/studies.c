/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * studies.c - makes a session with each kind of data that plots must show correctly
 *
 *   studies FILE
 *
 * Two runs of 20 s, always the same: sleeping times with a loss; arrivals with a rhythm of 100 Hz;
 * a hook that was on for a part of the run; a single sample, a single value, negative values,
 * values over 18 decades, no samples at all, and losses so dense that no spectrum can be computed.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/store/gilk-store-loss.h"
#include "core/store/gilk-store-write.h"
#include "core/store/gilk-store.h"

#define TSC_KHZ 1000000u              /* 1 tick = 1 ns */
#define SECOND  G_GINT64_CONSTANT (1000000000)
#define LENGTH  (20 * SECOND)

enum { ASLEEP = 1, ARRIVALS, LATE, ONE, SAME, SIGNED, WIDE, EMPTY, TORN };

/* Payload of each sample. */
typedef struct {
  gint64   value;
  char     comm[16];
} Payload;

static GRand *chance;
static GilkStore *store;
static gint64 run;

static void
check_result (gboolean good, GError *error)
{
  if (good)
    return;
  fprintf (stderr, "studies: %s\n", error != NULL ? error->message : "failed");
  exit (EXIT_FAILURE);
}

static void
add_instrument (uint32_t id, const char *name, const char *field, const char *unit, uint8_t type)
{
  struct ilk_instrument_desc desc = { .id = id, .version = 1, .sample_bytes = sizeof (Payload), .field_count = 2 };
  GError *error = NULL;

  strcpy (desc.name, name);
  strcpy (desc.help, "made up");
  desc.fields[0] = (struct ilk_field) { "", "", "", type, 0, 8, 0 };
  strcpy (desc.fields[0].name, field);
  strcpy (desc.fields[0].unit, unit);
  desc.fields[1] = (struct ilk_field) { "comm", "", "name", ILK_FIELD_TEXT, 8, 16, 0 };
  check_result (gilk_store_add_instrument (store, run, &desc, &error), error);
}

static void
add_hook (uint32_t iid, const char *label, const char *instrument, gint64 start, gint64 stop)
{
  const GilkStoreHook hook = {
    .iid = iid, .label = label, .function = "pipe_write", .module = "kernel", .block = "+0x2b1", .where = "pre",
    .instrument = instrument, .tactic = "splice", .addr = 0xffffffff81234500 + iid * 16,
    .site = 0xffffffff81234500 + iid * 16, .start_ns = (uint64_t) start, .stop_ns = (uint64_t) stop,
    .cost = 38, .fingerprint = "0123456789abcdef",
  };
  GError *error = NULL;

  check_result (gilk_store_add_hook (store, run, &hook, NULL, &error), error);
}

static void
begin_study (const char *title, uint64_t unix_s)
{
  const GilkStoreRun about = {
    .target = "lab:6.1", .hostname = "lab", .release = "6.1.0-56-amd64", .build_id = "", .title = title,
    .plan_text = "[gilk-plan]\nversion=1\n", .zero_mono_ns = 1, .zero_unix_ns = unix_s * (uint64_t) SECOND,
    .tsc_khz = TSC_KHZ, .n_cpus = 4,
  };
  struct ilk_instrument_desc stamp = { .id = 9, .version = 1, .name = "stamp", .help = "when" };
  GError *error = NULL;

  run = gilk_store_begin_run (store, &about, &error);
  check_result (run > 0, error);
  add_instrument (1, "sleep", "asleep", "ns", ILK_FIELD_U64);
  add_instrument (2, "delta", "delta", "", ILK_FIELD_S64);
  check_result (gilk_store_add_instrument (store, run, &stamp, &error), error);
}

static void
add_sample (uint32_t iid, guint cpu, gint64 at, const gint64 *value, const char *comm)
{
  struct ilk_record record = { .commit = 1, .tsc = (uint64_t) at, .iid = iid,
                               .len = value != NULL ? sizeof (Payload) : 0 };
  uint8_t cells[2 * ILK_CELL] = { 0 };
  GError *error = NULL;
  guint stored;

  memcpy (cells, &record, sizeof record);
  if (value != NULL)
    {
      Payload payload = { .value = *value };

      memcpy (payload.comm, comm, strlen (comm));
      memcpy (cells + G_STRUCT_OFFSET (struct ilk_record, data), &payload, sizeof payload);
    }
  check_result (gilk_store_add_records (store, run, cpu, cells, ILK_RECORD_CELLS (record.len) * ILK_CELL, &stored, &error),
                error);
}

static void
put_loss (uint32_t iid, gint64 from, gint64 to, uint64_t lost)
{
  const GilkStoredLoss loss = { from, to, lost, 0 };
  GError *error = NULL;

  check_result (gilk_store_put_loss (store, run, iid, 1, &loss, &error), error);
}

static void
put_counter (uint32_t iid, uint64_t hits, uint64_t lost)
{
  const struct ilk_counter counter = { hits, lost, 0 };
  GError *error = NULL;

  check_result (gilk_store_put_counts (store, run, iid, 0, &counter, (uint64_t) LENGTH, &error), error);
}

static double
draw_normal (void)
{
  double u = g_rand_double_range (chance, 1e-12, 1.0), v = g_rand_double (chance);

  return sqrt (-2.0 * log (u)) * cos (2.0 * G_PI * v);
}

/* Adds sleep durations whose distribution has two peaks; the peak of the long durations moves up
 * and down. @lost samples are lost between 9.1 and 9.9 s. */
static void
add_asleep (uint32_t iid, double slow, guint lost)
{
  static const char *const names[] = { "cat", "tr", "sort", "grep" };
  gint64 at = 0;
  guint n = 0;

  while ((at += (gint64) (g_rand_double_range (chance, 0.05, 1.0) * 1e6)) < LENGTH)
    {
      double t = (double) at / 1e9;
      gboolean is_slow = g_rand_double (chance) < 0.25;
      double mean = is_slow ? slow * (1.0 + 0.6 * sin (t / 3.0)) : 2300.0;
      gint64 value = (gint64) (mean * exp ((is_slow ? 0.35 : 0.25) * draw_normal ()));

      if (lost > 0 && at > 91 * SECOND / 10 && at < 99 * SECOND / 10)
        continue;
      add_sample (iid, n % 4, at, &value, names[is_slow ? 2 : n % 3]);
      n++;
    }
  if (lost > 0)
    put_loss (iid, 91 * SECOND / 10, 99 * SECOND / 10, lost);
  put_counter (iid, n + lost, lost);
}

/* Adds samples of a Poisson process whose rate rises and falls 100 times per second. */
static void
add_arrivals (void)
{
  gint64 at = 0;
  guint n = 0;

  while ((at += (gint64) (-log (g_rand_double_range (chance, 1e-12, 1.0)) * 2e5)) < LENGTH)
    if (g_rand_double (chance) < 0.5 + 0.45 * sin (2.0 * G_PI * 100.0 * (double) at / 1e9))
      {
        add_sample (ARRIVALS, n % 4, at, NULL, NULL);
        n++;
      }
  put_counter (ARRIVALS, n, 0);
}

static void
add_odd_ones (void)
{
  gint64 value = 4200;

  add_sample (ONE, 0, 7 * SECOND, &value, "cat");
  put_counter (ONE, 1, 0);
  for (guint i = 0; i < 500; i++)
    add_sample (SAME, i % 4, (gint64) i * SECOND / 25, &value, "cat");
  put_counter (SAME, 500, 0);
  for (guint i = 0; i < 3000; i++)
    {
      value = i % 10 == 0 ? 0 : (gint64) rint (40.0 * draw_normal ());
      add_sample (SIGNED, i % 4, (gint64) i * SECOND / 150, &value, i % 2 ? "cat" : "tr");
    }
  put_counter (SIGNED, 3000, 0);
  for (guint i = 0; i < 3000; i++)
    {
      value = (gint64) pow (10.0, g_rand_double_range (chance, 0.0, 18.0));
      add_sample (WIDE, i % 4, (gint64) i * SECOND / 150, &value, "cat");
    }
  put_counter (WIDE, 3000, 0);
  for (gint64 at = 0; at < LENGTH; at += SECOND / 500)
    if (at % (SECOND / 25) >= SECOND / 100)
      {
        value = 1000 + at % 977;
        add_sample (TORN, 1, at, &value, "cat");
      }
    else if (at % (SECOND / 25) == 0)
      put_loss (TORN, at, at + SECOND / 100, 5);
  put_counter (TORN, 10000, 2500);
  for (gint64 at = 5 * SECOND; at < 15 * SECOND; at += 8 * SECOND / 1000 + g_rand_int_range (chance, 0, 4000000))
    add_sample (LATE, (guint) (at / 1000 % 4), at, NULL, NULL);
}

int
main (int argc, char **argv)
{
  GError *error = NULL;

  if (argc != 2)
    {
      fprintf (stderr, "usage: studies FILE\n");
      return EXIT_FAILURE;
    }
  chance = g_rand_new_with_seed (2002);
  store = gilk_store_open (argv[1], &error);
  check_result (store != NULL, error);
  begin_study ("Who sleeps in a pipe", 1700000000);
  add_hook (ASLEEP, "asleep", "sleep", 0, 0);
  add_hook (ARRIVALS, "arrivals", "stamp", 0, 0);
  add_hook (LATE, "late", "stamp", 5 * SECOND, 15 * SECOND);
  add_hook (ONE, "one", "sleep", 0, 0);
  add_hook (SAME, "same", "sleep", 0, 0);
  add_hook (SIGNED, "signed", "delta", 0, 0);
  add_hook (WIDE, "wide", "sleep", 0, 0);
  add_hook (EMPTY, "empty", "sleep", 0, 0);
  add_hook (TORN, "torn", "sleep", 0, 0);
  add_asleep (ASLEEP, 90e3, 312);
  add_arrivals ();
  add_odd_ones ();
  check_result (gilk_store_end_run (store, run, (uint64_t) LENGTH, "time is up", &error), error);

  begin_study ("The same with a larger pipe", 1700003600);
  add_hook (ASLEEP, "asleep", "sleep", 0, 0);
  add_asleep (ASLEEP, 160e3, 0);
  check_result (gilk_store_end_run (store, run, (uint64_t) LENGTH, "time is up", &error), error);
  check_result (gilk_store_close (store, &error), error);
  g_rand_free (chance);

  return EXIT_SUCCESS;
}
