/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-arrivals.c - times between events, events a bin, lines of a spectrum
 */
#include "core/analysis/gilk-arrivals.h"

#include <math.h>
#include <stdlib.h>

#define AROUND    40        /* lines to either side of one that its surroundings are judged by */
#define STANDS_OUT 6.0      /* times their median: of some averages, noise does not get there */

static int
compare_doubles (const void *one, const void *other)
{
  double x = *(const double *) one, y = *(const double *) other;

  return (x > y) - (x < y);
}

static double
seconds (gint64 ns)
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
          if (gilk_gaps_touch (gaps, seconds (last), seconds (times[i])))
            arrivals->cut++;
          else
            {
              arrivals->zero += times[i] == last;
              arrivals->intervals[arrivals->n_intervals++] = seconds (times[i] - last);
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
    if (gilk_gaps_touch (gaps, seconds (from_ns + (gint64) k * bin_ns),
                         seconds (from_ns + (gint64) (k + 1) * bin_ns)))
      rates[k] = NAN;
  *n_bins = bins;

  return rates;
}

/* ---- lines ---- */

static double
median_around (const GilkSpectrum *spectrum, guint k)
{
  guint from = k > AROUND + 1 ? k - AROUND : 1, to = MIN (k + AROUND + 1, spectrum->n), n = 0;
  double around[2 * AROUND + 1];

  for (guint i = from; i < to; i++)
    if (i != k)
      around[n++] = spectrum->power[i];
  qsort (around, n, sizeof *around, compare_doubles);

  return n > 0 ? around[n / 2] : 0.0;
}

static int
by_times (gconstpointer one, gconstpointer other)
{
  return compare_doubles (&((const GilkSpectrumPeak *) other)->times, &((const GilkSpectrumPeak *) one)->times);
}

static int
by_hz (gconstpointer one, gconstpointer other)
{
  return compare_doubles (&((const GilkSpectrumPeak *) one)->hz, &((const GilkSpectrumPeak *) other)->hz);
}

GArray *
gilk_spectrum_peaks (const GilkSpectrum *spectrum,
                     guint               most)
{
  GArray *peaks = g_array_new (FALSE, FALSE, sizeof (GilkSpectrumPeak));

  for (guint k = 2; k + 1 < spectrum->n; k++)
    {
      double median = median_around (spectrum, k);
      const GilkSpectrumPeak peak = {
        .hz = spectrum->hz[k], .power = spectrum->power[k],
        .times = median > 0.0 ? spectrum->power[k] / median : 0.0,
      };

      if (peak.times >= STANDS_OUT && peak.power > spectrum->power[k - 1] &&
          peak.power >= spectrum->power[k + 1])
        g_array_append_val (peaks, peak);
    }
  g_array_sort (peaks, by_times);
  g_array_set_size (peaks, MIN (peaks->len, most));
  g_array_sort (peaks, by_hz);

  return peaks;
}
