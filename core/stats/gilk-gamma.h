/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-gamma.h - gamma distribution of scale 1: the distribution of averaged periodograms of noise
 *
 * Threads: any. Relative error 1e-9 for shapes from 0.5 to 10^5 (tests/analysis/ compares with
 * SciPy); both tails keep that precision near zero.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Return P(X <= @x) and P(X > @x). @shape > 0, @x >= 0. */
double gilk_gamma_below          (double shape, double x);
double gilk_gamma_above          (double shape, double x);
/* Return the x with P(X <= x) = @p and P(X > x) = @p; 0 < @p < 1. */
double gilk_gamma_quantile       (double shape, double p);
double gilk_gamma_quantile_above (double shape, double p);

G_END_DECLS
