/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bootstrap.h - computes the standard error of the mean of an autocorrelated series; pure
 * numerics
 *
 * Values of one run are correlated: a slow call is seldom alone. The mean of n such values is only
 * as accurate as the mean of far fewer independent values. A moving-block bootstrap (Kuensch,
 * 1989), in which blocks wrap around the end, resamples blocks of the series instead of values. The
 * block length is chosen from the autocorrelation (Politis and White, 2004). Short blocks
 * underestimate the spread, so the spread is scaled to the long-run variance, estimated with a
 * flat-top window (Politis and Romano, 1995). Memory is constant: only sums of neighbouring values
 * are stored for a long series.
 *
 * Threads: one at a time.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct _GilkBootstrap GilkBootstrap;

/* Makes an accumulator for @tracks series; each step adds one value to every series. A series may
 * be an indicator, for instance of whether a value is at most a given bound */
GilkBootstrap *gilk_bootstrap_new  (guint tracks);
void           gilk_bootstrap_free (GilkBootstrap *bootstrap);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkBootstrap, gilk_bootstrap_free)
/* Adds one step, in order of time. @values: one per track, finite. */
void           gilk_bootstrap_add  (GilkBootstrap *bootstrap, const double *values);

typedef struct {
  uint64_t n;
  double   mean;
  double   deviation;       /* standard error of the mean */
  double   df;              /* degrees of freedom of @deviation */
  double   n_effective;     /* effective sample size: number of independent values whose mean would
                             * have the same standard error; at most n */
} GilkMeanSpread;

/* Computes the standard error of a track's mean. Must be called after the last
 * gilk_bootstrap_add(), with at least one step added. */
GilkMeanSpread     gilk_bootstrap_spread (GilkBootstrap *bootstrap, guint track);

/**
 * gilk_bootstrap_shares:
 * @track: index of a track that has 1 for each value up to the sample's @p quantile, 0 for other
 *   values
 * @shares: (out): for each of @replicates resamples, the position (0 to 1) of the resample's
 *   quantile in the sample's distribution
 * Returns FALSE and leaves @shares untouched if there are too few independent values on either side
 * of the quantile.
 */
gboolean       gilk_bootstrap_shares (GilkBootstrap *bootstrap, guint track, double p, GRand *rand, double *shares,
                                      guint replicates);

G_END_DECLS
