/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-histogram-sketch.h - a histogram of what a sketch knows of numbers; pure numerics
 *
 * What lies in one cell of a sketch is taken to be spread evenly over the whole numbers there. So counts of bins and
 * quantiles are exact where no edge parts a cell and each rank's cell has but one number, as with numbers below 2^11;
 * else quantiles are off by the width of a cell at most, 0.1 %.
 *
 * Threads: any.
 */
#pragma once

#include "core/analysis/gilk-histogram.h"
#include "core/store/gilk-sketch.h"

G_BEGIN_DECLS

/**
 * gilk_histogram_of_sketch:
 * @low, @high: numbers below and above are left out; NaN: none
 * @bins, @log: as of gilk_histogram_new()
 * @exact: (out): the histogram is as one of the numbers themselves
 * @placed: (out) (nullable): where the bins lie
 * NULL: cells are too wide for these bins. (transfer full)
 */
GilkHistogram *gilk_histogram_of_sketch (const GilkSketch *sketch, double low, double high, guint bins, gboolean log,
                                         gboolean *exact, GilkBins *placed);

G_END_DECLS
