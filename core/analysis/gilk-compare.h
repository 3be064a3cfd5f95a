/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-compare.h - are two samples of one distribution, and if not, how far are they apart?
 *
 * Their values come by in ascending order, each once with how often either sample has it, as of
 * gilk-sweep.h: constant memory, however many there are.
 *
 * Threads: one at a time.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

/* Between two values linearly (Hyndman and Fan's type 7), as everywhere here. @sorted: finite, ascending, not
 * empty; @p: 0 to 1 */
double gilk_quantile       (const double *sorted, gsize n, double p);

typedef struct {
  double d;                 /* the greatest distance of the two distribution functions */
  double p;                 /* of one as great by chance, if all values were independent: exact up to 2000 values a
                             * side, as R's exact = TRUE, else Kolmogorov's limit; where values are equal it is at most that */
} GilkKs;

/* Kolmogorov and Smirnov, of two arrays, ascending, finite and not empty. */
GilkKs gilk_ks             (const double *a, gsize n_a, const double *b, gsize n_b);

typedef struct {
  double value, low, high;  /* the interval of @level; NaN where the values do not support one */
} GilkInterval;

typedef struct {
  GilkKs        ks;
  double        delta;      /* how much oftener a value of B is above one of A than below: Cliff's delta,
                             * -1 to 1 (1993) */
  double       *a, *b;      /* quantiles, as asked for */
  GilkInterval *differences;  /* of B's less A's */
} GilkCompared;

typedef struct _GilkComparison GilkComparison;

/**
 * gilk_comparison_new:
 * @n: how many values A and B have, at least one each
 * @at: which quantiles, 0 to 1; @n_at of them
 * @level: 0.95 as a rule
 * @shares: (nullable): of A, of B: for each of @at, where in the side's distribution @replicates of its quantile are
 *   (gilk_bootstrap_shares()), 0 to 1; NULL for a quantile without an interval
 * Where resampled quantiles are is known before any value is, so the ranks beside them are asked for like any other.
 */
GilkComparison *gilk_comparison_new  (const uint64_t *n, const double *at, guint n_at, double level,
                                      guint replicates, double *const *shares[2]);
void            gilk_comparison_free (GilkComparison *comparison);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkComparison, gilk_comparison_free)
/* @n: of A, of B */
void            gilk_comparison_step (GilkComparison *comparison, double value, const uint64_t *n);
/* All have come by. Good until @comparison is freed. */
GilkCompared    gilk_comparison_end  (GilkComparison *comparison);

/* Where values do not come by, because who has them compares them: the ranks of A (0) or B (1) whose values
 * are needed, ascending. (transfer full) (element-type uint64_t) */
GArray         *gilk_comparison_ranks (GilkComparison *comparison, guint side);
/* @values: at these, of A and of B; @d: the distance of the distribution functions; @above_less_below: pairs in
 * which B's value is above A's, less those in which it is below. Instead of steps and their end. */
GilkCompared    gilk_comparison_give  (GilkComparison *comparison, const double *const values[2], double d,
                                       long double above_less_below);

G_END_DECLS
