/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-peaks.h - lines of a spectrum: what comes back at even times
 *
 * Threads: any.
 */
#pragma once

#include "core/analysis/gilk-spectrum.h"

G_BEGIN_DECLS

/* The chance of a line in a whole spectrum of nothing but noise. */
#define GILK_PEAKS_FALSE 0.01

typedef struct {
  double hz, power;
  double times;             /* so many times the mean power of the noise around it, by the median there */
} GilkPeak;

/**
 * gilk_spectrum_peaks:
 * What is the highest of its next neighbours, and so far above the median of up to 40 frequencies to either
 * side, as many to both, that noise alone gets there in one spectrum of a hundred (GILK_PEAKS_FALSE), be it
 * white or sloped, as long as it is alike all the time. The first and the last frequency have nothing to one
 * side, and are no lines. At most @most, the one that stands out furthest first. (transfer full) (element-type GilkPeak)
 *
 * Of noise, power is distributed as Gamma's with the shape @spectrum->independent, an exponential where nothing
 * was averaged (Welch, "The use of fast Fourier transform for the estimation of power spectra", 1967; Percival
 * and Walden, "Spectral analysis for physical applications", 1993, section 6.17). The median is of few
 * frequencies, and as uncertain; so what is asked for is the quantile of the quotient of one power and an
 * order statistic of others, as in radar (Rohling, "Radar CFAR thresholding in clutter and multiple target
 * situations", 1983), at the chance for one frequency which Sidak's inequality leaves of that for all.
 */
GArray *gilk_spectrum_peaks (const GilkSpectrum *spectrum, guint most);

G_END_DECLS
