/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-median.h - computes medians and their confidence intervals, for any distribution
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
 * Returns the median and an interval between two order statistics. If the values are independent,
 * the true median is below the interval with a probability of at most @tail, and above it with a
 * probability of at most @tail, whatever the distribution of the values. If there are too few
 * values for that, the interval is from the smallest to the largest value.
 */
GilkMedian gilk_median_of (double *values, guint n, double tail);

#define GILK_MEDIAN_ROUNDS 7

/**
 * gilk_median_of_rounds:
 * @values: GILK_MEDIAN_ROUNDS rounds of @each values, one after the other; the function sorts each
 *   round
 * Measurements of one round are alike. They may differ from those of the next round, because the
 * address of the code, the load on the sibling thread, or the CPU's frequency has changed. The
 * value is the median of the rounds' medians. The interval is the 95 % prediction interval of
 * another round, computed with Student's t from the spread between rounds; it includes the interval
 * of gilk_median_of() for all values.
 */
GilkMedian gilk_median_of_rounds (double *values, guint each);

/* Returns the mean of @n values without the smallest and the largest; @n is at least four. */
double     gilk_trimmed_mean     (const double *values, guint n);

/**
 * gilk_median_over_time:
 * @values: measurements of @n_copies copies of the same code (at least four) at @n_times times (at
 *   least two); the value of copy c at time t is at [t * @n_copies + c]
 * The level at a time is the trimmed mean of the copies, because single copies may be far slower
 * than the rest. The value is the median of the levels. The interval contains the mean over runs
 * like this one with a probability of 95 %: the levels' mean ± t sqrt (s²/n + 0.4 s² + p²).
 *
 * s is the standard deviation between the n levels. s²/n alone would be too small, because all
 * measurements of a run share the state of the machine, whose speed varies over hours as over
 * milliseconds (1/f noise). With such noise, the levels of twenty runs vary around their mean with
 * 0.4 of the variance between measurements in a run. If levels are independent, the interval is
 * wider than needed. p is the standard error of the trimmed mean of the copies' means, by their
 * winsorised deviation (Tukey and McLaughlin, Less Vulnerable Confidence and Significance
 * Procedures for Location, Sankhya A 25, 1963). t is Student's quantile, with the degrees of
 * freedom of Satterthwaite for the sum (JCGM 100:2008, G.4).
 *
 * test-median.c simulates the coverage; tests/lab/cost.py measures it. The interval is extended to
 * include the median.
 */
GilkMedian gilk_median_over_time (const double *values, guint n_copies, guint n_times);

G_END_DECLS
