/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bins.c - places histogram bins; pure numerics
 */
#include "core/stats/gilk-bins.h"

#include <math.h>

/* Returns the bin width by the rule of Freedman and Diaconis, in log10(x) if @log. If the quartiles
 * are equal, uses Scott's rule on a linear axis, and range / cbrt (n) on a logarithmic one. */
static double
compute_bin_width (const GilkSpread *spread, gboolean log)
{
  double middle = log ? log10 (spread->q75) - log10 (spread->q25) : spread->q75 - spread->q25;
  double root = cbrt ((double) spread->n);

  if (middle > 0.0)
    return 2.0 * middle / root;
  if (!log)
    return 3.49 * spread->stddev / root;

  return (log10 (spread->max) - log10 (spread->min)) / root;
}

static guint
choose_bin_count (double range, double width)
{
  double bins = width > 0.0 ? ceil (range / width) : 1.0;

  if (!(bins >= 1.0))
    return 1;

  return bins > GILK_BINS_AUTO_MAX ? GILK_BINS_AUTO_MAX : (guint) bins;
}

/* Places the ends of the axis on either side of the only value, for numbers that are all equal. */
static void
place_around (GilkBins *bins)
{
  double half = bins->log ? 0.05 : bins->low == rint (bins->low) ? 0.5 : fabs (bins->low) * 0.005;

  /* Doubles above 2^53 are more than 0.5 apart, so adding 0.5 may leave the value unchanged. */
  half = MAX (half, fabs (bins->low) * 1e-12);
  bins->low -= half;
  bins->high += half;
}

GilkBins
gilk_bins_place (const GilkSpread *spread,
                 guint             wanted,
                 gboolean          log)
{
  GilkBins bins = { .log = log, .n = MIN (wanted, GILK_BINS_MAX) };
  double range, width = compute_bin_width (spread, log);

  bins.low = log ? log10 (spread->min) : spread->min;
  bins.high = log ? log10 (spread->max) : spread->max;
  range = bins.high - bins.low;

  if (!(range > 0.0))
    {
      place_around (&bins);
      bins.n = MAX (bins.n, 1);
    }
  else if (bins.n == 0 && !log && spread->whole)
    {
      /* For integers, use bins whose width is an integer, so that each bin covers the same number
       * of integers. */
      width = MAX (1.0, rint (width));
      width = MAX (width, ceil ((range + 1.0) / GILK_BINS_AUTO_MAX));
      bins.n = MAX (1, (guint) ceil ((range + 1.0) / width));
      bins.low -= 0.5;
      bins.high = bins.low + width * bins.n;
    }
  else if (bins.n == 0)
    bins.n = choose_bin_count (range, width);

  return bins;
}

double *
gilk_bins_edges (const GilkBins   *bins,
                 const GilkSpread *spread)
{
  double *edges = g_new (double, bins->n + 1);

  for (guint i = 0; i <= bins->n; i++)
    {
      double t = (double) i / bins->n;
      double edge = bins->low * (1.0 - t) + bins->high * t;

      edges[i] = bins->log ? pow (10.0, edge) : edge;
    }
  if (bins->log && spread->min < spread->max)
    {
      edges[0] = spread->min;
      edges[bins->n] = spread->max;
    }

  return edges;
}
