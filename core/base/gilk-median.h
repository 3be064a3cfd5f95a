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
 * @values: at least one; gets sorted
 * Returns the median and an interval between two order statistics. For independent values the true
 * median is outside it on each side with a probability of at most @tail: exact, by the binomial
 * distribution. With too few values the interval is from the least to the greatest.
 */
GilkMedian gilk_median_of (double *values, guint n, double tail);

#define GILK_MEDIAN_ROUNDS 7

/**
 * gilk_median_of_rounds:
 * @values: GILK_MEDIAN_ROUNDS rounds of @each values, one after the other; get sorted within rounds
 * Measurements of one round are alike, but may differ from those of the next one: the place of the
 * code, a neighbour on the core, the CPU's frequency. The value is the median of the rounds' medians. The
 * interval is the 95 % prediction interval of another round, by Student's t of the spread between
 * rounds; it includes that of gilk_median_of() for all values.
 */
GilkMedian gilk_median_of_rounds (double *values, guint each);

/* Returns the mean of all but the least and the greatest of @n values, at least four. */
double     gilk_trimmed_mean     (const double *values, guint n);

/**
 * gilk_median_over_time:
 * @values: of @n_copies copies of the same code, at least four, measured at @n_times times, at least
 *   two; that of copy c at time t is at [t * @n_copies + c]
 * The level of a time is the trimmed mean of its copies, because single places may be far slower than
 * the rest. The value is the median of the levels. The interval holds the mean over runs like this
 * one with 95 %: the levels' mean ± t sqrt (s²/n + 0.4 s² + p²).
 *
 * s is the standard deviation between the n levels. All measurements of a run share the state of the
 * machine, however many there are, so that s²/n alone is too small: its speed varies over seconds,
 * minutes and hours as over milliseconds (1/f noise), and then the level of a run differs from the
 * mean of twenty with 0.4 of the variance between measurements in the run. If levels were
 * independent, the interval would be wider than needed. p is the standard error of the trimmed mean
 * of the copies' means, by their winsorised deviation (Tukey and McLaughlin, Less Vulnerable
 * Confidence and Significance Procedures for Location, Sankhya A 25, 1963). t is Student's quantile,
 * with the degrees of freedom of Satterthwaite for the sum (JCGM 100:2008, G.4).
 *
 * test-median.c simulates the coverage; tests/lab/cost.py measures it. The interval is extended to
 * include the median.
 */
GilkMedian gilk_median_over_time (const double *values, guint n_copies, guint n_times);

G_END_DECLS
