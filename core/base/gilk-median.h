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

G_END_DECLS
