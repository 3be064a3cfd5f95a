/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * packets.c - makes a session and a capture of the same packets; the result is always the same
 *
 * packets SESSION CAPTURE: 1500 packets at random times and 100 evenly spaced packets pass two
 * hooks. The capture's clock is off by a quarter of a second and 12 ppm. It has a resolution of 10
 * ns, so two packets have the same time. The capture lacks one of the packets, and has an
 * additional packet and five packets of another port.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/store/gilk-store-write.h"
#include "core/store/gilk-store.h"

#define SECOND    G_GINT64_CONSTANT (1000000000)
#define TSC_KHZ   2000000u
#define ZERO_TSC  1000000000u
#define ZERO_UNIX (1700000200 * SECOND)
#define PACKETS   1600
#define MISSED    700
/* Index of a packet that passes immediately after the previous packet, on another CPU. */
#define TWIN      900

enum { SENT = 1, IP };

static void
check_result (gboolean ok, GError *error)
{
  if (ok)
    return;
  fprintf (stderr, "packets: %s\n", error != NULL ? error->message : "failed");
  exit (EXIT_FAILURE);
}

static guint32
draw_next (guint32 *state)
{
  *state = *state * 1664525u + 1013904223u;

  return *state >> 8;
}

static int
compare_times (const void *one, const void *other)
{
  gint64 x = *(const gint64 *) one, y = *(const gint64 *) other;

  return (x > y) - (x < y);
}

/* Computes when each packet passes the first hook, in ns since time zero. */
static void
make_times (gint64 *times)
{
  guint32 state = 1;

  for (guint i = 0; i < PACKETS; i++)
    times[i] = i < PACKETS - 100 ? SECOND / 10 + (gint64) draw_next (&state) * 238 + draw_next (&state) % 1000
                                 : SECOND / 10 + (i - PACKETS + 100) * SECOND / 25 + 333;
  qsort (times, PACKETS, sizeof *times, compare_times);
  times[TWIN - 1] += 4;
  times[TWIN] = times[TWIN - 1] + 1;
}

/* ---- making the session ---- */

static void
put_stamp (GByteArray *cells, uint32_t iid, gint64 at_ns)
{
  struct ilk_record record = { .commit = cells->len + 1, .tsc = ZERO_TSC + (uint64_t) at_ns * 2, .iid = iid };

  g_byte_array_append (cells, (const guint8 *) &record, sizeof record);
}

static void
add_hook (GilkStore *store, gint64 run, uint32_t iid, const char *label, const char *function)
{
  GilkStoreHook hook = {
    .iid = iid, .label = label, .function = function, .module = "kernel", .block = "+0x0", .where = "pre",
    .instrument = "stamp", .tactic = "splice", .addr = 0xffffffff81234500 + iid * 16,
    .site = 0xffffffff81234500 + iid * 16, .cost = 23, .fingerprint = "0123456789abcdef",
  };
  GError *error = NULL;
  gint64 id;

  check_result (gilk_store_add_hook (store, run, &hook, &id, &error), error);
}

static void
add_samples (GilkStore *store, gint64 run, const gint64 *times, uint32_t iid, guint cpu)
{
  g_autoptr(GByteArray) cells = g_byte_array_new ();
  const struct ilk_counter counter = { PACKETS / 2, 0, 0 };
  GError *error = NULL;
  guint stored;

  for (guint i = cpu; i < PACKETS; i += 2)
    put_stamp (cells, iid, times[i] + (iid == IP ? 15000 + i % 7 * 100 : 0));
  check_result (gilk_store_add_records (store, run, cpu, cells->data, cells->len, &stored, &error), error);
  check_result (gilk_store_put_counts (store, run, iid, cpu, &counter, 5 * SECOND, &error), error);
}

static void
make_session (const char *path, const gint64 *times)
{
  const GilkStoreRun about = {
    .target = "lab:6.1", .hostname = "lab", .release = "6.1.0-56-amd64", .build_id = "", .title = "Packets",
    .plan_text = "[gilk-plan]\nversion=1\n", .zero_tsc = ZERO_TSC, .zero_mono_ns = SECOND,
    .zero_unix_ns = ZERO_UNIX, .tsc_khz = TSC_KHZ, .n_cpus = 2,
  };
  GError *error = NULL;
  const struct ilk_instrument_desc stamp = { .id = 1, .version = 1, .name = "stamp", .help = "records when" };
  GilkStore *store = gilk_store_open (path, &error);
  gint64 run;

  check_result (store != NULL, error);
  run = gilk_store_begin_run (store, &about, &error);
  check_result (run > 0, error);
  check_result (gilk_store_add_instrument (store, run, &stamp, &error), error);
  add_hook (store, run, SENT, "sent", "loopback_xmit");
  add_hook (store, run, IP, "ip", "ip_rcv");
  for (guint cpu = 0; cpu < 2; cpu++)
    {
      add_samples (store, run, times, SENT, cpu);
      add_samples (store, run, times, IP, cpu);
    }
  check_result (gilk_store_end_run (store, run, 5 * SECOND, "time is up", &error), error);
  check_result (gilk_store_close (store, &error), error);
}

/* ---- making the capture ---- */

static void
put_packet (FILE *file, gint64 at_ns, guint16 port)
{
  gint64 at = ZERO_UNIX + SECOND / 4 + at_ns + at_ns * 12 / 1000000;
  guint8 packet[54] = { 0 };
  const guint32 head[] = { (guint32) (at / SECOND), (guint32) (at % SECOND / 10 * 10), sizeof packet, sizeof packet };

  packet[12] = 0x08;
  packet[14] = 0x45;
  packet[23] = 6;
  packet[36] = (guint8) (port >> 8);
  packet[37] = (guint8) port;
  fwrite (head, sizeof head, 1, file);
  fwrite (packet, sizeof packet, 1, file);
}

static void
make_capture (const char *path, const gint64 *times)
{
  const guint32 head[] = { 0xa1b23c4d, 4 << 16 | 2, 0, 0, 65535, 1 };
  FILE *file = fopen (path, "wb");

  if (file == NULL)
    check_result (FALSE, NULL);
  fwrite (head, sizeof head, 1, file);
  for (guint i = 0; i < PACKETS; i++)
    {
      if (i != MISSED)
        put_packet (file, times[i] + 12000 + i % 5 * 200 - (i == TWIN ? (TWIN % 5 - (TWIN - 1) % 5) * 200 : 0), 7007);
      if (i % 300 == 10)
        put_packet (file, times[i] + 13000, 22);
      if (i == 1200)
        put_packet (file, times[i] + 100000, 7007);
    }
  if (fclose (file) != 0)
    check_result (FALSE, NULL);
}

int
main (int argc, char **argv)
{
  gint64 times[PACKETS];

  if (argc != 3)
    {
      fprintf (stderr, "usage: packets SESSION CAPTURE\n");
      return EXIT_FAILURE;
    }
  make_times (times);
  make_session (argv[1], times);
  make_capture (argv[2], times);

  return EXIT_SUCCESS;
}
