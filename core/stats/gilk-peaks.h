/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-peaks.h - finds the peaks of a spectrum, with the gamma distribution of its noise
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

#include "core/stats/gilk-spectrum.h"

G_BEGIN_DECLS

/* Probability of a peak anywhere in a spectrum of pure noise. */
#define GILK_PEAKS_FALSE 0.01

typedef struct {
  double hz, power;
  double times;             /* power divided by the mean power of the noise, estimated from the
                             * median around the peak */
} GilkPeak;

/**
 * gilk_spectrum_peaks:
 * Finds local maxima that exceed a threshold: a multiple of the median of up to 40 frequencies on
 * either side, the same number on both sides. Stationary noise, white or sloped, exceeds the
 * threshold anywhere in one spectrum in a hundred (GILK_PEAKS_FALSE). The first and the last
 * frequency lack neighbours on one side and are never peaks. Returns at most @most, the most
 * significant first. (transfer full) (element-type GilkPeak)
 *
 * The power of noise has a gamma distribution with the shape @spectrum->n_effective, an exponential
 * one if nothing was averaged (Welch, "The use of fast Fourier transform for the estimation of
 * power spectra", 1967; Percival and Walden, "Spectral analysis for physical applications", 1993,
 * section 6.17). The median of few frequencies is uncertain, too. So the threshold is a quantile
 * of the quotient of one power and an order statistic of others, as in radar (Rohling, "Radar CFAR
 * thresholding in clutter and multiple target situations", 1983). Sidak's inequality gives the
 * probability per frequency from the probability for the whole spectrum.
 */
GArray *gilk_spectrum_peaks (const GilkSpectrum *spectrum, guint most);

/*
 * Computes the gamma distribution of scale 1, which averaged periodograms of noise have.
 *
 * Threads: any. Relative error 1e-9 for shapes from 0.5 to 10^5 (tests/analysis/ compares with
 * SciPy); both tails keep that precision near zero.
 */

/* Return P(X <= @x) and P(X > @x) for a number X with the gamma distribution of @shape. @shape > 0,
 * @x >= 0. */
double gilk_gamma_below          (double shape, double x);
double gilk_gamma_above          (double shape, double x);
/* gilk_gamma_quantile() returns the x with P(X <= x) = @p, gilk_gamma_quantile_above() the x with
 * P(X > x) = @p; 0 < @p < 1. */
double gilk_gamma_quantile       (double shape, double p);
double gilk_gamma_quantile_above (double shape, double p);

G_END_DECLS
