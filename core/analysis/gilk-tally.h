/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-tally.h - exact quantiles and bins of any number of numbers, in little memory; pure numerics
 *
 * The same numbers are added in each of a few passes, in any order, until no more is asked for:
 *
 *   count    numbers are counted in up to 65536 cells, equal in the bits of a double; least, greatest,
 *            mean and deviation are known then, and of each quantile the cell
 *   narrow   numbers in these cells are kept, or counted in finer cells where they are too many:
 *            again until each quantile is known
 *   bin      numbers in cells that an edge of a bin goes through are looked at one by one, all
 *            other cells are in one bin as a whole. Part of the last pass where the edges cannot
 *            depend on what is not known yet
 *
 * Two passes as a rule, three at times. What is not finite is ignored, and with a
 * logarithmic axis what is not above 0.
 *
 * Threads: one at a time; forks of a tally may be in others.
 */
#pragma once

#include "core/analysis/gilk-bins.h"

G_BEGIN_DECLS

typedef struct _GilkTally GilkTally;

/**
 * gilk_tally_new:
 * @about: so many numbers are to be expected
 * @bins, @log: as of gilk_bins_place()
 * @at: which quantiles are wanted, 0 to 1, ascending; @n_at of them
 * @hint: some of the numbers, or their bounds, if known: what they are like
 */
GilkTally *gilk_tally_new   (uint64_t about, guint bins, gboolean log, const double *at, guint n_at,
                             const double *hint, gsize n_hint);
void       gilk_tally_free  (GilkTally *tally);
/* Before the first number: the bins are these, wherever others would lie. */
void       gilk_tally_set_bins (GilkTally *tally, const GilkBins *bins);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkTally, gilk_tally_free)

void       gilk_tally_add   (GilkTally *tally, const double *values, gsize n);
/* To add a share of this pass's numbers to, elsewhere; joined to it, and freed, before the pass
 * ends. (transfer full) */
GilkTally *gilk_tally_fork  (const GilkTally *tally);
void       gilk_tally_join  (GilkTally *tally, GilkTally *fork);
/* A pass is over. TRUE: all numbers have to be added again. */
gboolean   gilk_tally_again (GilkTally *tally);

/* When no pass is left. Spread is all zero if there is no number. */
typedef struct {
  GilkSpread      spread;
  GilkBins        bins;
  double          mean;
  uint64_t        ignored;
  const double   *edges;      /* bins.n + 1 */
  const uint64_t *counts;     /* bins.n */
  const double   *quantiles;  /* n_at: between two numbers linearly (Hyndman and Fan's type 7) */
} GilkTallied;

/* Good until @tally is freed. */
GilkTallied gilk_tally_result (const GilkTally *tally);

G_END_DECLS
