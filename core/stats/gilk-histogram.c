/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-histogram.c - bins and order statistics; pure numerics
 */
#include "core/stats/gilk-histogram.h"

static const double quantiles[] = { 0.5, 0.9, 0.99, 0.999 };

GilkTally *
gilk_histogram_tally (uint64_t      about,
                      guint         bins,
                      gboolean      log,
                      const double *hint,
                      gsize         n_hint)
{
  return gilk_tally_new (about, bins, log, quantiles, G_N_ELEMENTS (quantiles), hint, n_hint);
}

GilkHistogram *
gilk_histogram_of_tally (const GilkTally *tally,
                         gboolean         log)
{
  const GilkTallied tallied = gilk_tally_result (tally);
  GilkHistogram *h = g_new0 (GilkHistogram, 1);

  h->log = log;
  h->n = tallied.spread.n;
  h->ignored = tallied.ignored;
  if (h->n == 0)
    return h;
  h->min = tallied.spread.min;
  h->max = tallied.spread.max;
  h->mean = tallied.mean;
  h->stddev = tallied.spread.stddev;
  h->median = tallied.quantiles[0];
  h->p90 = tallied.quantiles[1];
  h->p99 = tallied.quantiles[2];
  h->p999 = tallied.quantiles[3];
  h->n_bins = tallied.bins.n;
  h->edges = g_memdup2 (tallied.edges, (h->n_bins + 1) * sizeof *h->edges);
  h->counts = g_memdup2 (tallied.counts, h->n_bins * sizeof *h->counts);

  return h;
}

GilkHistogram *
gilk_histogram_new (const double *values,
                    gsize         count,
                    guint         bins,
                    gboolean      log)
{
  g_autoptr(GilkTally) tally = gilk_histogram_tally (count, bins, log, values, count);

  do
    gilk_tally_add (tally, values, count);
  while (gilk_tally_again (tally));

  return gilk_histogram_of_tally (tally, log);
}

void
gilk_histogram_free (GilkHistogram *histogram)
{
  if (histogram == NULL)
    return;

  g_free (histogram->edges);
  g_free (histogram->counts);
  g_free (histogram);
}
