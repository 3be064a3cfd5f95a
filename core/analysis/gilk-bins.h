/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bins.h - where the bins of a histogram lie; pure numerics
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

#define GILK_BINS_AUTO_MAX 200
#define GILK_BINS_MAX      100000

/* What is known of the numbers; with a logarithmic axis all are above 0. */
typedef struct {
  uint64_t n;               /* at least one */
  double   min, max, stddev, q25, q75;
  gboolean whole;           /* all are integers that a double holds */
} GilkSpread;

typedef struct {
  gboolean log;             /* equal in log10(x) */
  guint    n;
  double   low, high;       /* of the axis; logarithms if it is one of those */
} GilkBins;

/* @wanted 0: by Freedman and Diaconis (1981), GILK_BINS_AUTO_MAX at most. */
GilkBins gilk_bins_place (const GilkSpread *spread, guint wanted, gboolean log);
/* n + 1 numbers, ascending; the first and the last are the least and the greatest number if they
 * are the axis's. (transfer full) */
double  *gilk_bins_edges (const GilkBins *bins, const GilkSpread *spread);

/* The bin of [@first, @last] that @value is in: from its edge on and before the next. What is
 * beside them is in the nearest. */
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
