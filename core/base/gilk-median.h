/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-median.h - medians and their confidence intervals, for any distribution
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  double value, low, high;
} GilkMedian;

/**
 * gilk_median_of:
 * @values: at least one; the function sorts them
 * Returns the median and an interval between two order statistics. For independent values the true
 * median is outside it on each side with a probability of at most @tail: exact, by the binomial
 * distribution. With too few values the interval is from the smallest to the largest value.
 */
GilkMedian gilk_median_of (double *values, guint n, double tail);

#define GILK_MEDIAN_ROUNDS 7

/**
 * gilk_median_of_rounds:
 * @values: GILK_MEDIAN_ROUNDS rounds of @each values, one after the other; the function sorts each
 *   round
 * Measurements of one round are alike, but may differ from those of the next one because of caches,
 * of a neighbour on the core, or of the CPU's frequency. The value is the median of the rounds'
 * medians. The interval is the 95 % prediction interval of another round, computed with Student's t
 * from the spread between rounds; it includes the interval of gilk_median_of() for all values.
 */
GilkMedian gilk_median_of_rounds (double *values, guint each);

/**
 * gilk_median_over_time:
 * @measurements: at least two, made at different times; each is the median of its own values
 * Returns their median, and a 95 % confidence interval for their mean over time: mean ± t s / sqrt
 * (n), where s is their standard deviation and t Student's quantile with n - 1 degrees of freedom.
 * Each measurement counts as one value, so that the interval includes the spread between
 * measurements: the interval of a mean of repeated measurements whose levels vary (Kalibera and
 * Jones, Rigorous Benchmarking in Reasonable Time, ISMM 2013, section 5; JCGM 100:2008, H.5). It is
 * exact for any number of independent, normally distributed levels; for two, t is 12.7 and the
 * interval correspondingly wide. It is extended to include the median.
 */
GilkMedian gilk_median_over_time (const double *measurements, guint n);

G_END_DECLS
