/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-timestamp-pair.h - computes the TSC's frequency from two timestamp pairs; a pair is a
 * reading of clock and TSC
 *
 * Errors are bounds: the counter is read before and after the clock, and its value at the time of
 * the clock reading is in between.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

/* The counter was @tsc ± @error ticks when CLOCK_MONOTONIC was @mono_ns. */
typedef struct {
  uint64_t tsc, mono_ns, error;
} GilkTimestampPair;

typedef struct {
  uint64_t hz;
  double   error;             /* maximum relative error of hz, in either direction */
} GilkRate;

/* Computes the TSC's frequency between two pairs. Fails if the clock did not advance, or the TSC
 * advanced by no more than its errors. */
gboolean gilk_rate_between (const GilkTimestampPair *from, const GilkTimestampPair *to, GilkRate *rate);

G_END_DECLS
