/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hurst.h - long-range dependence of a series: two estimates of the Hurst exponent
 *
 * An exponent of 0.5 means no long-range dependence; a larger one means bursts on all time scales
 * (Leland, Taqqu, Willinger and Wilson, 1994).
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  double  h;                /* Hurst exponent: 1 + slope / 2 if estimated from variances, the slope
                             * if from ranges; NaN if there are too few values, or if they hardly
                             * change */
  guint   n;                /* number of points to which the line is fitted */
  double *log_size, *log_value;   /* base 10 */
} GilkHurst;

void gilk_hurst_clear (GilkHurst *hurst);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkHurst, gilk_hurst_clear)

/* Both estimates use blocks of 10, 20, 40 ... values, with at least 10 blocks of each size. */

/* Estimates H from the variance of block means. The variance is proportional to the block size to
 * the power 2H - 2. */
void gilk_hurst_variance (const double *values, gsize n, GilkHurst *hurst);
/* Estimates H from the range of a block's cumulative sums, divided by the block's standard
 * deviation. This quotient is proportional to the block size to the power H (Mandelbrot and Wallis,
 * 1969). */
void gilk_hurst_rescaled (const double *values, gsize n, GilkHurst *hurst);

G_END_DECLS
