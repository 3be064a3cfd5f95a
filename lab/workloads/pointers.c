/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pointers.c - passes kernel addresses of all kinds to a system call that does not dereference them
 *
 * Usage: pointers [-n ADDRESSES] [-t THREADS] [-s SEED] [-k ADDRESS]
 *
 * Each address is passed to lseek(-1, ADDRESS, KIND), which fails. The kernel cannot read an
 * address of any kind but the last two, whether page tables have four or five levels
 * (Documentation/arch/x86/x86_64/mm.rst). The kind "known" is the address given by -k, which can be
 * read. The kind "upper" is any address in the kernel's half, where there may be memory.
 *
 * Prints "kind NUMBER NAME ADDRESSES" for each kind, and "wrong N", the number of calls that did
 * not fail as expected. The same seed and number of threads give the same addresses, except those
 * of this program's memory.
 */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lab/workloads/worker.h"

#define THREADS_MAX 64
#define OWN         (UINT64_C (1) << 20)
#define HOLE        UINT64_C (0xfffffc0000000000)       /* start of 2^41 unused addresses */
#define NEAR        64

static unsigned char *own, *forbidden;
static uint64_t known;

static uint64_t pick_null (uint64_t r)       { return r % 4096; }
static uint64_t pick_own (uint64_t r)       { return (uint64_t) own + r % OWN; }
static uint64_t pick_denied (uint64_t r)     { return (uint64_t) forbidden + r % OWN; }
static uint64_t pick_user (uint64_t r)       { return r >> 17; }
static uint64_t pick_hole (uint64_t r)       { return HOLE + (r >> 23); }
static uint64_t pick_error (uint64_t r)      { return -(r % 4096); }
static uint64_t pick_any (uint64_t r)        { return known != 0 ? known : r % 4096; }
static uint64_t pick_upper (uint64_t r)      { return UINT64_C (0xffff800000000000) | r >> 17; }

/* Returns an address whose two highest bits differ, so that it is not canonical. */
static uint64_t
pick_not_canonical (uint64_t r)
{
  return (r & ~(UINT64_C (3) << 62)) | (r & 1 ? UINT64_C (1) << 62 : UINT64_C (1) << 63);
}

/* Returns an address near the boundary between two kinds of addresses. */
static uint64_t
pick_edge (uint64_t r)
{
  static const uint64_t edges[] = {
    4096, UINT64_C (1) << 31, UINT64_C (1) << 32, UINT64_C (1) << 47, UINT64_C (1) << 56, UINT64_C (1) << 63,
    HOLE + (UINT64_C (1) << 40),
  };

  return edges[r % (sizeof edges / sizeof *edges)] - NEAR + (r >> 32) % (2 * NEAR);
}

static const struct { const char *name; uint64_t (*make) (uint64_t random); } kinds[] = {
  { "null", pick_null }, { "own", pick_own }, { "denied", pick_denied }, { "user", pick_user }, { "not-canonical", pick_not_canonical },
  { "hole", pick_hole }, { "error", pick_error }, { "edge", pick_edge }, { "known", pick_any }, { "upper", pick_upper },
};

#define N_KINDS (sizeof kinds / sizeof *kinds)

struct worker {
  pthread_t thread;
  unsigned long number;
  uint64_t random;
  unsigned long calls, wrong, of[N_KINDS];
};

static void
exit_with_error (const char *what)
{
  fprintf (stderr, "pointers: %s: %s\n", what, strerror (errno));
  exit (1);
}

static void *
report_values (void *data)
{
  struct worker *w = data;

  if (pin_to_cpu (w->number) != 0)
    exit_with_error ("a thread cannot choose its CPU");
  for (unsigned long i = 0; i < w->calls; i++)
    {
      uint64_t kind = draw_random (&w->random) % N_KINDS;

      errno = 0;
      if (syscall (SYS_lseek, -1, kinds[kind].make (draw_random (&w->random)), kind) != -1 || errno != EBADF)
        w->wrong++;
      w->of[kind]++;
    }
  return NULL;
}

int
main (int argc, char **argv)
{
  static struct worker workers[THREADS_MAX];
  unsigned long n = 10000, threads = 1, wrong = 0;
  uint64_t seed = 1;
  int option;

  while ((option = getopt (argc, argv, "n:t:s:k:")) != -1)
    switch (option)
      {
      case 'n': n = strtoul (optarg, NULL, 0); break;
      case 't': threads = strtoul (optarg, NULL, 0); break;
      case 's': seed = strtoull (optarg, NULL, 0); break;
      case 'k': known = strtoull (optarg, NULL, 16); break;
      default: return 2;
      }
  if (threads < 1 || threads > THREADS_MAX)
    return 2;
  own = mmap (NULL, OWN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  forbidden = mmap (NULL, OWN, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (own == MAP_FAILED || forbidden == MAP_FAILED)
    exit_with_error ("memory");
  memset (own, 0x55, OWN / 2);          /* touch this half only; the other half stays unpopulated */
  for (unsigned long i = 0; i < threads; i++)
    {
      workers[i].number = i;
      workers[i].random = seed * THREADS_MAX + i;
      workers[i].calls = n / threads + (i < n % threads);
      if (pthread_create (&workers[i].thread, NULL, report_values, &workers[i]) != 0)
        exit_with_error ("a thread");
    }
  for (unsigned long i = 0; i < threads; i++)
    {
      pthread_join (workers[i].thread, NULL);
      wrong += workers[i].wrong;
    }
  for (size_t k = 0; k < N_KINDS; k++)
    {
      unsigned long of = 0;

      for (unsigned long i = 0; i < threads; i++)
        of += workers[i].of[k];
      printf ("kind %zu %s %lu\n", k, kinds[k].name, of);
    }
  printf ("wrong %lu\n", wrong);
  return 0;
}
