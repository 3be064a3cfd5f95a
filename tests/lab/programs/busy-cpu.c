/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * busy-cpu.c - keeps a CPU of a lab busy from time to time, except for interrupts
 *
 *   busy-cpu CPU SECONDS
 *
 * Runs with real-time priority, in bursts of up to 0.3 s with pauses of the same length. Kernel
 * threads of that CPU are delayed, as under heavy load; other CPUs are not affected.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double
get_now (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + (double) t.tv_nsec / 1e9;
}

int
main (int argc, char **argv)
{
  const struct sched_param high = { .sched_priority = 50 };
  cpu_set_t cpus;
  double end;

  if (argc != 3)
    return 2;
  CPU_ZERO (&cpus);
  CPU_SET (atoi (argv[1]), &cpus);
  if (sched_setaffinity (0, sizeof cpus, &cpus) != 0 ||
      sched_setscheduler (0, SCHED_FIFO, &high) != 0)
    {
      perror ("busy-cpu");
      return 1;
    }
  end = get_now () + atof (argv[2]);
  while (get_now () < end)
    {
      double until = get_now () + (double) (random () % 300) / 1e3;

      while (get_now () < until)
        ;
      usleep ((useconds_t) (random () % 300000));
    }
  return 0;
}
