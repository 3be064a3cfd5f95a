/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hurst.h - how long a series remembers: Hurst's exponent, by two ways
 *
 * 0.5: not at all; above: bursts of all lengths (Leland, Taqqu, Willinger and Wilson, 1994).
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  double  h;                /* 1 + slope / 2, or the slope; NaN if there are too few values, or they stand still */
  guint   n;                /* points that the line was fitted to */
  double *log_size, *log_value;   /* base 10 */
} GilkHurst;

void gilk_hurst_clear (GilkHurst *hurst);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkHurst, gilk_hurst_clear)

/* Both look at blocks of 10, 20, 40 ... values, of which there are at least 10. */

/* The variance of means of blocks falls as their size to the 2H - 2. */
void gilk_hurst_variance (const double *values, gsize n, GilkHurst *hurst);
/* The range of the sums in a block, over its standard deviation, grows as its size to the H
 * (Mandelbrot and Wallis, 1969). */
void gilk_hurst_rescaled (const double *values, gsize n, GilkHurst *hurst);

G_END_DECLS
