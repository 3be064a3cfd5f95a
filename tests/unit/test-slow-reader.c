/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-slow-reader.c - tests the real agent with clients that read slowly, or not at all
 *
 * The agent's side of the stream is non-blocking and has a small buffer, like a port: an answer is
 * sent in many pieces, each after a wait. The test uses a socket in place of a pipe, and a
 * pseudo-terminal in place of a port: a pseudo-terminal outlives its clients, as a port does.
 */
/* Promise: Accounts: with a slow reader samples are lost in the rings only, and counted */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "core/link/gilk-stream.h"

#define GILKD GILK_BUILD_DIR "/agent/gilkd"

/* Longer than the time in microseconds after which the agent checks again whether there is
 * space. */
#define STANDSTILL_US 500000

typedef struct {
  int   fd;
  pid_t child;
} Agent;

static void
run_agent (Agent      *agent,
           const char *how,
           const char *port,
           int         stdio)
{
  agent->child = fork ();
  if (agent->child != 0)
    return;
  if (stdio >= 0)
    {
      dup2 (stdio, 0);
      dup2 (stdio, 1);
      close (stdio);
    }
  close (agent->fd);
  execl (GILKD, GILKD, how, port, NULL);
  _exit (127);
}

static void
socket_start (Agent *agent)
{
  const int little = 4096;
  int pair[2];

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM, 0, pair), ==, 0);
  g_assert_cmpint (setsockopt (pair[1], SOL_SOCKET, SO_SNDBUF, &little, sizeof little), ==, 0);
  g_assert_cmpint (fcntl (pair[1], F_SETFL, O_NONBLOCK), ==, 0);
  agent->fd = pair[0];
  run_agent (agent, "--stdio", NULL, pair[1]);
  close (pair[1]);
}

static void
port_start (Agent *agent)
{
  struct termios raw;

  agent->fd = posix_openpt (O_RDWR | O_NOCTTY);
  g_assert_cmpint (agent->fd, >=, 0);
  g_assert_cmpint (grantpt (agent->fd), ==, 0);
  g_assert_cmpint (unlockpt (agent->fd), ==, 0);
  tcgetattr (agent->fd, &raw);
  cfmakeraw (&raw);
  tcsetattr (agent->fd, TCSANOW, &raw);
  run_agent (agent, "--port", ptsname (agent->fd), -1);
}

static void
agent_kill (Agent *agent)
{
  kill (agent->child, SIGKILL);
  g_assert_cmpint (waitpid (agent->child, NULL, 0), ==, agent->child);
  close (agent->fd);
}

static void
write_all (int         fd,
           const void *bytes,
           gsize       length)
{
  for (gsize done = 0; done < length;)
    {
      gssize put = write (fd, (const char *) bytes + done, length - done);

      g_assert_cmpint (put, >, 0);
      done += put;
    }
}

static void
send_request (Agent      *agent,
              guint       type,
              uint32_t    seq,
              const void *payload,
              gsize       length)
{
  struct gilk_frame head = gilk_frame_request (type, seq, length);

  write_all (agent->fd, &head, sizeof head);
  write_all (agent->fd, payload, length);
}

static void
say_hello (Agent *agent)
{
  const struct gilk_hello hello = { GILK_WIRE_VERSION, ILK_ABI_VERSION, 1 };

  send_request (agent, GILK_HELLO, 1, &hello, sizeof hello);
}

/* Reads pieces of odd lengths up to @piece, with a pause after every 50th piece; waits at most 10 s
 * for each piece. */
static void
read_slowly (Agent *agent,
             void  *out,
             gsize  length,
             guint  piece)
{
  struct pollfd fd = { .fd = agent->fd, .events = POLLIN };

  for (gsize done = 0, pieces = 1; done < length; pieces++)
    {
      gssize got;

      g_assert_cmpint (poll (&fd, 1, 10000), ==, 1);
      got = read (agent->fd, (char *) out + done, MIN (length - done, pieces * 37 % piece + 1));
      g_assert_cmpint (got, >, 0);
      done += got;
      if (pieces % 50 == 0)
        g_usleep (1000);
    }
}

static void
expect_answer (Agent      *agent,
               guint       type,
               uint32_t    seq,
               const void *payload,
               gsize       length,
               guint       piece)
{
  g_autofree uint8_t *got = g_malloc (length + 1);
  struct gilk_frame head;

  read_slowly (agent, &head, sizeof head, piece);
  g_assert_cmphex (head.magic, ==, GILK_WIRE_MAGIC);
  g_assert_cmpuint (head.type, ==, type);
  g_assert_cmpuint (head.seq, ==, seq);
  g_assert_cmpuint (head.status, ==, 0);
  g_assert_cmpuint (head.length, ==, length);
  read_slowly (agent, got, length, piece);
  if (payload != NULL)
    g_assert_cmpmem (got, length, payload, length);
}

/* Checks that answers of @length bytes arrive completely, although the client pauses before it
 * reads the first one. */
static void
expect_whole_answers (Agent *agent,
                      gsize  length,
                      guint  piece)
{
  g_autofree uint8_t *payload = g_malloc (length);

  for (gsize i = 0; i < length; i++)
    payload[i] = i * 7 + i / 251;
  expect_answer (agent, GILK_HELLO, 1, NULL, sizeof (struct gilk_hello_answer), piece);
  for (uint32_t seq = 2; seq < 5; seq++)
    {
      send_request (agent, GILK_PING, seq, payload, length);
      if (seq == 2)
        g_usleep (STANDSTILL_US);
      expect_answer (agent, GILK_PING, seq, payload, length, piece);
    }
}

static void
test_socket (void)
{
  Agent agent;

  socket_start (&agent);
  say_hello (&agent);
  expect_whole_answers (&agent, 1 << 20, 8000);
  close (agent.fd);
  g_assert_cmpint (waitpid (agent.child, NULL, 0), ==, agent.child);
}

static void
test_port (void)
{
  struct gilk_frame bye;
  Agent agent;

  port_start (&agent);
  read_slowly (&agent, &bye, sizeof bye, 100);
  g_assert_cmpuint (bye.type, ==, GILK_BYE);
  say_hello (&agent);
  expect_whole_answers (&agent, 60000, 900);
  agent_kill (&agent);
}

/* Tests a client that disconnects in the middle of an answer that it does not read. */
static void
test_gone (void)
{
  g_autofree uint8_t *payload = g_malloc0 (1 << 20);
  Agent agent;
  int status;

  socket_start (&agent);
  say_hello (&agent);
  send_request (&agent, GILK_PING, 2, payload, 1 << 20);
  g_usleep (STANDSTILL_US);
  g_assert_cmpint (waitpid (agent.child, &status, WNOHANG), ==, 0);
  close (agent.fd);
  g_assert_cmpint (waitpid (agent.child, &status, 0), ==, agent.child);
  g_assert_true (WIFEXITED (status));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  g_test_add_func ("/slow-reader/socket", test_socket);
  g_test_add_func ("/slow-reader/port", test_port);
  g_test_add_func ("/slow-reader/gone", test_gone);

  return g_test_run ();
}
