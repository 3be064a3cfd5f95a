/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-quantiles.h - a hook's distribution in some numbers, exact of however many samples, with what lost
 * ones may do to each
 *
 * Threads: that of the store.
 */
#pragma once

#include "core/analysis/gilk-hook-sweep.h"

G_BEGIN_DECLS

/* Of all samples, lost ones too, it lies from low to high. */
typedef struct {
  double at;                /* of a quantile: which, 0 to 1; of a share: up to which value */
  double value;             /* the quantile; or the share */
  double low, high;         /* NaN: it has no bound */
} GilkHookQuantile;

typedef struct {
  uint64_t n, cut;          /* values; intervals left out */
  double   mean;
  GArray  *list;            /* GilkHookQuantile, ascending; empty if there is no value */
} GilkHookQuantiles;

void     gilk_hook_quantiles_clear (GilkHookQuantiles *quantiles);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkHookQuantiles, gilk_hook_quantiles_clear)

/* @at: 0 to 1, ascending; linear between two values. On failure @quantiles is untouched, as below. */
gboolean gilk_hook_quantiles       (const GilkHookSide *side, const double *at, guint n_at,
                                    GilkHookQuantiles *quantiles, GError **error);
/* Which share of values is at most so great: at 1, 2 and 5 times powers of ten where they are of several sizes,
 * else at ten steps of one width; and at the greatest. */
gboolean gilk_hook_shares          (const GilkHookSide *side, GilkHookQuantiles *shares, GError **error);

G_END_DECLS
