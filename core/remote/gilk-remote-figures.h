/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-figures.h - figures of samples in a store, computed there
 *
 * The server filters, sorts and counts; what comes over is a few numbers. Of the same samples they
 * are the same as those that core/analysis makes of a session: quantiles are values at ranks of all
 * of them, bins have the same edges. Means and deviations may differ in the last digits, for the order
 * in which numbers are added is the server's.
 *
 * Threads: that of the GilkRemote.
 */
#pragma once

#include "core/analysis/gilk-histogram.h"
#include "core/analysis/gilk-hook-compare.h"
#include "core/analysis/gilk-hook-quantiles.h"
#include "core/remote/gilk-remote-source.h"

G_BEGIN_DECLS

typedef struct {
  uint64_t n;               /* finite numbers; all below are NaN if there is none */
  double   min, max, mean, stddev;
  gboolean whole;           /* as GilkSpread has it */
  uint64_t ignored;         /* samples, or intervals, without one */
  uint64_t cut;             /* intervals left out, because something may be missing in them */
} GilkRemoteSummary;

gboolean gilk_remote_summary   (GilkRemote *remote, const GilkRemoteSource *source, GilkRemoteSummary *summary,
                                GError **error);

/* As gilk_hook_quantiles() has it. */
gboolean gilk_remote_quantiles (GilkRemote *remote, const GilkRemoteSource *source, const double *at, guint n_at,
                                GilkHookQuantiles *quantiles, GError **error);

/* @bins, @log: as of gilk_histogram_new(). NULL on failure. */
GilkHistogram *gilk_remote_histogram (GilkRemote *remote, const GilkRemoteSource *source, guint bins, gboolean log,
                                      uint64_t *cut, GError **error);

/* As gilk_hook_compare() has it. */
gboolean gilk_remote_compare   (GilkRemote *remote, const GilkRemoteSource *a, const GilkRemoteSource *b,
                                const double *at, guint n_at, GilkHookCompared *compared, GError **error);

/* The values at @ranks, 0 being the least; @ranks: @n, ascending, each once, below how many there are. */
gboolean gilk_remote_ranks     (GilkRemote *remote, const GilkRemoteSource *source, const uint64_t *ranks, guint n,
                                double *values, GError **error);

G_END_DECLS
