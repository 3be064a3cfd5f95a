/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-distribution.h - the distribution of a hook's numbers, for any number of samples:
 * histograms, quantiles, shares
 *
 * Takes about 20 MiB of memory and two or three passes over the numbers, or zero passes where
 * sketches suffice.
 *
 * Threads: only the store's thread.
 */
#pragma once

#include "core/analysis/gilk-hook-numbers.h"
#include "core/analysis/gilk-hook-stream.h"
#include "core/stats/gilk-histogram.h"

G_BEGIN_DECLS

typedef struct {
  GilkHookAsk of;           /* selects the hook's numbers; its in_order is ignored */
  double      scale;        /* factor by which the hooks' numbers are multiplied */
  double      low, high;    /* bounds of scaled numbers; numbers outside them are left out; NaN: no
                             * bound */
  guint       bins;         /* number of bins, as in gilk_histogram_new() */
  gboolean    log;
} GilkHistogramAsk;

/**
 * gilk_hook_histogram:
 * @ask: only used during the call
 * @cut: (out) (nullable): number of times between samples left out because samples may be missing
 * Makes a histogram of the hook's numbers.
 */
GilkHistogram *gilk_hook_histogram (GilkStore *store, const GilkStoredHook *hook,
                                    const GilkHistogramAsk *ask, uint64_t *cut, GError **error);

/* Makes a histogram with a linear x axis and one with a logarithmic x axis, so that the user can
 * switch between them. Ignores @ask->log. Costs little more than a single histogram. */
gboolean       gilk_hook_histograms (GilkStore *store, const GilkStoredHook *hook, const GilkHistogramAsk *ask,
                                     GilkHistogram **linear, GilkHistogram **log, uint64_t *cut, GError **error);

/* States how a preliminary histogram was made. */
typedef struct {
  gboolean exact;             /* the histogram is the same as that of gilk_hook_histogram() */
  uint64_t read;              /* number of values that were read, and whose counts were scaled up;
                               * 0: sketches (stored summaries) of all numbers were used */
} GilkHistogramPreview;

/**
 * gilk_hook_histogram_preview:
 * Makes a preliminary histogram of many numbers in about 10 ms, to show until all numbers are read.
 * Uses the field's sketches (stored summaries) and the bins of the final histogram. Without
 * sketches, reads some of the numbers. Returns NULL without an error if none can be made, or if
 * reading all numbers is as fast.
 */
GilkHistogram *gilk_hook_histogram_preview (GilkStore *store, const GilkStoredHook *hook, const GilkHistogramAsk *ask,
                                            GilkHistogramPreview *preview, GError **error);

/*
 * Computes quantiles and shares of a hook's distribution, exact for any number of samples, with
 * bounds for lost samples.
 */

/* A quantile or a share, with bounds: the true value, over stored and lost samples, lies between
 * low and high. */
typedef struct {
  double at;                /* position of a quantile, 0 to 1; or the value up to which a share is
                             * counted */
  double value;             /* the quantile, or the share */
  double low, high;         /* bounds of @value; NaN: unbounded */
} GilkHookQuantile;

typedef struct {
  uint64_t n, cut;          /* number of values, and of times between samples left out */
  double   mean;
  GArray  *list;            /* (element-type GilkHookQuantile): ascending; empty without values */
} GilkHookQuantiles;

void     gilk_hook_quantiles_clear (GilkHookQuantiles *quantiles);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkHookQuantiles, gilk_hook_quantiles_clear)

/* Computes the quantiles at the positions @at (0 to 1, ascending). Interpolates linearly between
 * two values. On failure @quantiles is untouched. */
gboolean gilk_hook_quantiles       (const GilkHookSide *side, const double *at, guint n_at,
                                    GilkHookQuantiles *quantiles, GError **error);
/* Computes cumulative shares: at 1, 2 and 5 times powers of ten if the values span orders of
 * magnitude, else at ten equidistant steps; and at the maximum. On failure @shares is untouched. */
gboolean gilk_hook_shares          (const GilkHookSide *side, GilkHookQuantiles *shares, GError **error);

G_END_DECLS
