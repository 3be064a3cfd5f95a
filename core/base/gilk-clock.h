/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-clock.h - readings of a time stamp counter as nanoseconds since a run's time zero
 *
 * ns = (tsc - zero) * 1000000000 / hz, cut towards zero, exact for all readings: the product needs
 * more than 64 bits after seconds, and a division of 128 bits costs as much as storing the
 * sample. So it is multiplied by 2^60 * 1000000000 / hz, which is too little by less than one, and
 * set right.
 *
 * Threads: any; a clock does not change.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct {
  uint64_t zero;            /* of the counter, at time zero */
  uint64_t hz;              /* its rate; not 0 */
  uint64_t factor;          /* 0: so slow that it has to be divided */
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
  /* Short by ticks / 2^60 at most, and what was cut: some sixteen where ticks fill 64 bits. */
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

G_END_DECLS
