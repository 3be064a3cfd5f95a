/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-figures.h - computes statistics of samples in a store, on the server
 *
 * The server filters, sorts and counts; only a few numbers are transferred. For the same samples,
 * results equal those of core/analysis for a session: quantiles are values at ranks of all
 * samples, bins have the same edges. Means and deviations may differ in the last digits, because
 * the server adds values in another order.
 *
 * Threads: only the GilkRemote's thread.
 */
#pragma once

#include "core/analysis/gilk-hook-compare.h"
#include "core/analysis/gilk-hook-distribution.h"
#include "core/clickhouse/gilk-remote-source.h"
#include "core/stats/gilk-histogram.h"

G_BEGIN_DECLS

typedef struct {
  uint64_t n;               /* number of finite values; if 0, the members below are NaN */
  double   min, max, mean, stddev;
  gboolean whole;           /* all values are integers */
  uint64_t ignored;         /* number of samples or intervals without a finite value */
  uint64_t cut;             /* number of intervals between samples left out because samples may be
                             * missing within them */
} GilkRemoteSummary;

/* Computes quantiles on the server, with the same results as gilk_hook_quantiles(). */
gboolean gilk_remote_quantiles (GilkRemote *remote, const GilkRemoteSource *source, const double *at, guint n_at,
                                GilkHookQuantiles *quantiles, GError **error);

/* Returns a histogram; NULL on failure. @bins, @log: as for gilk_histogram_new() */
GilkHistogram *gilk_remote_histogram (GilkRemote *remote, const GilkRemoteSource *source, guint bins, gboolean log,
                                      uint64_t *cut, GError **error);

/* Compares two hooks on the server, like gilk_hook_compare(). */
gboolean gilk_remote_compare   (GilkRemote *remote, const GilkRemoteSource *a, const GilkRemoteSource *b,
                                const double *at, guint n_at, GilkHookCompared *compared, GError **error);

G_END_DECLS
