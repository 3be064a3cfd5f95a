/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-compare.h - compares two hooks, or one hook in two runs or sets of runs; exact for
 * any number of samples
 *
 * With one run per side, confidence intervals describe only these two runs, and allow for the
 * autocorrelation of the samples; no p-value is given. With more runs, each run is an observation.
 *
 * Threads: only the stores' thread.
 */
#pragma once

#include "core/analysis/gilk-hook-numbers.h"
#include "core/stats/gilk-compare.h"

G_BEGIN_DECLS

typedef struct {
  const GilkHookSide *list;
  guint               n;      /* number of runs of this side, at least one */
} GilkHookRuns;

typedef struct {
  guint           runs[2];
  uint64_t        n[2], cut[2], lost[2];
  double          mean[2];    /* mean of all values; with more than two runs in total, mean of the
                               * runs' means */
  double          loss;       /* maximum error that lost samples can cause in Cliff's delta,
                               * found.delta */
  GilkCompared    found;      /* with more than two runs in total, quantiles are means over the
                               * runs, and ks is NaN */
  GilkInterval    delta;      /* with one run per side: found.delta and its confidence interval; NaN
                               * if there are too few independent values for an interval */
  double          n_effective[2];   /* with one run per side: effective sample sizes of A and of B,
                                     * each the minimum over all quantiles and Cliff's delta; else
                                     * NaN */
  double          p, p_min; /* with more than two runs in total: p-value of a permutation test over
                             * all assignments of runs to sides, and the smallest p-value that so
                             * few runs can give; else NaN */
  gpointer        owner;      /* owner of the arrays in @found */
  GDestroyNotify  free_owner;
} GilkHookCompared;

void     gilk_hook_compared_clear (GilkHookCompared *compared);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkHookCompared, gilk_hook_compared_clear)

/**
 * gilk_hook_compare:
 * @sides: A and B, with comparable fields
 * @at: positions of the @n_at quantiles, which get 95 % intervals
 * Compares the values of A and B. If a side has a run without values, found.a is NULL, and only n,
 * cut and lost are set. On failure @compared is untouched.
 */
gboolean gilk_hook_compare        (const GilkHookRuns sides[2], const double *at, guint n_at,
                                   GilkHookCompared *compared, GError **error);

/* Returns the word of Romano and others (2006) for the size of Cliff's delta: "negligible",
 * "small", ...; untranslated. */
const char *gilk_delta_magnitude       (double delta);

/*
 * Formats the results of a comparison as rows: quantiles and means of both sides, and their
 * differences.
 *
 * Threads: any, one at a time. None of these functions can fail.
 */

typedef struct {
  char        *name;           /* translated name of the row: "p99", "Median", "Mean" */
  double       a, b;
  GilkInterval difference;     /* b − a, and its bounds; the bounds are NaN if they were not
                                * computed, or if the values do not support bounds */
  /* the members above as text, with units: */
  char        *a_text, *b_text, *difference_text;
  char        *low, *high;     /* bounds of the difference; "-" if the values do not support bounds,
                                * "" if no bounds were computed */
  char        *share;          /* (b − a) / a, and the half-width of its interval: "+1.2 % ±0.3";
                                * "" if undefined */
  char        *explanation;    /* explains the interval; NULL if this row has none */
} GilkComparedRow;

/* @at: positions of the quantiles that @found has; @digits: significant digits of values. Returns a
 * row for each quantile, and one for the means. (transfer full) (element-type GilkComparedRow) */
GPtrArray *gilk_compared_rows (const GilkHookCompared *found, const double *at, guint n_at, const char *unit, int digits);

static inline const GilkComparedRow *
gilk_compared_row (const GPtrArray *rows, guint i)
{
  return g_ptr_array_index (rows, i);
}

/* Formats a change such as "+1.2 % ±0.3". @half: half-width of its interval; NaN: exact.
 * (transfer full) */
char      *gilk_format_change (double of, double difference, double half);

G_END_DECLS
