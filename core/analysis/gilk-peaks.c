/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-peaks.c - lines of a spectrum
 */
#include "core/analysis/gilk-peaks.h"

#include <math.h>
#include <stdlib.h>

#define AROUND     40        /* frequencies to either side that one is judged by */
#define NEXT       3         /* that it is above of: a window spreads a line over two */
#define STANDS_OUT 6.0       /* times their median */

static int
compare_doubles (const void *one, const void *other)
{
  double x = *(const double *) one, y = *(const double *) other;

  return (x > y) - (x < y);
}

static int
furthest_first (gconstpointer one, gconstpointer other)
{
  return compare_doubles (&((const GilkPeak *) other)->times, &((const GilkPeak *) one)->times);
}

/*
 * The power of noise is an exponential at each frequency, which is above r times its median with a chance
 * of 2^-r. The mean of K of them gets so far out about as seldom for r / K.
 */
static double
least_times (const GilkSpectrum *spectrum)
{
  return fmax (STANDS_OUT, (log2 (MAX (spectrum->n, 2)) + 7.0) / MAX (spectrum->segments, 1));
}

static gboolean
is_highest (const GilkSpectrum *spectrum, guint i)
{
  for (guint k = i > NEXT ? i - NEXT : 0; k < spectrum->n && k <= i + NEXT; k++)
    if (k != i && !(spectrum->power[k] < spectrum->power[i]))
      return FALSE;

  return spectrum->hz[i] > 0.0;
}

static double
median_around (const GilkSpectrum *spectrum, guint i)
{
  double around[2 * AROUND];
  guint n = 0;

  for (guint k = i > AROUND ? i - AROUND : 0; k < spectrum->n && k <= i + AROUND; k++)
    if (k != i && spectrum->hz[k] > 0.0)
      around[n++] = spectrum->power[k];
  qsort (around, n, sizeof *around, compare_doubles);

  return n > 0 ? around[n / 2] : 0.0;
}

GArray *
gilk_spectrum_peaks (const GilkSpectrum *spectrum,
                     guint               most)
{
  GArray *peaks = g_array_new (FALSE, FALSE, sizeof (GilkPeak));
  double least = least_times (spectrum);

  for (guint i = 1; i + 1 < spectrum->n; i++)
    {
      GilkPeak peak = { spectrum->hz[i], spectrum->power[i], 0.0 };
      double median = is_highest (spectrum, i) ? median_around (spectrum, i) : 0.0;

      peak.times = median > 0.0 ? peak.power / median : 0.0;
      if (peak.times >= least)
        g_array_append_val (peaks, peak);
    }
  g_array_sort (peaks, furthest_first);
  g_array_set_size (peaks, MIN (peaks->len, most));

  return peaks;
}
