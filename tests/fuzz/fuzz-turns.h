/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-turns.h - counts the rounds of a fuzzer, and draws random numbers that depend only on the
 * seed
 */
#pragma once

#include <glib.h>
#include <string.h>

/* Returns a random number less than @below, by xorshift64*. @random: the state, which must not be 0
 * */
static inline guint32
fuzz_draw (guint64 *random, guint32 below)
{
  *random ^= *random >> 12;
  *random ^= *random << 25;
  *random ^= *random >> 27;

  return (guint32) ((*random * G_GUINT64_CONSTANT (2685821657736338717)) >> 32) % below;
}

typedef struct {
  /* @count: number of rounds to run; if it is 0, the test runs for @seconds. @done: number of
   * rounds so far */
  guint64 count, done;
  double  seconds;
  gint64  begin;
} FuzzTurns;

/* Parses the options [--seconds S] [--count N] [--seed S]. @random: (out): state of the random
 * numbers */
static inline FuzzTurns
fuzz_turns_begin (int argc, char **argv, guint64 *random)
{
  FuzzTurns turns = { .begin = g_get_monotonic_time () };
  guint64 seed = 1;

  for (int i = 1; i + 1 < argc; i += 2)
    if (strcmp (argv[i], "--seconds") == 0)
      turns.seconds = g_ascii_strtod (argv[i + 1], NULL);
    else if (strcmp (argv[i], "--count") == 0)
      turns.count = g_ascii_strtoull (argv[i + 1], NULL, 10);
    else if (strcmp (argv[i], "--seed") == 0)
      seed = g_ascii_strtoull (argv[i + 1], NULL, 10);
  *random = seed * 0x9e3779b97f4a7c15ull | 1;

  return turns;
}

/* Returns whether another round is due, and counts that round. */
static inline gboolean
fuzz_turns_next (FuzzTurns *turns)
{
  if (turns->count > 0 ? turns->done >= turns->count
                       : (double) (g_get_monotonic_time () - turns->begin) >= turns->seconds * G_USEC_PER_SEC)
    return FALSE;
  turns->done++;

  return TRUE;
}
