/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worker.h - draws random numbers, and pins threads to CPUs, for workloads
 */
#pragma once

#include <sched.h>
#include <stdint.h>
#include <unistd.h>

/* Returns the next random number, and advances @state: splitmix64. */
static inline uint64_t
draw_random (uint64_t *state)
{
  uint64_t z = *state += 0x9e3779b97f4a7c15u;

  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

/* Pins the calling thread to CPU @number, modulo the number of CPUs. Returns 0, or -1 with errno
 * set. */
static inline int
pin_to_cpu (unsigned long number)
{
  cpu_set_t set;

  CPU_ZERO (&set);
  CPU_SET (number % (unsigned long) sysconf (_SC_NPROCESSORS_ONLN), &set);
  return sched_setaffinity (0, sizeof set, &set);
}
