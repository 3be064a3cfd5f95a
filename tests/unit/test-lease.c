/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-lease.c - tests the real agent with a client that falls silent or keeps its lease
 */
/* Promise: a client that falls silent is disarmed */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/gilk-error.h"
#include "core/link/gilk-stream.h"
#include "core/link/gilk-target.h"
#include "tests/unit/false-agent-socket.h"
#include "tests/unit/real-agent.h"

/* Sends a HELLO and a request for a lease, and reads the answers. */
static void
ask_for_lease (int      fd,
               uint32_t ms)
{
  struct {
    struct gilk_frame head;
    struct gilk_hello hello;
    struct gilk_frame lease_head;
    uint32_t          ms;
  } __attribute__ ((packed)) request = { .hello = { GILK_WIRE_VERSION, ILK_ABI_VERSION, 5 }, .ms = ms };
  struct {
    struct gilk_frame        head;
    struct gilk_hello_answer hello;
    struct gilk_frame        lease_head;
  } answer;

  request.head = gilk_frame_request (GILK_HELLO, 5, sizeof request.hello);
  request.lease_head = gilk_frame_request (GILK_LEASE, 6, sizeof ms);
  g_assert_true (false_socket_write (fd, (const uint8_t *) &request, sizeof request));
  g_assert_true (false_socket_read (fd, &answer, sizeof answer));
  g_assert_cmpuint (answer.lease_head.type, ==, GILK_LEASE);
  g_assert_cmpuint (answer.lease_head.status, ==, 0);
}

/* Tests that the agent ends when the lease has run out, if the connection stays open but the agent
 * receives nothing. */
static void
test_silence (void)
{
  int fd;
  const pid_t child = real_agent_start (&fd);
  const gint64 begin = g_get_monotonic_time ();
  uint8_t byte;

  ask_for_lease (fd, 600);
  g_assert_false (false_socket_read (fd, &byte, 1));
  g_assert_cmpint (g_get_monotonic_time () - begin, >=, 600 * 1000);
  g_assert_cmpint (waitpid (child, NULL, 0), ==, child);
  close (fd);
}

/* Tests that the agent ends when the lease has run out even if it cannot write, because unread
 * answers fill the connection. */
static void
test_silence_unread (void)
{
  static uint8_t big[1 << 20];
  struct gilk_frame head = gilk_frame_request (GILK_PING, 7, sizeof big);
  int fd;
  const pid_t child = real_agent_start (&fd);

  ask_for_lease (fd, 600);
  g_assert_true (false_socket_write (fd, (const uint8_t *) &head, sizeof head));
  g_assert_true (false_socket_write (fd, big, sizeof big));
  g_assert_cmpint (waitpid (child, NULL, 0), ==, child);
  close (fd);
}

static void
test_beats (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GByteArray) answer = NULL;
  GilkTarget *target;

  g_setenv ("GILK_LEASE", "soon", TRUE);
  g_assert_null (gilk_target_open ("exec:" GILKD " --stdio", NULL, NULL, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
  g_clear_error (&error);

  g_setenv ("GILK_LEASE", "3", TRUE);
  target = gilk_target_open ("exec:" GILKD " --stdio", NULL, NULL, &error);
  g_unsetenv ("GILK_LEASE");
  g_assert_no_error (error);
  g_usleep (4 * G_USEC_PER_SEC);
  answer = gilk_target_request (target, GILK_PING, "still", 5, NULL, &error);
  g_assert_no_error (error);
  gilk_target_unref (target);
}

/* ---- tests which targets get a lease ---- */

/* Tests that a lease lasts 20 s by default, and that GILK_LEASE sets another duration in seconds,
 * or 0 for no lease. */
static void
test_default (void)
{
  static const struct {
    const char *lease;
    uint32_t    ms;
  } cases[] = { { NULL, 20000 }, { "0", 0 }, { "5", 5000 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      FalseSocket socket;
      GilkTarget *target;

      if (cases[i].lease != NULL)
        g_setenv ("GILK_LEASE", cases[i].lease, TRUE);
      else
        g_unsetenv ("GILK_LEASE");
      target = false_socket_open (&socket, 2, NULL, NULL);
      g_unsetenv ("GILK_LEASE");
      g_assert_no_error (error);
      gilk_target_unref (target);
      g_assert_cmpuint (socket.agent->lease_ms, ==, cases[i].ms);
      false_socket_stop (&socket);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  g_test_add_func ("/lease/silence", test_silence);
  g_test_add_func ("/lease/silence-unread", test_silence_unread);
  g_test_add_func ("/lease/beats", test_beats);
  g_test_add_func ("/lease/default", test_default);

  return g_test_run ();
}
