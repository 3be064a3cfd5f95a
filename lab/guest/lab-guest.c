/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lab-guest.c - runs shell commands that a virtual machine (the lab) receives on a virtio-serial
 * port
 *
 * Linked statically. The lab's init starts one process per port. See lab-wire.h for the protocol.
 * All descriptors are non-blocking and one poll() drives them: neither a command with much output
 * nor a slow host can block the other. It waits for events instead of polling by a timer, which
 * would keep the emulated processors of an idle lab busy.
 *
 * When a host disconnects, the kernel gets a control message, which is separate from the data. A
 * busy CPU may handle this message only after the first bytes from the next host. Therefore a host
 * counts as gone only if the port is still hung up a moment later.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab/lab-wire.h"

#define CHUNK 16384u
/* Longest time, in ms, after which an event is noticed that the kernel did not report. */
#define LOOK_MS 2000

struct server {
  int port;
  pid_t child;                          /* 0: none */
  int ended;                            /* descriptor of the child, readable once it has ended; -1: none */
  int in, out, err;                     /* this process's ends of the child's pipes; -1: closed */
  size_t held;                          /* number of unparsed bytes in the buffer */
  uint8_t buffer[sizeof (struct lab_frame) + LAB_PAYLOAD_MAX];
};

static int
is_host_gone (int port)
{
  struct pollfd pfd = { port, 0, 0 };

  usleep (100000);
  return poll (&pfd, 1, 0) != 0;
}

/* Writes to the port. Returns 0, or -1 if the host is gone. */
static int
write_port (int port, const void *data, size_t length)
{
  const uint8_t *p = data;

  while (length > 0)
    {
      ssize_t n = write (port, p, length);
      struct pollfd pfd = { port, POLLOUT, 0 };

      if (n > 0)
        {
          p += n;
          length -= (size_t) n;
          continue;
        }
      if (n < 0 && errno != EAGAIN && errno != EINTR)
        return -1;
      poll (&pfd, 1, 1000);
      if (pfd.revents & POLLHUP && is_host_gone (port))
        return -1;
    }
  return 0;
}

static int
send_frame (int port, uint32_t type, const void *payload, uint32_t length)
{
  static uint8_t frame[sizeof (struct lab_frame) + CHUNK];
  struct lab_frame head = { LAB_MAGIC, type, length };

  memcpy (frame, &head, sizeof head);
  if (length > 0)
    memcpy (frame + sizeof head, payload, length);
  return write_port (port, frame, sizeof head + length);
}

static void
close_end (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

static void
kill_child (struct server *s)
{
  if (s->child > 0)
    {
      kill (-s->child, SIGKILL);
      waitpid (s->child, NULL, 0);
    }
  s->child = 0;
  close_end (&s->ended);
  close_end (&s->in);
  close_end (&s->out);
  close_end (&s->err);
}

static void
run_shell (const char *command, int in, int out, int err)
{
  setsid ();
  dup2 (in, 0);
  dup2 (out, 1);
  dup2 (err, 2);
  signal (SIGPIPE, SIG_DFL);
  if (chdir ("/root") != 0)
    _exit (126);
  execl ("/bin/sh", "sh", "-c", command, (char *) NULL);
  _exit (127);
}

static int
start_child (struct server *s, const char *command)
{
  int in[2], out[2], err[2];

  if (pipe2 (in, O_CLOEXEC) != 0 || pipe2 (out, O_CLOEXEC) != 0 || pipe2 (err, O_CLOEXEC) != 0)
    return -1;
  s->child = fork ();
  if (s->child == 0)
    run_shell (command, in[0], out[1], err[1]);
  close (in[0]);
  close (out[1]);
  close (err[1]);
  s->ended = s->child > 0 ? (int) syscall (SYS_pidfd_open, s->child, 0) : -1;
  s->in = in[1];
  s->out = out[0];
  s->err = err[0];
  fcntl (s->in, F_SETFL, O_NONBLOCK);
  fcntl (s->out, F_SETFL, O_NONBLOCK);
  fcntl (s->err, F_SETFL, O_NONBLOCK);
  return s->child < 0 ? -1 : 0;
}

/* Forwards the output that the child has written so far. Closes the pipe at the end of the
 * output. */
static int
forward_output (struct server *s, int *fd, uint32_t type)
{
  static uint8_t chunk[CHUNK];

  while (*fd >= 0)
    {
      ssize_t n = read (*fd, chunk, sizeof chunk);

      if (n > 0)
        {
          if (send_frame (s->port, type, chunk, (uint32_t) n) != 0)
            return -1;
          continue;
        }
      if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
      close_end (fd);
    }
  return 0;
}

/*
 * Writes @data to the child's input. While the child is slow to read, forwards the child's output.
 * If the child has closed its input, drops the rest of @data.
 */
static int
write_child_input (struct server *s, const uint8_t *data, size_t length)
{
  while (length > 0 && s->in >= 0)
    {
      ssize_t n = write (s->in, data, length);
      struct pollfd pfds[2] = { { s->in, POLLOUT, 0 }, { s->port, 0, 0 } };

      if (n > 0)
        {
          data += n;
          length -= (size_t) n;
        }
      else if (errno != EAGAIN && errno != EINTR)
        close_end (&s->in);
      else if (poll (pfds, 2, 20) >= 0 && pfds[1].revents & POLLHUP && is_host_gone (s->port))
        return -1;
      else if (forward_output (s, &s->out, LAB_OUTPUT) != 0 || forward_output (s, &s->err, LAB_ERRORS) != 0)
        return -1;
    }
  return 0;
}

static int
handle_frame (struct server *s, uint32_t type, uint8_t *payload, uint32_t length)
{
  uint32_t failed = 126;

  switch (type)
    {
    case LAB_HELLO:
      kill_child (s);
      return length <= 16 ? send_frame (s->port, LAB_HELLO, payload, length) : 0;
    case LAB_EXEC:
      kill_child (s);
      payload[length] = 0;
      if (start_child (s, (const char *) payload) != 0)
        return send_frame (s->port, LAB_EXIT, &failed, sizeof failed);
      return 0;
    case LAB_INPUT:
      return write_child_input (s, payload, length);
    case LAB_END_INPUT:
      close_end (&s->in);
      return 0;
    default:
      return 0;
    }
}

/* Handles one whole frame, or skips one byte of noise. Returns the number of bytes used, or -1 if
 * the host is gone. */
static ssize_t
parse_frame (struct server *s)
{
  struct lab_frame head;
  uint8_t saved;
  int gone;

  memcpy (&head, s->buffer, sizeof head);
  if (head.magic != LAB_MAGIC || head.length > LAB_PAYLOAD_MAX)
    return 1;
  if (s->held < sizeof head + head.length)
    return 0;
  saved = s->buffer[sizeof head + head.length];
  gone = handle_frame (s, head.type, s->buffer + sizeof head, head.length);
  s->buffer[sizeof head + head.length] = saved;
  return gone ? -1 : (ssize_t) (sizeof head + head.length);
}

static int
read_port (struct server *s)
{
  ssize_t n = read (s->port, s->buffer + s->held, sizeof s->buffer - 1 - s->held);
  size_t used = 0;

  if (n <= 0 && (n == 0 || (errno != EAGAIN && errno != EINTR)))
    return is_host_gone (s->port) ? -1 : 0;
  if (n > 0)
    s->held += (size_t) n;
  while (s->held - used >= sizeof (struct lab_frame))
    {
      ssize_t took;

      memmove (s->buffer, s->buffer + used, s->held - used);
      s->held -= used;
      used = 0;
      took = parse_frame (s);
      if (took < 0)
        return -1;
      if (took == 0)
        break;
      used = (size_t) took;
    }
  memmove (s->buffer, s->buffer + used, s->held - used);
  s->held -= used;
  return 0;
}

/*
 * If the shell has ended, sends its exit code. Does not wait until the pipes are closed, because
 * background processes of the shell may keep the pipes open.
 */
static int
reap_child (struct server *s)
{
  int status;
  uint32_t code;

  if (s->child <= 0 || waitpid (s->child, &status, WNOHANG) != s->child)
    return 0;
  s->child = 0;
  code = WIFEXITED (status) ? (uint32_t) WEXITSTATUS (status) : 128u + (uint32_t) WTERMSIG (status);
  if (forward_output (s, &s->out, LAB_OUTPUT) != 0 || forward_output (s, &s->err, LAB_ERRORS) != 0)
    return -1;
  kill_child (s);
  return send_frame (s->port, LAB_EXIT, &code, sizeof code);
}

static void
serve_client (struct server *s)
{
  for (;;)
    {
      struct pollfd pfds[4] = {
        { s->port, POLLIN, 0 }, { s->out, POLLIN, 0 }, { s->err, POLLIN, 0 }, { s->ended, POLLIN, 0 },
      };

      poll (pfds, 4, LOOK_MS);
      if (pfds[0].revents & POLLIN && read_port (s) != 0)
        break;
      if (pfds[0].revents & POLLHUP && is_host_gone (s->port))
        break;
      if (forward_output (s, &s->out, LAB_OUTPUT) != 0 || forward_output (s, &s->err, LAB_ERRORS) != 0)
        break;
      if (reap_child (s) != 0)
        break;
    }
  kill_child (s);
  s->held = 0;
}

int
main (int argc, char **argv)
{
  static struct server s = { .ended = -1, .in = -1, .out = -1, .err = -1 };
  struct epoll_event event = { .events = EPOLLIN | EPOLLOUT | EPOLLET };
  int edges;

  if (argc != 2)
    {
      fprintf (stderr, "usage: lab-guest PORT\n");
      return 2;
    }
  signal (SIGPIPE, SIG_IGN);
  s.port = open (argv[1], O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (s.port < 0)
    {
      fprintf (stderr, "lab-guest: %s: %s\n", argv[1], strerror (errno));
      return 1;
    }
  edges = epoll_create1 (EPOLL_CLOEXEC);
  if (edges < 0 || epoll_ctl (edges, EPOLL_CTL_ADD, s.port, &event) != 0)
    {
      fprintf (stderr, "lab-guest: %s: %s\n", argv[1], strerror (errno));
      return 1;
    }
  for (;;)
    {
      struct pollfd pfd = { s.port, POLLIN, 0 };

      /* While no host is connected, POLLHUP stays set and poll() returns at once. epoll_wait()
       * waits for an edge: the next host that connects. */
      poll (&pfd, 1, -1);
      if (pfd.revents & POLLHUP)
        epoll_wait (edges, &event, 1, LOOK_MS);
      else
        serve_client (&s);
    }
}
