/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-arrivals.c - computes the times between events, and events per bin
 */
#include "core/stats/gilk-arrivals.h"

#include <math.h>
#include <stdlib.h>

static int
compare_doubles (const void *one, const void *other)
{
  double x = *(const double *) one, y = *(const double *) other;

  return (x > y) - (x < y);
}

static double
ns_to_seconds (gint64 ns)
{
  return (double) ns / 1e9;
}

void
gilk_arrivals_free (GilkArrivals *arrivals)
{
  if (arrivals == NULL)
    return;
  g_free (arrivals->intervals);
  g_free (arrivals);
}

GilkArrivals *
gilk_arrivals_new (const gint64 *times,
                   gsize         n,
                   gint64        from_ns,
                   gint64        to_ns,
                   const GArray *gaps)
{
  GilkArrivals *arrivals = g_new0 (GilkArrivals, 1);
  gint64 last = 0;

  arrivals->intervals = g_new (double, n + 1);
  for (gsize i = 0; i < n; i++)
    {
      if (times[i] < from_ns || times[i] > to_ns)
        continue;
      if (arrivals->n++ > 0)
        {
          if (gilk_gaps_touch (gaps, ns_to_seconds (last), ns_to_seconds (times[i])))
            arrivals->cut++;
          else
            {
              arrivals->zero += times[i] == last;
              arrivals->intervals[arrivals->n_intervals++] = ns_to_seconds (times[i] - last);
            }
        }
      last = times[i];
    }
  qsort (arrivals->intervals, arrivals->n_intervals, sizeof (double), compare_doubles);

  return arrivals;
}

double *
gilk_arrivals_rates (const gint64 *times,
                     gsize         n,
                     gint64        from_ns,
                     gint64        to_ns,
                     gint64        bin_ns,
                     const GArray *gaps,
                     gsize        *n_bins)
{
  gsize bins = to_ns > from_ns ? (gsize) ((to_ns - from_ns) / bin_ns) : 0;
  double *rates = g_new0 (double, bins + 1), one = 1e9 / (double) bin_ns;

  for (gsize i = 0; i < n; i++)
    if (times[i] >= from_ns && (gsize) ((times[i] - from_ns) / bin_ns) < bins)
      rates[(times[i] - from_ns) / bin_ns] += one;
  for (gsize k = 0; k < bins && gaps != NULL && gaps->len > 0; k++)
    if (gilk_gaps_touch (gaps, ns_to_seconds (from_ns + (gint64) k * bin_ns),
                         ns_to_seconds (from_ns + (gint64) (k + 1) * bin_ns)))
      rates[k] = NAN;
  *n_bins = bins;

  return rates;
}
