/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-gamma.h - Gamma's distribution, of scale 1: what a mean of periodograms of noise is spread by
 *
 * Threads: any. To 1e-9 of their size for shapes from 0.5 to 10^5 (tests/analysis/ has SciPy's); both
 * tails are exact where they are next to nothing.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The chance of at most @x, and of more. @shape > 0, @x >= 0. */
double gilk_gamma_below          (double shape, double x);
double gilk_gamma_above          (double shape, double x);
/* What has the chance @p, above 0 and below 1, of that. */
double gilk_gamma_quantile       (double shape, double p);
double gilk_gamma_quantile_above (double shape, double p);

G_END_DECLS
