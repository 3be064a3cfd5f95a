/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-median.h - a median and the interval that holds the true one, whatever the distribution
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
 * @values: at least one; sorted on the way
 * The interval is from one order statistic to another, such that for independent values the true
 * median lies outside of each with a probability of @tail at most: exact, by the binomial
 * distribution. Where there are too few values for that, it is from the least to the greatest.
 */
GilkMedian gilk_median_of (double *values, guint n, double tail);

#define GILK_MEDIAN_ROUNDS 7

/**
 * gilk_median_of_rounds:
 * @values: @each of GILK_MEDIAN_ROUNDS rounds, one round after the other; sorted on the way, within rounds
 * Measurements of one round are alike, those of the next may be others: a cache, a neighbour on the core, a clock of the
 * processor. The value is the median of the rounds' medians; the interval is that of 95 % for another
 * round's, by Student's t of the spread between rounds, and holds that of gilk_median_of() of all.
 */
GilkMedian gilk_median_of_rounds (double *values, guint each);

/**
 * gilk_median_over_time:
 * @measurements: at least two, made at different times; each is the median of its own values
 * Returns their median, and an interval that holds what they are measurements of, the mean over time, with 95 %:
 * mean ± t s / sqrt (n), where s is their standard deviation and t Student's quantile of n - 1 degrees of freedom. All
 * values of one measurement count once, so that the spread between measurements is in it: the interval of a mean of
 * repeated measurements whose levels vary (Kalibera and Jones, Rigorous Benchmarking in Reasonable Time, ISMM 2013,
 * section 5; JCGM 100:2008, H.5). It is exact for normal levels that are independent, for two as for a hundred: for two, t is
 * 12.7, and the interval as wide as is honest. Widened to the median where that lies outside.
 */
GilkMedian gilk_median_over_time (const double *measurements, guint n);

G_END_DECLS
