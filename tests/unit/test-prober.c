/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-prober.c - tests how the agent asks another process for probes, and what the agent does
 * while it waits; the test plays that process
 */
/* Promise: the agent loses no probe while it waits for one, and does not wait for a process that has ended */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/gilkd-helper.h"
#include "agent/gilkd-prober.h"

typedef struct {
  struct gilkd_prober  prober;
  struct gilkd_samples samples;
  struct gilkd_client  client;
  int                  process;       /* end of the socket of the process that opens probes; -1:
                                         closed */
  gboolean             hung_up;
  void               (*while_waiting) (void);
} Fixture;

static Fixture *now;                  /* fixture of the running test, which the replaced functions
                                         below use */

/* ---- replacements of functions of the agent ---- */

void
gilkd_samples_tick (struct gilkd_samples *r)
{
  if (now->while_waiting != NULL)
    now->while_waiting ();
}

bool
gilkd_client_is_hung_up (const struct gilkd_client *client)
{
  return now->hung_up;
}

uint64_t
gilkd_now_ms (void)
{
  return (uint64_t) g_get_monotonic_time () / 1000;
}

void
gilkd_probe_serve (const void *before)
{
}

/* ---- the process that opens probes, played by the test ---- */

static void
set_up (Fixture *f, gconstpointer data)
{
  int pair[2];

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), ==, 0);
  *f = (Fixture) { .prober = { .socket = pair[0], .samples = &f->samples }, .samples = { .client = &f->client }, .process = pair[1] };
  now = f;
}

static void
end_process (void)
{
  close (now->process);
  now->process = -1;
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  if (f->process >= 0)
    end_process ();
  close (f->prober.socket);
  free (f->prober.ended);
}

/* Receives a message, and up to @n numbers that follow it; returns how many follow. */
static gsize
receive (struct gilkd_probe_message *message, uint32_t *numbers, gsize n)
{
  uint8_t bytes[sizeof *message + 64 * sizeof *numbers];
  int fd;
  const gssize got = gilkd_message_receive (now->process, bytes, sizeof bytes, &fd);

  g_assert_cmpint (got, >=, (gssize) sizeof *message);
  memcpy (message, bytes, sizeof *message);
  if (n > 0)
    memcpy (numbers, bytes + sizeof *message, MIN (n * sizeof *numbers, (gsize) got - sizeof *message));

  return ((gsize) got - sizeof *message) / sizeof *numbers;
}

static void
answer (uint32_t number, int fd)
{
  struct gilkd_probe_answer given = { number, 0 };
  const struct iovec part = { &given, sizeof given };

  g_assert_true (gilkd_message_send (now->process, &part, 1, fd));
}

/* ---- tests of the wait for an answer ---- */

static void
answer_then_flush (void)
{
  struct gilkd_probe_message message;
  int null = open ("/dev/null", O_RDONLY | O_CLOEXEC);

  now->while_waiting = NULL;
  receive (&message, NULL, 0);
  g_assert_cmpuint (message.request, ==, GILKD_PROBE_OPEN);
  answer (message.number, null);
  close (null);
  gilkd_prober_flush (&now->prober);
}

/* Tests that the answer to a request is not lost if other work of the agent receives it during the
 * wait. */
static void
test_answer_in_between (Fixture *f, gconstpointer data)
{
  int probe = -1;
  uint32_t number = 0;

  f->while_waiting = answer_then_flush;
  g_assert_cmpint (gilkd_prober_open_kprobe (&f->prober, 0x1000, &probe, &number), ==, 0);
  g_assert_cmpint (probe, >=, 0);
  g_assert_cmpuint (number, !=, 0);
  close (probe);
}

/* Tests that the wait for a probe ends when the client disconnects. A probe that arrives later is
 * closed. */
static void
test_late_answer (Fixture *f, gconstpointer data)
{
  struct gilkd_probe_message asked, closing;
  uint32_t number = 0, ended = 0;
  int probe = -1;

  f->hung_up = TRUE;
  g_assert_cmpint (gilkd_prober_open_kprobe (&f->prober, 0x1000, &probe, &number), ==, ETIMEDOUT);
  g_assert_cmpint (probe, ==, -1);
  receive (&asked, NULL, 0);
  answer (asked.number, -1);
  gilkd_prober_flush (&f->prober);
  g_assert_cmpuint (receive (&closing, &ended, 1), ==, 1);
  g_assert_cmpuint (closing.request, ==, GILKD_PROBE_CLOSE);
  g_assert_cmpuint (ended, ==, asked.number);
  answer (closing.number, -1);
  gilkd_prober_flush (&f->prober);
  g_assert_cmpuint (f->prober.late, ==, 0);
}

/* Tests that the agent does not wait for a process that has ended: the kernel has closed all
 * descriptors of that process. */
static void
test_ended (Fixture *f, gconstpointer data)
{
  int probe = -1;
  uint32_t number = 0;

  gilkd_prober_close (&f->prober, 7);
  f->while_waiting = end_process;
  gilkd_prober_settle (&f->prober, NULL);
  g_assert_cmpuint (f->prober.late, ==, 0);
  gilkd_prober_close (&f->prober, 8);
  gilkd_prober_settle (&f->prober, NULL);
  g_assert_cmpuint (f->prober.ended_count, ==, 0);
  g_assert_cmpint (gilkd_prober_open_kprobe (&f->prober, 0x1000, &probe, &number), ==, EPIPE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/prober/answer-in-between", Fixture, NULL, set_up, test_answer_in_between, tear_down);
  g_test_add ("/prober/late-answer", Fixture, NULL, set_up, test_late_answer, tear_down);
  g_test_add ("/prober/ended", Fixture, NULL, set_up, test_ended, tear_down);

  return g_test_run ();
}
