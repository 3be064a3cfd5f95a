/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bins.h - places histogram bins; pure numerics
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

#define GILK_BINS_AUTO_MAX 200
#define GILK_BINS_MAX      100000

/* Summary of the numbers to bin; for a logarithmic axis all numbers are above 0. */
typedef struct {
  uint64_t n;               /* count of the numbers, at least one */
  double   min, max, stddev, q25, q75;
  gboolean whole;           /* all numbers are integers that a double represents exactly */
} GilkSpread;

typedef struct {
  gboolean log;             /* the bins have equal widths in log10(x), not in x */
  guint    n;
  double   low, high;       /* ends of the axis; if @log, their log10 */
} GilkBins;

/* Places @wanted bins. If @wanted is 0, places as many as the rule of Freedman and Diaconis (1981)
 * gives, at most GILK_BINS_AUTO_MAX. */
GilkBins gilk_bins_place (const GilkSpread *spread, guint wanted, gboolean log);
/* Returns n + 1 edges, ascending. If the axis starts at the smallest number, the first edge equals
 * that number. If it ends at the largest number, the last edge equals that number. (transfer
 * full) */
double  *gilk_bins_edges (const GilkBins *bins, const GilkSpread *spread);

/* Returns the bin from @first to @last that contains @value or, if none does, the nearest of these
 * bins. Bins include their lower edge. */
static inline guint
gilk_bins_find (const double *edges, guint first, guint last, double value)
{
  while (first < last)
    {
      guint middle = first + (last - first + 1) / 2;

      if (value < edges[middle])
        last = middle - 1;
      else
        first = middle;
    }

  return first;
}

G_END_DECLS
