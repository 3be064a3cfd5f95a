/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-arrivals.c - computes the times between events, events per bin, and their long-range
 * dependence
 */
#include "core/stats/gilk-arrivals.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/gilk-array.h"

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
  qsort (arrivals->intervals, arrivals->n_intervals, sizeof (double), gilk_order_double);

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

/* ---- fits lines to the variances and the ranges of blocks ---- */

#define SIZE_MIN   10
#define BLOCKS_MIN 10
#define MOVES_MIN  100        /* minimum number of changes between successive values: the Hurst
                               * exponent of a nearly constant series is meaningless */

/* Returns a statistic computed from all blocks of @size values; NaN or <= 0 if it is undefined. */
typedef double (*BlockFunc) (const double *values, gsize n, gsize size);

void
gilk_hurst_clear (GilkHurst *hurst)
{
  g_clear_pointer (&hurst->log_size, g_free);
  g_clear_pointer (&hurst->log_value, g_free);
  hurst->n = 0;
}

static double
fit_slope (const GilkHurst *hurst)
{
  double mx = 0.0, my = 0.0, xx = 0.0, xy = 0.0;

  for (guint i = 0; i < hurst->n; i++)
    {
      mx += hurst->log_size[i] / hurst->n;
      my += hurst->log_value[i] / hurst->n;
    }
  for (guint i = 0; i < hurst->n; i++)
    {
      xx += (hurst->log_size[i] - mx) * (hurst->log_size[i] - mx);
      xy += (hurst->log_size[i] - mx) * (hurst->log_value[i] - my);
    }

  return hurst->n >= 2 ? xy / xx : NAN;
}

static gboolean
has_enough_changes (const double *values, gsize n)
{
  gsize moves = 0;

  for (gsize i = 1; i < n && moves < MOVES_MIN; i++)
    moves += values[i] != values[i - 1];

  return moves >= MOVES_MIN;
}

static double
fit_blocks (const double *values, gsize n, BlockFunc func, GilkHurst *hurst)
{
  hurst->n = 0;
  hurst->log_size = g_new (double, 64);
  hurst->log_value = g_new (double, 64);
  for (gsize size = SIZE_MIN; n / size >= BLOCKS_MIN && has_enough_changes (values, n); size *= 2)
    {
      double value = func (values, n, size);

      if (!(value > 0.0) || !isfinite (value))
        continue;
      hurst->log_size[hurst->n] = log10 ((double) size);
      hurst->log_value[hurst->n++] = log10 (value);
    }

  return fit_slope (hurst);
}

static double
compute_mean (const double *values, gsize n)
{
  double sum = 0.0;

  for (gsize i = 0; i < n; i++)
    sum += values[i];

  return sum / (double) n;
}

static double
compute_variance_of_means (const double *values, gsize n, gsize size)
{
  gsize blocks = n / size;
  double mean = compute_mean (values, blocks * size), squares = 0.0;

  for (gsize b = 0; b < blocks; b++)
    {
      double less = compute_mean (values + b * size, size) - mean;

      squares += less * less;
    }

  return squares / (double) blocks;
}

static double
compute_rescaled_range (const double *values, gsize size)
{
  double mean = compute_mean (values, size), sum = 0.0, low = 0.0, high = 0.0, squares = 0.0;

  for (gsize i = 0; i < size; i++)
    {
      double less = values[i] - mean;

      sum += less;
      squares += less * less;
      low = MIN (low, sum);
      high = MAX (high, sum);
    }

  return squares > 0.0 ? (high - low) / sqrt (squares / (double) size) : 0.0;
}

static double
compute_mean_range (const double *values, gsize n, gsize size)
{
  double sum = 0.0;
  gsize blocks = 0;

  for (gsize b = 0; b < n / size; b++)
    {
      double range = compute_rescaled_range (values + b * size, size);

      sum += range;
      blocks += range > 0.0;
    }

  return sum / (double) blocks;
}

void
gilk_hurst_variance (const double *values,
                     gsize         n,
                     GilkHurst    *hurst)
{
  hurst->h = 1.0 + fit_blocks (values, n, compute_variance_of_means, hurst) / 2.0;
}

void
gilk_hurst_rescaled (const double *values,
                     gsize         n,
                     GilkHurst    *hurst)
{
  hurst->h = fit_blocks (values, n, compute_mean_range, hurst);
}
