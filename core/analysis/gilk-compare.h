/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-compare.h - are two samples of one distribution, and if not, how far are they apart?
 *
 * Threads: any. Arrays are the caller's, sorted in ascending order, finite and not empty.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

/* Between two values linearly (Hyndman and Fan's type 7), as everywhere here. @p: 0 to 1 */
double gilk_quantile       (const double *sorted, gsize n, double p);

typedef struct {
  double d;                 /* the greatest distance of the two distribution functions */
  double p;                 /* of one as great by chance: Kolmogorov's limit, as R's exact = FALSE */
} GilkKs;

/* Kolmogorov and Smirnov. */
GilkKs gilk_ks             (const double *a, gsize n_a, const double *b, gsize n_b);
/* How much oftener a value of @a is above one of @b than below: Cliff's delta, -1 to 1 (1993). */
double gilk_cliffs_delta   (const double *a, gsize n_a, const double *b, gsize n_b);

typedef struct {
  double value, low, high;  /* the interval that holds @level of the replicates */
} GilkInterval;

/**
 * gilk_quantile_difference:
 * @p: which quantile; @level: 0.95 as a rule
 * @seed: the same gives the same
 * The quantile of @b less that of @a, with its bootstrap interval by percentiles (Efron and
 * Tibshirani, 1993). Of a resample only the order statistics beside the quantile are drawn, which
 * have the same distribution as if all were: the cost does not depend on n.
 */
GilkInterval gilk_quantile_difference (const double *a, gsize n_a, const double *b, gsize n_b, double p,
                                       double level, guint replicates, guint32 seed);

G_END_DECLS
