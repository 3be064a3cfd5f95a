/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-spectrum.h - how a series is spread over frequencies, and how like itself it is later
 *
 * Threads: any. Results are (transfer full).
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum {
  GILK_WINDOW_NONE, GILK_WINDOW_HANN, GILK_WINDOW_HAMMING, GILK_WINDOW_BLACKMAN,
} GilkWindow;

typedef struct {
  guint   n;
  double *hz;               /* ascending */
  double *power;
  guint   segments, broken; /* of Welch: averaged, and left out because something is missing in them */
  double  independent;      /* periodograms whose mean would vary as much, of noise; 1 if nothing was averaged */
  double  together;         /* frequencies of noise that are worth one, for a window spreads each over others */
} GilkSpectrum;

void gilk_spectrum_free (GilkSpectrum *spectrum);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkSpectrum, gilk_spectrum_free)

/**
 * gilk_spectrum_welch:
 * @values: evenly spaced, @rate a second; NaN where nothing was measured
 * @segment: values of a segment, at least 8; segments overlap by half
 * Power spectral density, one-sided, in units squared per Hz: the mean of the windowed
 * periodograms of segments, each less its own mean (Welch, 1967). As scipy.signal.welch() with
 * its defaults has it. NULL if no segment is whole.
 *
 * Of noise that has no lines, a power is distributed nearly as the mean of @independent exponential
 * numbers, which is Gamma's distribution of that shape: it has the variance of the mean of segments that have a
 * part of their noise in common where they overlap (Welch, 1967; Percival and Walden, 1993, section 6.17), and
 * of which some may be louder than others, as where hits come in bursts.
 */
GilkSpectrum *gilk_spectrum_welch (const double *values, gsize n, double rate, gsize segment,
                                   GilkWindow window);
/**
 * gilk_spectrum_lomb:
 * @times: seconds, in any order; @values: at them; @n of both, at least one, all finite
 * @first, @step: Hz: frequencies are @first, @first + @step, ...; @n_hz of them, at least one, none 0
 * Lomb's periodogram of values at uneven times, less their mean, as power (Lomb, 1976; Scargle,
 * 1982): a sine of amplitude a has about n a^2 / 4, and noise an exponential number. As
 * scipy.signal.lombscargle(precenter=True), to 1e-9 of the greatest power. Where all values lie at nearly one phase or its opposite, as those of even times do at multiples of
 * half their rate, the squares of sine or cosine sum up to nearly nothing: the power is to 1e-7 there, and what
 * sums up to less than n / 10^6 counts for nothing, with what it divides.
 * Time is that of an FFT, of at most 4 @n_hz, and of some 60 steps for each of @n; memory 130 bytes for each of
 * @n_hz at most. NULL if it was cancelled.
 */
GilkSpectrum *gilk_spectrum_lomb (const double *times, const double *values, gsize n, double first, double step,
                                  guint n_hz, GCancellable *cancellable);
/**
 * gilk_autocorrelation:
 * @values: evenly spaced, finite
 * Returns @lags + 1 correlations, the first of which is 1; NaN if all values are the same. Biased,
 * as is usual: of each lag the sum is divided by that of lag 0. (transfer full)
 */
double *gilk_autocorrelation (const double *values, gsize n, gsize lags);
/**
 * gilk_cross_correlation:
 * Sums of a[i] b[i + lag] for all lags from 1 - @n_a to @n_b - 1, of series that are 0 elsewhere: as
 * numpy.correlate(b, a, "full"). Both have a value at least. (transfer full)
 */
double *gilk_cross_correlation (const double *a, gsize n_a, const double *b, gsize n_b);

G_END_DECLS
