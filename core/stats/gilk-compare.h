/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-compare.h - compares two samples, or two sets of runs: tests whether they have the same
 * distribution, and measures their distance
 *
 * Values are passed as gilk-sweep.h yields them: in ascending order, each distinct value once,
 * with its count in either sample. Memory is constant, however many values there are.
 *
 * Threads: one at a time.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

/* Returns a quantile, interpolated linearly between two values (type 7 of Hyndman and Fan), as
 * everywhere in Gilk. @sorted: finite, ascending, not empty; @p: 0 to 1 */
double gilk_quantile       (const double *sorted, gsize n, double p);

typedef struct {
  double d;                 /* Kolmogorov-Smirnov distance: the maximum distance between the two
                             * distribution functions */
  double p;                 /* p-value if all values are independent: probability of a distance of
                             * at least @d. Exact up to 2000 values per side, as with R's exact =
                             * TRUE, else Kolmogorov's limit. If some values are equal, @p is an
                             * upper bound */
} GilkKs;

/* Runs the Kolmogorov-Smirnov test on two arrays: ascending, finite and not empty. */
GilkKs gilk_ks             (const double *a, gsize n_a, const double *b, gsize n_b);

typedef struct {
  double value, low, high;  /* @low, @high: bounds of the confidence interval; NaN if there are too
                             * few values */
} GilkInterval;

typedef struct {
  GilkKs        ks;
  double        delta;      /* Cliff's delta (1993): P(B > A) - P(B < A), -1 to 1 */
  double       *a, *b;      /* quantiles of A and of B, at the positions @at */
  GilkInterval *differences;  /* quantiles of B minus quantiles of A */
} GilkCompared;

typedef struct _GilkComparison GilkComparison;

/**
 * gilk_comparison_new:
 * @n: number of values of A and B, at least one each
 * @at: positions of the @n_at quantiles, 0 to 1
 * @level: confidence level of the intervals, such as 0.95
 * @shares: (nullable): [side][quantile]: positions, 0 to 1, of @replicates resampled quantiles in
 *   the side's distribution (gilk_bootstrap_shares()); NULL: no interval for this quantile
 * The ranks of resampled quantiles are known before the first value is passed.
 */
GilkComparison *gilk_comparison_new  (const uint64_t *n, const double *at, guint n_at, double level,
                                      guint replicates, double *const *shares[2]);
void            gilk_comparison_free (GilkComparison *comparison);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkComparison, gilk_comparison_free)
/* Passes the next value. @n: number of times that it occurs in A and in B */
void         gilk_comparison_step (GilkComparison *comparison, double value, const uint64_t *n);
/* Returns the result. Must be called after all values were passed. The result is valid until
 * @comparison is freed. */
GilkCompared gilk_comparison_end  (GilkComparison *comparison);

/* Returns the ranks, ascending, whose values are needed from A (0) or B (1), for callers that do
 * not pass the values because a database makes the comparison. (transfer full) (element-type
 * uint64_t) */
GArray      *gilk_comparison_ranks      (GilkComparison *comparison, guint side);
/* Sets the values directly, in place of gilk_comparison_step() and gilk_comparison_end(). @values:
 * values of A and of B at the ranks of gilk_comparison_ranks(); @d: distance of the distribution
 * functions; @above_less_below: number of pairs with B above A, minus those with B below A. */
GilkCompared gilk_comparison_set_values (GilkComparison *comparison, const double *const values[2], double d,
                                         long double above_less_below);

/*
 * Compares two sets of runs, each run an observation; pure numerics.
 *
 * A single run, however many samples it has, shows nothing of the variation between runs (memory
 * layout, choice of CPU, other load). So each run counts once: intervals come from the spread
 * between runs, and p from a permutation test over all assignments of the runs to the two sides.
 *
 * Threads: any.
 */

#define GILK_RUN_GRID 1000

/* Summary of one run. @quantiles: the requested quantiles of its values; @grid: quantiles at evenly
 * spaced positions, (i + 0.5) / GILK_RUN_GRID, ascending. */
typedef struct {
  double  mean;
  double *quantiles, *grid;
} GilkRunDigest;

/* Returns the difference of the means of two sets of numbers, one number per run, with its
 * confidence interval. The interval is Welch's, or Student's if one side has a single number; it is
 * NaN if both sides have a single number. */
GilkInterval gilk_runs_interval (const double *a, guint n_a, const double *b, guint n_b, double level);

typedef struct {
  double delta;             /* mean of Cliff's delta over all pairs of runs */
  double p;                   /* p-value: share of assignments of the runs to two sides whose
                               * |delta| is at least the |delta| of the actual assignment */
  double p_min;             /* smallest p that is possible with this number of runs */
  gboolean exact;           /* all assignments were evaluated; FALSE: a random sample of them */
} GilkRunsDelta;

/* Returns Cliff's delta between two sets of runs, with its p-value. @runs: the runs of A, then the
 * runs of B */
GilkRunsDelta gilk_runs_delta  (const GilkRunDigest *runs, guint n_a, guint n_b);

G_END_DECLS
