/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lab-ctl.c - runs one shell command in a lab (a virtual machine for tests) and exits with the exit
 * code of the command
 *
 * Uses the first free control port (flock on ctl.N.lock), connects to its socket, and passes
 * standard input, output and errors through. The protocol is in lab-wire.h. The command is killed
 * by Ctrl-C, or when this program ends.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "lab/lab-wire.h"

#define HELLO_EVERY_MS 500
#define STALL_MS 60000                  /* time limit for receiving the rest of a frame */
#define EXIT_LAB 125                    /* exit code for a failure of the lab itself */

static void __attribute__ ((noreturn, format (printf, 1, 2)))
exit_with_error (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  fputs ("lab: ", stderr);
  vfprintf (stderr, format, args);
  fputc ('\n', stderr);
  va_end (args);
  exit (EXIT_LAB);
}

static int64_t
now_ms (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (int64_t) t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Locks a free port. The lock is held until this program exits, because its descriptor is never
 * closed. */
static int
claim_port (const char *dir, unsigned int ports, int64_t deadline)
{
  for (;;)
    {
      unsigned int i;

      for (i = 0; i < ports; i++)
        {
          char path[512];
          int fd;

          snprintf (path, sizeof path, "%s/ctl.%u.lock", dir, i);
          fd = open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
          if (fd < 0)
            exit_with_error ("%s cannot be opened: %s. Is the lab running? See \"lab/lab status\".",
                             path, strerror (errno));
          if (flock (fd, LOCK_EX | LOCK_NB) == 0)
            return (int) i;
          close (fd);
        }
      if (now_ms () >= deadline)
        exit_with_error ("all %u control ports of %s are in use. Wait for another \"lab/lab exec\" to end.",
                         ports, dir);
      usleep (50000);
    }
}

static int
connect_port (const char *dir, int port)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int n = snprintf (address.sun_path, sizeof address.sun_path, "%s/ctl.%d.sock", dir, port);
  int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

  if (n < 0 || (size_t) n >= sizeof address.sun_path)
    exit_with_error ("the path %s is too long for a socket. Set GILK_LAB_DIR to a shorter one.", dir);
  if (fd < 0 || connect (fd, (struct sockaddr *) &address, sizeof address) != 0)
    exit_with_error ("%s cannot be reached: %s. Is the lab running? See \"lab/lab status\".",
                     address.sun_path, strerror (errno));
  return fd;
}

static void
write_all (int fd, const void *data, size_t length)
{
  const uint8_t *p = data;

  while (length > 0)
    {
      ssize_t n = write (fd, p, length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        exit_with_error ("a write failed: %s. The lab may have ended; see \"lab/lab log\".",
                         strerror (errno));
      p += n;
      length -= (size_t) n;
    }
}

static void
send_frame (int fd, uint32_t type, const void *payload, uint32_t length)
{
  struct lab_frame head = { LAB_MAGIC, type, length };

  write_all (fd, &head, sizeof head);
  if (length > 0)
    write_all (fd, payload, length);
}

/* Reads @length bytes of a frame that has already started. */
static void
read_all (int fd, void *data, size_t length)
{
  uint8_t *p = data;

  while (length > 0)
    {
      struct pollfd pfd = { fd, POLLIN, 0 };
      int ready = poll (&pfd, 1, STALL_MS);
      ssize_t n;

      if (ready == 0)
        exit_with_error ("the lab stopped in the middle of an answer, and in %d s no more of it came. "
                         "See \"lab/lab log\"; \"lab/lab stop\" and boot it again.", STALL_MS / 1000);
      n = ready < 0 ? ready : read (fd, p, length);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        exit_with_error ("the lab ended while the command ran. See \"lab/lab log\".");
      p += n;
      length -= (size_t) n;
    }
}

/* Sends HELLO, then skips data that were meant for an earlier client, up to the answer that
 * contains our nonce. */
static void
say_hello (int fd, int64_t deadline)
{
  struct { struct lab_frame head; uint64_t nonce; } __attribute__ ((packed)) want, got;
  size_t held = 0;

  want.head = (struct lab_frame) { LAB_MAGIC, LAB_HELLO, sizeof want.nonce };
  want.nonce = (uint64_t) getpid () << 32 ^ (uint64_t) now_ms ();
  for (;;)
    {
      struct pollfd pfd = { fd, POLLIN, 0 };
      int64_t again = now_ms () + HELLO_EVERY_MS;

      write_all (fd, &want, sizeof want);
      while (now_ms () < again && poll (&pfd, 1, HELLO_EVERY_MS) > 0)
        {
          read_all (fd, (uint8_t *) &got + held, 1);
          if (++held < sizeof got)
            continue;
          if (memcmp (&got, &want, sizeof got) == 0)
            return;
          memmove (&got, (uint8_t *) &got + 1, --held);
        }
      if (now_ms () >= deadline)
        exit_with_error ("the lab does not answer. See \"lab/lab log\"; \"lab/lab stop\" and boot it again.");
    }
}

/* Handles a frame. Returns the exit code of the command if it has ended, else -1. */
static int
take_frame (int fd)
{
  static uint8_t payload[LAB_PAYLOAD_MAX];
  struct lab_frame head;
  uint32_t code;

  read_all (fd, &head, sizeof head);
  if (head.magic != LAB_MAGIC || head.length > LAB_PAYLOAD_MAX)
    exit_with_error ("the lab sent a damaged frame. Rebuild it: \"lab/lab stop\", then boot it again.");
  read_all (fd, payload, head.length);
  switch (head.type)
    {
    case LAB_OUTPUT:
      write_all (STDOUT_FILENO, payload, head.length);
      return -1;
    case LAB_ERRORS:
      write_all (STDERR_FILENO, payload, head.length);
      return -1;
    case LAB_EXIT:
      if (head.length != sizeof code)
        exit_with_error ("the lab sent a damaged frame. Rebuild it: \"lab/lab stop\", then boot it again.");
      memcpy (&code, payload, sizeof code);
      return (int) (code & 0xff);
    default:
      return -1;
    }
}

/* Sends standard input to the command. Returns 0 at the end of the input. */
static int
pass_input (int fd)
{
  uint8_t chunk[4096];
  ssize_t n = read (STDIN_FILENO, chunk, sizeof chunk);

  if (n > 0)
    send_frame (fd, LAB_INPUT, chunk, (uint32_t) n);
  else
    send_frame (fd, LAB_END_INPUT, NULL, 0);
  return n > 0;
}

static int
run_command (int fd, const char *command, int input, int64_t deadline)
{
  send_frame (fd, LAB_EXEC, command, (uint32_t) strlen (command));
  if (!input)
    send_frame (fd, LAB_END_INPUT, NULL, 0);
  for (;;)
    {
      struct pollfd pfds[2] = { { fd, POLLIN, 0 }, { input ? STDIN_FILENO : -1, POLLIN, 0 } };
      int64_t left = deadline ? deadline - now_ms () : -1;
      int code;

      if (deadline && left <= 0)
        {
          fputs ("lab: the command took longer than it was given and was ended.\n", stderr);
          return 124;
        }
      if (poll (pfds, 2, deadline ? (int) left : -1) < 0)
        continue;
      if (pfds[0].revents)
        {
          code = take_frame (fd);
          if (code >= 0)
            return code;
        }
      if (pfds[1].revents)
        input = pass_input (fd);
    }
}

int
main (int argc, char **argv)
{
  int input = 0, option, fd, port;
  int64_t timeout = 0;
  unsigned int ports = 1;

  while ((option = getopt (argc, argv, "in:t:")) != -1)
    switch (option)
      {
      case 'i': input = 1; break;
      case 'n': ports = (unsigned int) atoi (optarg); break;
      case 't': timeout = (int64_t) (atof (optarg) * 1000); break;
      default: return 2;
      }
  if (argc - optind != 2)
    {
      fputs ("usage: lab-ctl [-i] [-n PORTS] [-t SECONDS] LAB-FOLDER COMMAND\n", stderr);
      return 2;
    }
  if (strlen (argv[optind + 1]) >= LAB_PAYLOAD_MAX)
    exit_with_error ("the command is longer than %u bytes. Push it as a file and run that.", LAB_PAYLOAD_MAX);
  port = claim_port (argv[optind], ports, now_ms () + 60000);
  fd = connect_port (argv[optind], port);
  say_hello (fd, now_ms () + 20000);
  return run_command (fd, argv[optind + 1], input, timeout ? now_ms () + timeout : 0);
}
