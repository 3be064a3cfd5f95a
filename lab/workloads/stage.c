/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stage.c - runs as one stage of a shell pipeline, with a given slowness
 *
 * Usage: NAME [-s SPIN] [-b BYTES] [SECONDS]
 *
 * Installed under several names (cat, tr, sed, grep), because the kernel's samples distinguish the
 * stages by comm. As "cat" it writes lines of text for SECONDS. Under any other name it copies
 * standard input to standard output, and does SPIN rounds of work on every byte. Therefore the
 * bottleneck of a pipeline is known, and the result of a study can be checked.
 */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BLOCK_MAX 65536

static unsigned char block[BLOCK_MAX];

static double
now_seconds (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + (double) t.tv_nsec / 1e9;
}

/* Does work that the compiler cannot drop and that changes only the letters' case. */
static void
process_bytes (unsigned char *p, size_t length, unsigned int spin)
{
  volatile uint32_t mix = 1;
  size_t i;
  unsigned int k;

  for (i = 0; i < length; i++)
    {
      for (k = 0; k < spin; k++)
        mix = mix * 1664525u + p[i];
      p[i] ^= (unsigned char) ((p[i] >= 'a' && p[i] <= 'z') ? 0x20 : 0);
    }
}

static int
write_all (const unsigned char *p, size_t length)
{
  while (length > 0)
    {
      ssize_t n = write (STDOUT_FILENO, p, length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return -1;
      p += n;
      length -= (size_t) n;
    }
  return 0;
}

static int
produce_output (size_t bytes, double length)
{
  double end = now_seconds () + length;
  size_t i;

  for (i = 0; i < bytes; i++)
    block[i] = (unsigned char) (i % 64 == 63 ? '\n' : 'a' + i % 26);
  while (now_seconds () < end)
    if (write_all (block, bytes) != 0)
      return errno != EPIPE;
  return 0;
}

static int
filter_input (size_t bytes, unsigned int spin)
{
  ssize_t n;

  while ((n = read (STDIN_FILENO, block, bytes)) > 0)
    {
      process_bytes (block, (size_t) n, spin);
      if (write_all (block, (size_t) n) != 0)
        return errno != EPIPE;
    }
  return n < 0;
}

int
main (int argc, char **argv)
{
  const char *slash = strrchr (argv[0], '/');
  const char *name = slash ? slash + 1 : argv[0];
  unsigned int spin = 0;
  size_t bytes = 4096;
  int option;

  while ((option = getopt (argc, argv, "s:b:")) != -1)
    switch (option)
      {
      case 's': spin = (unsigned int) strtoul (optarg, NULL, 0); break;
      case 'b': bytes = strtoul (optarg, NULL, 0); break;
      default: return 2;
      }
  if (bytes == 0 || bytes > BLOCK_MAX)
    {
      fprintf (stderr, "%s: blocks are 1 to %d bytes\n", name, BLOCK_MAX);
      return 2;
    }
  signal (SIGPIPE, SIG_IGN);
  if (strcmp (name, "cat") == 0)
    return produce_output (bytes, optind < argc ? atof (argv[optind]) : 30);
  return filter_input (bytes, spin);
}
