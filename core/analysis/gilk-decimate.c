/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-decimate.c - a series reduced to one minimum and maximum per column
 *
 * One pass over the points that fall into the range; where they begin is found
 * by bisection, so that zooming into a long run costs only what is seen.
 */
#include "core/analysis/gilk-decimate.h"

#include <math.h>
#include <string.h>

/* Index of the first time that is not before @when. */
static gsize
first_from (const double *times, gsize count, double when)
{
  gsize low = 0, high = count;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (times[middle] < when)
        low = middle + 1;
      else
        high = middle;
    }

  return low;
}

/* Slice of @when in [from, to]; @to itself belongs to the last one. */
static guint
slice_of (double when, double from, double scale, guint n_slices)
{
  double slice = (when - from) * scale;

  return slice >= n_slices ? n_slices - 1 : (guint) MAX (slice, 0.0);
}

void
gilk_decimate (const double *times,
               const double *values,
               gsize         count,
               double        from,
               double        to,
               GilkColumn   *columns,
               guint         n_columns)
{
  double scale = n_columns / (to - from);

  memset (columns, 0, n_columns * sizeof *columns);
  if (n_columns == 0 || !(to > from))
    return;

  for (gsize i = first_from (times, count, from); i < count && times[i] <= to; i++)
    {
      GilkColumn *column = &columns[slice_of (times[i], from, scale, n_columns)];
      double value = values[i];

      if (!isfinite (value))
        continue;
      if (column->n++ == 0)
        column->min = column->max = value;
      column->min = MIN (column->min, value);
      column->max = MAX (column->max, value);
      column->last = value;
    }
}

void
gilk_rate (const double *times,
           gsize         count,
           double        from,
           double        to,
           const GArray *gaps,
           double       *rates,
           guint         n_bins)
{
  double scale = n_bins / (to - from);

  memset (rates, 0, n_bins * sizeof *rates);
  if (n_bins == 0 || !(to > from))
    return;

  for (gsize i = first_from (times, count, from); i < count && times[i] < to; i++)
    rates[slice_of (times[i], from, scale, n_bins)] += 1.0;
  gilk_rate_of_counts (rates, n_bins, from, to, gaps);
}

void
gilk_rate_of_counts (double       *rates,
                     guint         n_bins,
                     double        from,
                     double        to,
                     const GArray *gaps)
{
  double step = (to - from) / n_bins;

  for (guint i = 0; i < n_bins; i++)
    {
      double start = from + i * step, end = start + step;
      double seconds = gilk_gaps_measured (gaps, start, end);

      rates[i] = seconds < 0.5 * step ? NAN
                                      : (rates[i] + gilk_gaps_lost (gaps, start, end)) / seconds;
    }
}
