/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-clock.h - converts TSC readings to nanoseconds since a run's time zero, and computes the
 * TSC's frequency
 *
 * ns = (tsc - zero) * 1000000000 / hz, rounded towards zero, exact for all readings. The product
 * exceeds 64 bits after some seconds, and a 128-bit division takes as long as storing a sample (a
 * recorded hit). So TSC ticks are multiplied by 2^60 * 1000000000 / hz, which is rounded down, and
 * the result is corrected.
 *
 * Threads: any; a clock is immutable.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct {
  uint64_t zero;            /* TSC value at the run's time zero */
  uint64_t hz;              /* TSC frequency in Hz, never 0 */
  uint64_t factor;          /* 2^60 * 1000000000 / hz; 0 if that needs more than 64 bits */
} GilkClock;

static inline GilkClock
gilk_clock_at (uint64_t zero, uint64_t hz)
{
  unsigned __int128 factor = ((unsigned __int128) 1000000000 << 60) / hz;

  return (GilkClock) { zero, hz, factor >> 64 == 0 ? (uint64_t) factor : 0 };
}

static inline uint64_t
gilk_clock_ticks_to_ns (const GilkClock *clock, uint64_t ticks)
{
  unsigned __int128 scaled = (unsigned __int128) ticks * 1000000000;
  uint64_t ns;

  if (clock->factor == 0)
    return (uint64_t) (scaled / clock->hz);
  ns = (uint64_t) ((unsigned __int128) ticks * clock->factor >> 60);
  /* Correct @ns, which is too small by at most ticks / 2^60 ns plus rounding: about 16 ns if ticks
   * needs all 64 bits. */
  while ((unsigned __int128) (ns + 1) * clock->hz <= scaled)
    ns++;

  return ns;
}

static inline gint64
gilk_clock_ns (const GilkClock *clock, uint64_t tsc)
{
  return tsc >= clock->zero ? (gint64) gilk_clock_ticks_to_ns (clock, tsc - clock->zero)
                            : -(gint64) gilk_clock_ticks_to_ns (clock, clock->zero - tsc);
}

/*
 * Computes the TSC's frequency from two timestamp pairs; a pair consists of a CLOCK_MONOTONIC time
 * and a TSC value that were read together.
 *
 * Errors are upper bounds: the TSC is read before and after the clock, so its value at the moment
 * of the clock reading is in between.
 *
 * Threads: any.
 */

/* When CLOCK_MONOTONIC was @mono_ns, the TSC was within @error ticks of @tsc. */
typedef struct {
  uint64_t tsc, mono_ns, error;
} GilkTimestampPair;

typedef struct {
  uint64_t hz;
  double   error;             /* maximum relative error of hz, in either direction */
} GilkRate;

/* Computes the TSC's frequency from two timestamp pairs. Fails if the clock did not advance, or the
 * TSC advanced by no more than its errors. */
gboolean gilk_rate_between (const GilkTimestampPair *from, const GilkTimestampPair *to, GilkRate *rate);

G_END_DECLS
