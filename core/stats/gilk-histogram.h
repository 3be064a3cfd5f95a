/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-histogram.h - bins and order statistics; pure numerics
 *
 * Quantiles are exact, not derived from the bins, and interpolate linearly between two samples as R
 * and NumPy do, so that figures can be verified elsewhere. For samples of a session see
 * gilk-hook-distribution.h.
 *
 * Threads: any; immutable once made.
 */
#pragma once

#include "core/pack/gilk-sketch.h"
#include "core/stats/gilk-tally.h"

G_BEGIN_DECLS

typedef struct {
  double    min, max;          /* minimum and maximum of the finite values */
  gboolean  log;               /* the bins have equal widths in log10(x), not in x */
  guint     n_bins;
  double   *edges;             /* edges of the bins, ascending: n_bins + 1 of them */
  uint64_t *counts;
  uint64_t  n, ignored;        /* @ignored: number of values that are not finite or, with @log, not
                                * above 0 */
  double    mean, stddev, median, p90, p99, p999;
} GilkHistogram;

/* Makes a histogram of @count values. If @bins is 0, the rule of Freedman and Diaconis gives the
 * number of bins, at most 200. Never returns NULL; the result's n may be 0. */
GilkHistogram *gilk_histogram_new  (const double *values, gsize count, guint bins, gboolean log);
void           gilk_histogram_free (GilkHistogram *histogram);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkHistogram, gilk_histogram_free)

/* Make a histogram of numbers that arrive in parts: gilk_histogram_tally() makes the tally to which
 * the caller adds the numbers. After the tally's last pass, gilk_histogram_of_tally() makes the
 * histogram. */
GilkTally     *gilk_histogram_tally    (uint64_t about, guint bins, gboolean log, const double *hint,
                                        gsize n_hint);
GilkHistogram *gilk_histogram_of_tally (const GilkTally *tally, gboolean log);

/*
 * Makes a histogram from a sketch, a summary of numbers by counts in cells; pure numerics
 *
 * The numbers of a sketch's cell are assumed to be spread evenly over the integers in it. So counts
 * are exact if no bin edge splits a cell. A quantile is exact if the cell of its rank holds a
 * single number, as all cells below 2^11 do; else it is off by at most the width of a cell, 0.1 %.
 *
 * Threads: any.
 */

/**
 * gilk_histogram_of_sketch:
 * @low, @high: bounds outside which numbers are left out; NaN: none
 * @bins, @log: as in gilk_histogram_new()
 * @exact: (out): the histogram is the same as one made from the numbers themselves
 * @placed: (out) (nullable): placement of the bins
 * Returns NULL if the sketch's cells are too wide for these bins. (transfer full)
 */
GilkHistogram *gilk_histogram_of_sketch (const GilkSketch *sketch, double low, double high, guint bins, gboolean log,
                                         gboolean *exact, GilkBins *placed);

G_END_DECLS
