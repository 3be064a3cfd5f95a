/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-quantiles.h - computes quantiles and shares of a hook's distribution, exact for any
 * number of samples, with bounds for lost samples
 *
 * Threads: only the store's thread.
 */
#pragma once

#include "core/analysis/gilk-hook-sweep.h"

G_BEGIN_DECLS

/* The true value, over stored and lost samples, lies between low and high. */
typedef struct {
  double at;                /* position of a quantile, 0 to 1; or the value up to which a share is
                             * counted */
  double value;             /* the quantile, or the share */
  double low, high;         /* NaN: unbounded */
} GilkHookQuantile;

typedef struct {
  uint64_t n, cut;          /* number of values, and of intervals left out */
  double   mean;
  GArray  *list;            /* GilkHookQuantile, ascending; empty without values */
} GilkHookQuantiles;

void     gilk_hook_quantiles_clear (GilkHookQuantiles *quantiles);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkHookQuantiles, gilk_hook_quantiles_clear)

/* @at: 0 to 1, ascending. Interpolates linearly between two values. On failure @quantiles is
 * untouched. */
gboolean gilk_hook_quantiles       (const GilkHookSide *side, const double *at, guint n_at,
                                    GilkHookQuantiles *quantiles, GError **error);
/* Computes cumulative shares: at 1, 2 and 5 times powers of ten if the values span orders of
 * magnitude, else at ten equidistant steps; and at the maximum. On failure @shares is untouched. */
gboolean gilk_hook_shares          (const GilkHookSide *side, GilkHookQuantiles *shares, GError **error);

G_END_DECLS
