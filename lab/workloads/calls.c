/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls.c - calls one kernel path an exact number of times from pinned threads
 *
 * Usage: calls [-n CALLS] [-t THREADS] [-o PATH] [-w]
 *
 * The ground truth for "a hooked path called N times counts exactly N": every
 * thread is pinned to its own CPU, makes its share of the calls, and the sum is
 * printed as "calls N". Nothing else in the program uses the chosen path.
 * With -w it waits for a line on standard input first.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define THREADS_MAX 64

typedef long (*path_fn) (void);

/* Raw system calls: the C library must not answer from its own memory. */
static long call_getppid (void)  { return syscall (SYS_getppid); }
static long call_getpgid (void)  { return syscall (SYS_getpgid, 0); }
static long call_umask (void)    { return syscall (SYS_umask, 022); }
static long call_sched (void)    { return syscall (SYS_sched_yield); }

/* Fails at once with EBADF, but enters the same path every time. */
static long call_fsync (void)    { return syscall (SYS_fsync, -1); }

static const struct { const char *name; path_fn fn; } paths[] = {
  { "getppid", call_getppid },
  { "getpgid", call_getpgid },
  { "umask", call_umask },
  { "sched_yield", call_sched },
  { "fsync", call_fsync },
};

struct worker {
  pthread_t thread;
  unsigned int cpu;
  uint64_t calls;
  path_fn fn;
};

static void *
work (void *data)
{
  struct worker *w = data;
  cpu_set_t set;
  uint64_t i;

  CPU_ZERO (&set);
  CPU_SET (w->cpu, &set);
  if (sched_setaffinity (0, sizeof set, &set) != 0)
    {
      fprintf (stderr, "calls: cannot use CPU %u: %s\n", w->cpu, strerror (errno));
      exit (1);
    }
  for (i = 0; i < w->calls; i++)
    w->fn ();
  return NULL;
}

static path_fn
find_path (const char *name)
{
  size_t i;

  for (i = 0; i < sizeof paths / sizeof *paths; i++)
    if (strcmp (paths[i].name, name) == 0)
      return paths[i].fn;
  fprintf (stderr, "calls: no path \"%s\"; there are:", name);
  for (i = 0; i < sizeof paths / sizeof *paths; i++)
    fprintf (stderr, " %s", paths[i].name);
  fputc ('\n', stderr);
  exit (2);
}

int
main (int argc, char **argv)
{
  static struct worker workers[THREADS_MAX];
  unsigned int cpus = (unsigned int) sysconf (_SC_NPROCESSORS_ONLN);
  unsigned int threads = cpus, i;
  uint64_t calls = 1000000, sum = 0;
  path_fn fn = call_getppid;
  struct timespec a, b;
  double ns;
  int option, wait = 0;

  while ((option = getopt (argc, argv, "n:t:o:w")) != -1)
    switch (option)
      {
      case 'n': calls = strtoull (optarg, NULL, 0); break;
      case 't': threads = (unsigned int) strtoul (optarg, NULL, 0); break;
      case 'o': fn = find_path (optarg); break;
      case 'w': wait = 1; break;
      default: return 2;
      }
  if (threads == 0 || threads > THREADS_MAX)
    {
      fprintf (stderr, "calls: threads must be 1 to %d\n", THREADS_MAX);
      return 2;
    }
  if (wait && getchar () == EOF)
    return 1;
  clock_gettime (CLOCK_MONOTONIC, &a);
  for (i = 0; i < threads; i++)
    {
      workers[i].cpu = i % cpus;
      workers[i].fn = fn;
      workers[i].calls = calls / threads + (i < calls % threads);
      if (pthread_create (&workers[i].thread, NULL, work, &workers[i]) != 0)
        {
          fprintf (stderr, "calls: cannot start thread %u\n", i);
          return 1;
        }
    }
  for (i = 0; i < threads; i++)
    {
      pthread_join (workers[i].thread, NULL);
      sum += workers[i].calls;
    }
  clock_gettime (CLOCK_MONOTONIC, &b);
  ns = (double) (b.tv_sec - a.tv_sec) * 1e9 + (double) (b.tv_nsec - a.tv_nsec);
  printf ("calls %llu\nthreads %u\nns_per_call %.1f\n", (unsigned long long) sum, threads,
          sum ? ns * threads / (double) sum : 0);
  return 0;
}
