/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sustained.c - measures how many samples per second a run can store, and the cost
 *
 *   sustained FILE [--rate N] [--seconds N] [--cpus N] [--ring BYTES] [--compress]
 *
 * A fake agent runs in its own process. Its rings fill with samples of 32 bytes at the requested
 * rate. The agent sends the samples through a socket as fast as the client reads. If a ring is
 * full, further samples are lost, and counted as lost. The client is the code of `gilk run`:
 * reader, queue, session. Prints how many samples were stored and lost, the client's CPU time, and
 * how long the end of the run took; fails unless produced = stored + lost.
 */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <glib/gstdio.h>

#include "core/store/gilk-store-write.h"
#include "tests/unit/false-agent-socket.h"

#define HOOKS      2
#define FRAME_MAX  (256 << 10)
#define FLUSH_US   20000

static int rate = 1000000, n_seconds = 10, n_cpus = 2, ring_bytes = 1 << 20;
static gboolean compress;

static const GOptionEntry entries[] = {
  { "rate", 0, 0, G_OPTION_ARG_INT, &rate, "Samples a second, of all processors", "N" },
  { "seconds", 0, 0, G_OPTION_ARG_INT, &n_seconds, "How long", "N" },
  { "cpus", 0, 0, G_OPTION_ARG_INT, &n_cpus, "Processors, 1 to 8", "N" },
  { "ring", 0, 0, G_OPTION_ARG_INT, &ring_bytes, "Of each processor", "BYTES" },
  { "compress", 0, 0, G_OPTION_ARG_NONE, &compress, "As they are recorded", NULL },
  { NULL },
};

static void
check_result (gboolean good, GError *error)
{
  if (!good)
    g_error ("%s", error != NULL ? error->message : "failed");
}

/* ---- the process of the fake agent ---- */

typedef struct {
  FalseAgent *agent;
  int         fd;
  gint64      armed_us, drained_us;
  gboolean    armed;
  uint64_t    due[8];           /* number of samples due so far on each CPU, including lost
                                 * samples */
  uint64_t   *made, *lost;      /* indexed by CPU */
  GByteArray *out;
} Rings;

/* Numbers of samples that the agent made and lost, shared by both processes. */
static struct Totals {
  uint64_t made[8], lost[8];
} *totals;

/* Reports all lost samples as losses of the first hook. */
static guint
print_lost (FalseAgent *agent, struct gilk_frame *head, GByteArray *payload, gpointer data)
{
  const Rings *rings = data;
  struct ilk_counter *counters = (gpointer) payload->data;

  if (head->type != GILK_COUNTERS)
    return 1;
  for (guint i = 0; i < payload->len / sizeof *counters; i++)
    counters[i] = (struct ilk_counter) { .lost = i < agent->n_cpus ? rings->lost[i] : 0 };

  return 1;
}

static void
add_records (Rings *rings, guint cpu, guint n)
{
  const struct gilk_frame frame = { .magic = GILK_WIRE_MAGIC, .type = GILK_SAMPLES,
                                    .length = (uint32_t) (sizeof (struct gilk_samples) + n * ILK_CELL) };
  const struct gilk_samples head = { cpu, n * ILK_CELL };
  guint at;

  g_byte_array_append (rings->out, (const guint8 *) &frame, sizeof frame);
  g_byte_array_append (rings->out, (const guint8 *) &head, sizeof head);
  at = rings->out->len;
  g_byte_array_set_size (rings->out, at + n * ILK_CELL);
  for (guint i = 0; i < n; i++)
    {
      const uint64_t number = rings->made[cpu]++;
      const struct ilk_record record = {
        .commit = 1 + number * ILK_CELL, .iid = rings->agent->ground_iids + 1 + (uint32_t) (number % HOOKS),
        .tsc = 2000 + (rings->due[cpu] - n + i) * 1000000000ull * (guint) n_cpus / (guint) rate,
      };

      memcpy (rings->out->data + at + i * ILK_CELL, &record, sizeof record);
    }
  rings->agent->cells += n;
}

/* Sends the samples that became due since the last call. If they exceed the size of a ring, counts
 * the rest as lost. */
static void
send_due_samples (Rings *rings)
{
  gint64 now = g_get_monotonic_time ();

  for (guint cpu = 0; cpu < (guint) n_cpus; cpu++)
    {
      uint64_t due = (uint64_t) ((double) (now - rings->armed_us) / 1e6 * rate / n_cpus);
      uint64_t news = due - rings->due[cpu], room = (uint64_t) ring_bytes / ILK_CELL;

      if (news > room)
        rings->lost[cpu] += news - room;
      rings->due[cpu] = due;
      for (news = MIN (news, room); news > 0;)
        {
          guint n = (guint) MIN (news, FRAME_MAX / ILK_CELL);

          add_records (rings, cpu, n);
          news -= n;
        }
    }
  rings->drained_us = now;
  if (!false_socket_write (rings->fd, rings->out->data, rings->out->len))
    exit (0);
  g_byte_array_set_size (rings->out, 0);
}

static gboolean
answer_request (Rings *rings)
{
  g_autoptr(GByteArray) out = g_byte_array_new ();
  g_autofree uint8_t *payload = NULL;
  struct gilk_frame head;

  if (!false_socket_read (rings->fd, &head, sizeof head))
    return FALSE;
  payload = g_malloc (head.length + 1);
  if (!false_socket_read (rings->fd, payload, head.length))
    return FALSE;
  if (head.type == GILK_ARM)
    {
      rings->armed_us = g_get_monotonic_time ();
      rings->armed = TRUE;
    }
  else if (head.type == GILK_DISARM && rings->armed)
    {
      send_due_samples (rings);
      rings->armed = FALSE;
    }
  rings->agent->reads = FALSE;                  /* keep the fake agent from making samples: only
                                                 * send_due_samples() makes them */
  false_agent_answer (rings->agent, &head, payload, out);

  return false_socket_write (rings->fd, out->data, out->len);
}

static void
serve_client (int fd)
{
  Rings rings = { .agent = false_agent_new ((guint) n_cpus), .fd = fd, .out = g_byte_array_new (),
                  .made = totals->made, .lost = totals->lost };
  struct pollfd news = { .fd = fd, .events = POLLIN };

  rings.agent->tamper = print_lost;
  rings.agent->tamper_data = &rings;
  for (;;)
    {
      if (poll (&news, 1, 2) > 0 && !answer_request (&rings))
        exit (0);
      if (rings.armed && (g_get_monotonic_time () - rings.drained_us >= FLUSH_US ||
                          (double) (g_get_monotonic_time () - rings.drained_us) / 1e6 * rate / n_cpus
                          * ILK_CELL > ring_bytes / 4))
        send_due_samples (&rings);
    }
}

/* ---- the process of the client ---- */

static double
cpu_seconds (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);

  return (double) usage.ru_utime.tv_sec + (double) usage.ru_stime.tv_sec +
         (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* Returns how long the run took to stop, in seconds. @spent: (out): CPU time until the run started
 * to stop, or until its end if it stopped too quickly to be observed. */
static double
wait_for_end (GilkRun *run, double *spent)
{
  double begun = cpu_seconds ();
  gint64 stopping = 0;
  GilkRunState state;

  while ((state = gilk_run_state (run)) != GILK_RUN_DONE && state != GILK_RUN_FAILED)
    {
      if (state == GILK_RUN_STOPPING && stopping == 0)
        {
          stopping = g_get_monotonic_time ();
          *spent = cpu_seconds () - begun;
        }
      while (g_main_context_iteration (NULL, FALSE))
        ;
      g_usleep (stopping != 0 ? 500 : 5000);
    }
  check_result (state == GILK_RUN_DONE, (GError *) gilk_run_error (run));
  if (stopping == 0)
    *spent = cpu_seconds () - begun;

  return stopping != 0 ? (double) (g_get_monotonic_time () - stopping) / 1e6 : 0.0;
}

/* Prints the results. Returns FALSE if some samples were neither stored nor lost. */
static gboolean
print_figures (const char *path, double spent, double end)
{
  GError *error = NULL;
  g_autoptr(GilkStore) store = gilk_store_open_read (path, NULL, &error);
  g_autoptr(GArray) hooks = NULL;
  uint64_t stored = 0, lost = 0, made = 0, made_lost = 0;

  check_result (store != NULL, error);
  hooks = gilk_store_hooks (store, 1, &error);
  check_result (hooks != NULL, error);
  for (guint i = 0; i < hooks->len; i++)
    {
      stored += g_array_index (hooks, GilkStoredHook, i).stored;
      lost += g_array_index (hooks, GilkStoredHook, i).lost;
    }
  for (guint cpu = 0; cpu < 8; cpu++)
    {
      made += totals->made[cpu];
      made_lost += totals->lost[cpu];
    }
  printf ("stored: %" G_GUINT64_FORMAT ", %.0f a second\n", (guint64) stored,
          (double) stored / n_seconds);
  printf ("lost: %" G_GUINT64_FORMAT "\n", (guint64) lost);
  printf ("client: %.2f s of processor, %.1f %% of one\n", spent, spent * 100.0 / n_seconds);
  printf ("end of the run: %.3f s\n", end);
  if (stored != made || lost != made_lost)
    printf ("produced: %" G_GUINT64_FORMAT " and %" G_GUINT64_FORMAT " lost, which is not the same\n",
            (guint64) made, (guint64) made_lost);

  return stored == made && lost == made_lost;
}

int
main (int argc, char **argv)
{
  g_autoptr(GOptionContext) context = g_option_context_new ("FILE");
  g_autofree char *dir = g_dir_make_tmp ("gilk-sustained-XXXXXX", NULL);
  g_autofree char *spec = g_strdup_printf ("unix:%s/s", dir);
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  double spent = 0.0, end;
  GError *error = NULL;
  GilkStore *store;
  GilkRun *run;
  int listener;
  pid_t child;

  g_option_context_add_main_entries (context, entries, NULL);
  check_result (g_option_context_parse (context, &argc, &argv, &error), error);
  if (argc != 2 || rate < 1 || n_seconds < 1 || n_cpus < 1 || n_cpus > 8 || ring_bytes < 4096)
    {
      fprintf (stderr, "usage: sustained FILE [OPTION...]\n");
      return 2;
    }
  totals = mmap (NULL, sizeof *totals, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  check_result (totals != MAP_FAILED, NULL);
  g_strlcpy (address.sun_path, spec + strlen ("unix:"), sizeof address.sun_path);
  listener = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  check_result (bind (listener, (struct sockaddr *) &address, sizeof address) == 0 && listen (listener, 1) == 0,
                NULL);
  child = fork ();
  if (child == 0)
    serve_client (accept (listener, NULL, NULL));
  g_unlink (argv[1]);
  store = gilk_store_open (argv[1], &error);
  check_result (store != NULL, error);
  if (compress)
    gilk_store_enable_compression (store);
  run = false_run_new (spec, store, (uint64_t) n_seconds * 1000000000ull, &error);
  check_result (run != NULL, error);
  gilk_run_start (run);
  end = wait_for_end (run, &spent);
  check_result (gilk_store_close (store, &error), error);
  kill (child, SIGTERM);
  waitpid (child, NULL, 0);
  g_unlink (address.sun_path);
  g_rmdir (dir);

  return print_figures (argv[1], spent, end) ? 0 : 1;
}
