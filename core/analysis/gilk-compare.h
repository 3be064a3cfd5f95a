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
  double p;                 /* of one as great by chance: Kolmogorov's limit, as R's exact = FALSE */
} GilkKs;

/* Kolmogorov and Smirnov, of two arrays, ascending, finite and not empty. */
GilkKs gilk_ks             (const double *a, gsize n_a, const double *b, gsize n_b);

typedef struct {
  double value, low, high;  /* the interval that holds @level of the replicates */
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
 * @seed: the same gives the same
 * Intervals are bootstrap ones by percentiles (Efron and Tibshirani, 1993). Which values a resample of n
 * has is decided by n uniform numbers, so the ranks beside its quantile are drawn, from their own distribution,
 * before any value is known: that costs the same for each n, and is exact.
 */
GilkComparison *gilk_comparison_new  (const uint64_t *n, const double *at, guint n_at, double level,
                                      guint replicates, guint32 seed);
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
