/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bootstrap.h - how far off the means of a series are whose neighbours are alike; pure numerics
 *
 * Values of one run follow each other: a slow call is seldom alone. A mean of n such values is as good as one of far
 * fewer independent values. A moving-block bootstrap (Kuensch, 1989) resamples stretches of the series instead of
 * values. How long they are is chosen from the autocorrelation (Politis and White, 2004), and their spread is set
 * to the long-run variance by a flat-top window (Politis and Romano, 1995), which short blocks alone
 * underestimate. Constant memory: of a long series, sums of neighbours are kept.
 *
 * Threads: one at a time.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct _GilkBootstrap GilkBootstrap;

/* @tracks: numbers that go by together, one of each a step: e.g. whether a value is at most this or that */
GilkBootstrap *gilk_bootstrap_new  (guint tracks);
void           gilk_bootstrap_free (GilkBootstrap *bootstrap);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkBootstrap, gilk_bootstrap_free)
/* One step, in the order of time. @values: one for each track, finite. */
void           gilk_bootstrap_add  (GilkBootstrap *bootstrap, const double *values);

typedef struct {
  uint64_t n;
  double   mean;
  double   deviation;       /* of the mean */
  double   df;              /* degrees of freedom of @deviation */
  double   independent;     /* as many independent values would make such a deviation; at most n */
} GilkMeanSpread;

/* All have been added; at least one. */
GilkMeanSpread     gilk_bootstrap_spread (GilkBootstrap *bootstrap, guint track);

/**
 * gilk_bootstrap_shares:
 * @track: has 1 where a value is at most the sample's quantile of @p, else 0
 * @shares: (out): @replicates: where in the sample's distribution the quantile of a resample is, 0 to 1
 * FALSE, and @shares are untouched, if there are too few independent values on either side of the quantile.
 */
gboolean       gilk_bootstrap_shares (GilkBootstrap *bootstrap, guint track, double p, GRand *rand, double *shares,
                                      guint replicates);

G_END_DECLS
