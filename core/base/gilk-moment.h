/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-moment.h - a clock and a time stamp counter read together, and the rate between two of these
 *
 * Errors here are bounds: the counter was read before and behind the clock, and what it was
 * when the clock was read is in between.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

/* The counter was @tsc, by @error ticks at most either way, when CLOCK_MONOTONIC was @mono_ns. */
typedef struct {
  uint64_t tsc, mono_ns, error;
} GilkMoment;

typedef struct {
  uint64_t hz;
  double   error;             /* of hz, as a part of it: at most, either way */
} GilkRate;

/* FALSE: the clock did not move on from one to the other by more than the errors. */
gboolean gilk_rate_between (const GilkMoment *from, const GilkMoment *to, GilkRate *rate);

G_END_DECLS
