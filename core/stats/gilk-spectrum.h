/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-spectrum.h - spectra and correlations of series
 *
 * Threads: any. Results are (transfer full).
 */
#pragma once

#include <glib.h>

#include "core/base/gilk-cancellable.h"

G_BEGIN_DECLS

typedef enum {
  GILK_WINDOW_FUNCTION_NONE, GILK_WINDOW_FUNCTION_HANN, GILK_WINDOW_FUNCTION_HAMMING, GILK_WINDOW_FUNCTION_BLACKMAN,
} GilkWindowFunction;

typedef struct {
  guint   n;
  double *hz;               /* ascending */
  double *power;
  guint   segments, broken; /* number of Welch segments averaged; number of segments left out
                             * because of gaps */
  double  n_effective;      /* number of independent periodograms of noise whose mean has the same
                             * variance as this spectrum; 1 if nothing was averaged */
  double  bins_per_independent;         /* number of frequencies per independent frequency, for
                                         * noise: a window spreads each frequency over its
                                         * neighbours */
} GilkSpectrum;

void gilk_spectrum_free (GilkSpectrum *spectrum);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkSpectrum, gilk_spectrum_free)

/**
 * gilk_spectrum_welch:
 * @values: evenly spaced, @rate per second; NaN where nothing was measured
 * @segment: number of values of a segment, at least 8; segments overlap by half
 * Returns the one-sided power spectral density, in units squared per Hz: the mean of the windowed
 * periodograms of segments, each after subtraction of its own mean (Welch, 1967). Same result as
 * scipy.signal.welch() with its defaults. Returns NULL if no segment is free of gaps.
 *
 * For noise without lines, a power is distributed nearly as the mean of @n_effective exponential
 * numbers: a gamma distribution with shape @n_effective. @n_effective takes into account that
 * segments share noise where they overlap (Welch, 1967; Percival and Walden, 1993, section 6.17),
 * and that some segments may be louder than others, as with bursts of hits.
 */
GilkSpectrum *gilk_spectrum_welch (const double *values, gsize n, double rate, gsize segment,
                                   GilkWindowFunction window);
/**
 * gilk_spectrum_lomb:
 * @times, @values: @n of each, at least one, all finite; times in seconds, in any order
 * @first, @step: Hz: frequencies are @first, @first + @step, ...; @n_hz of them, at least one, none
 *   0
 * Returns Lomb's periodogram of values at uneven times, minus their mean, as power (Lomb, 1976;
 * Scargle, 1982): a sine of amplitude a gives about n a^2 / 4, and noise gives an exponentially
 * distributed number. Same result as scipy.signal.lombscargle(precenter=True), to 1e-9 of the
 * largest power. At some frequencies all values have nearly the same phase or the opposite one; for
 * evenly spaced values these are the multiples of half their rate. There the squares of sine or
 * cosine sum to nearly zero, and the power is accurate to 1e-7. A sum below n / 10^6 counts as
 * zero; the term that it divides is left out.
 * Takes the time of an FFT of at most 4 @n_hz values and of about 60 steps for each of @n; memory
 * is at most 130 bytes per frequency. Returns NULL if it was cancelled.
 */
GilkSpectrum *gilk_spectrum_lomb (const double *times, const double *values, gsize n, double first, double step,
                                  guint n_hz, GCancellable *cancellable);
/**
 * gilk_autocorrelation:
 * @values: evenly spaced, finite
 * Returns @lags + 1 correlations; the first one is 1. If all values are equal, the correlations are
 * NaN. The estimate is biased, as is usual: each lag's sum is divided by the sum of lag 0.
 * (transfer full)
 */
double *gilk_autocorrelation (const double *values, gsize n, gsize lags);
/**
 * gilk_cross_correlation:
 * Returns the sums of a[i] b[i + lag] for all lags from 1 - @n_a to @n_b - 1, of series that are 0
 * elsewhere, like numpy.correlate(b, a, "full"). Both must have at least one value. (transfer full)
 */
double *gilk_cross_correlation (const double *a, gsize n_a, const double *b, gsize n_b);

G_END_DECLS
