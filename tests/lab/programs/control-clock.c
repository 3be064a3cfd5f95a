/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * control-clock.c - calls umask() N times, moving between the CPUs of a lab, and prints the times
 * of CLOCK_MONOTONIC before and after each call, in nanoseconds
 */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define IN_A_ROW 50

static uint64_t
now_ns (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (uint64_t) t.tv_sec * 1000000000 + (uint64_t) t.tv_nsec;
}

static void
move_to (long cpu)
{
  cpu_set_t cpus;

  CPU_ZERO (&cpus);
  CPU_SET ((size_t) cpu, &cpus);
  sched_setaffinity (0, sizeof cpus, &cpus);
}

int
main (int argc, char **argv)
{
  long n = argc == 2 ? atol (argv[1]) : 0, n_cpus = sysconf (_SC_NPROCESSORS_ONLN);
  uint64_t *times = calloc ((size_t) n + 1, 2 * sizeof *times);

  if (n <= 0 || times == NULL)
    return 2;
  for (long i = 0; i < n; i++)
    {
      if (i % IN_A_ROW == 0)
        move_to (i / IN_A_ROW % n_cpus);
      times[2 * i] = now_ns ();
      umask (022);
      times[2 * i + 1] = now_ns ();
    }
  for (long i = 0; i < n; i++)
    printf ("%llu %llu\n", (unsigned long long) times[2 * i], (unsigned long long) times[2 * i + 1]);

  return 0;
}
