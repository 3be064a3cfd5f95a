/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * control-intervals.c - calls umask() once and getppid() several times, in a loop for some seconds
 *
 *   control-intervals SECONDS
 *
 * About every millisecond prints the time of CLOCK_MONOTONIC in seconds, and the number of rounds
 * per millisecond since the previous line: a metric that the workload measures itself.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define CALLS 20

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
  double begin = get_now (), end = begin + (argc == 2 ? atof (argv[1]) : 0), last = begin, time;
  unsigned turns = 0;

  while ((time = get_now ()) < end)
    {
      umask (022);
      for (int i = 0; i < CALLS; i++)
        syscall (SYS_getppid);
      turns++;
      if (time - last < 1e-3)
        continue;
      printf ("%.6f %.3f\n", (last + time) / 2, turns / ((time - last) * 1e3));
      last = time;
      turns = 0;
    }

  return 0;
}
