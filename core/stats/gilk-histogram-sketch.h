/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-histogram-sketch.h - a histogram made from a sketch; pure numerics
 *
 * The numbers of a sketch's cell are assumed to be spread evenly over the integers in it. So counts
 * and quantiles are exact where no bin edge splits a cell and the cell of each rank has a single
 * number, as below 2^11; else quantiles are off by at most the width of a cell, 0.1 %.
 *
 * Threads: any.
 */
#pragma once

#include "core/pack/gilk-sketch.h"
#include "core/stats/gilk-histogram.h"

G_BEGIN_DECLS

/**
 * gilk_histogram_of_sketch:
 * @low, @high: bounds outside which numbers are left out; NaN: none
 * @bins, @log: as in gilk_histogram_new()
 * @exact: (out): the histogram equals that of the numbers themselves
 * @placed: (out) (nullable): placement of the bins
 * Returns NULL if cells are too wide for these bins. (transfer full)
 */
GilkHistogram *gilk_histogram_of_sketch (const GilkSketch *sketch, double low, double high, guint bins, gboolean log,
                                         gboolean *exact, GilkBins *placed);

G_END_DECLS
