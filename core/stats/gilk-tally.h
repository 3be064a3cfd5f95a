/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-tally.h - computes exact quantiles and bins of any number of values; pure numerics
 *
 * The caller adds the same numbers in each of a few passes, in any order, until no further pass is
 * needed:
 *
 *   count:   counts numbers in up to 65536 cells of equal width in the bits of a double. Minimum,
 *            maximum, mean and deviation are then known, and the cell that contains each quantile.
 *   narrow:  keeps the numbers in these cells, or counts them in finer cells if there are too many;
 *            repeated until each quantile is known.
 *   bin:     looks at each number in cells that the edge of a bin splits; every other cell is in
 *            one bin as a whole. This is done in the last narrowing pass if no unknown quantile can
 *            affect the edges.
 *
 * Usually two passes are enough, sometimes three are needed. Ignores numbers that are not finite
 * or, with a logarithmic axis, not above 0.
 *
 * Threads: one at a time; a fork may be used in another thread.
 */
#pragma once

#include "core/stats/gilk-bins.h"

G_BEGIN_DECLS

typedef struct _GilkTally GilkTally;

/**
 * gilk_tally_new:
 * @about: expected count of numbers
 * @bins, @log: as in gilk_bins_place()
 * @at: wanted quantiles, 0 to 1, ascending; @n_at of them
 * @hint: some of the numbers, or their bounds, if known, to place the cells
 */
GilkTally *gilk_tally_new   (uint64_t about, guint bins, gboolean log, const double *at, guint n_at,
                             const double *hint, gsize n_hint);
void       gilk_tally_free  (GilkTally *tally);
/* Sets the bins, instead of placing them by the numbers. Must be called before the first number is
 * added. */
void       gilk_tally_set_bins (GilkTally *tally, const GilkBins *bins);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkTally, gilk_tally_free)

void       gilk_tally_add   (GilkTally *tally, const double *values, gsize n);
/* Returns a fork: a tally to which another thread can add part of this pass's numbers.
 * gilk_tally_join() must join and free the fork before the pass ends. (transfer full) */
GilkTally *gilk_tally_fork  (const GilkTally *tally);
void       gilk_tally_join  (GilkTally *tally, GilkTally *fork);
/* Ends a pass. Returns TRUE if all numbers must be added again. */
gboolean   gilk_tally_again (GilkTally *tally);

/* Result after the last pass. Without numbers, the spread is all zero. */
typedef struct {
  GilkSpread      spread;
  GilkBins        bins;
  double          mean;
  uint64_t        ignored;
  const double   *edges;      /* the edges of the bins: bins.n + 1 of them */
  const uint64_t *counts;     /* bins.n */
  const double   *quantiles;  /* n_at quantiles, interpolated linearly between two
                               * numbers (type 7 of Hyndman and Fan) */
} GilkTallied;

/* Returns the result, which is valid until @tally is freed. */
GilkTallied gilk_tally_result (const GilkTally *tally);

G_END_DECLS
