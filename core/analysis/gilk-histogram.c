/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-histogram.c - bins and order statistics; pure numerics
 *
 * Quantiles are exact: they are selected from the data, never read off the bins.
 * A quantile between two samples is interpolated linearly (Hyndman and Fan's
 * type 7, the default of R and NumPy), so that figures can be checked elsewhere.
 */
#include "core/analysis/gilk-histogram.h"

#include <math.h>
#include <string.h>

#define MAX_AUTO_BINS 200
#define MAX_BINS      100000

enum { Q25, Q50, Q75, Q90, Q99, Q999, N_QUANTILES };

static const double quantile_at[N_QUANTILES] = { 0.25, 0.5, 0.75, 0.9, 0.99, 0.999 };

static inline void
swap (double *a, double *b)
{
  double t = *a;

  *a = *b;
  *b = t;
}

/* Puts the @rank-th smallest of v[low..high] at its place, smaller ones before
 * and greater ones behind it. The pivots come from a fixed pseudo-random row, so
 * that no order of the input is slow and the same input takes the same time. */
static void
select_rank (double *v, gssize low, gssize high, gssize rank)
{
  uint64_t random = 0x9e3779b97f4a7c15u;

  while (low < high)
    {
      gssize i = low, j = high;
      double pivot;

      random ^= random << 13;
      random ^= random >> 7;
      random ^= random << 17;
      pivot = v[low + (gssize) (random % (uint64_t) (high - low + 1))];

      while (i <= j)
        {
          while (v[i] < pivot)
            i++;
          while (pivot < v[j])
            j--;
          if (i <= j)
            swap (&v[i++], &v[j--]);
        }

      if (rank <= j)
        high = j;
      else if (rank >= i)
        low = i;
      else
        return;
    }
}

/* Ascending quantiles: each selection leaves the greater values to its right,
 * so the next one looks at those alone. */
static void
find_quantiles (double *v, gsize n, double out[N_QUANTILES])
{
  gssize done = 0;

  for (guint q = 0; q < N_QUANTILES; q++)
    {
      double position = quantile_at[q] * (double) (n - 1);
      gssize rank = (gssize) position;
      double fraction = position - (double) rank;

      select_rank (v, done, (gssize) n - 1, rank);
      done = rank;
      out[q] = v[rank];
      if (fraction > 0.0 && rank + 1 < (gssize) n)
        {
          select_rank (v, rank + 1, (gssize) n - 1, rank + 1);
          out[q] += fraction * (v[rank + 1] - v[rank]);
        }
    }
}

/* Welford's recurrence: no overflow, no cancellation. */
static void
find_moments (GilkHistogram *h, const double *v, gsize n)
{
  double mean = 0.0, squares = 0.0;

  for (gsize i = 0; i < n; i++)
    {
      double delta = v[i] - mean;

      mean += delta / (double) (i + 1);
      squares += delta * (v[i] - mean);
    }
  h->mean = mean;
  h->stddev = n > 1 ? sqrt (squares / (double) (n - 1)) : 0.0;
}

/* Freedman and Diaconis, on the axis as it is drawn; Scott's rule where half of
 * the data is one value. */
static double
bin_width (const GilkHistogram *h, const double q[N_QUANTILES])
{
  double spread = h->log ? log10 (q[Q75]) - log10 (q[Q25]) : q[Q75] - q[Q25];
  double root = cbrt ((double) h->n);

  if (spread > 0.0)
    return 2.0 * spread / root;
  if (!h->log)
    return 3.49 * h->stddev / root;

  return (log10 (h->max) - log10 (h->min)) / root;
}

static guint
auto_bins (double range, double width)
{
  double bins = width > 0.0 ? ceil (range / width) : 1.0;

  if (!(bins >= 1.0))
    return 1;

  return bins > MAX_AUTO_BINS ? MAX_AUTO_BINS : (guint) bins;
}

/* Whole numbers get bins of whole numbers: any other width makes a comb. */
static gboolean
all_whole (const double *v, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (v[i] != rint (v[i]) || fabs (v[i]) > 9007199254740992.0)
      return FALSE;

  return TRUE;
}

/* Bounds of the axis and the number of bins between them, in axis units. */
static void
place_bins (GilkHistogram *h, const double *v, guint bins, const double q[N_QUANTILES],
            double *low, double *high)
{
  double range, width;

  *low = h->log ? log10 (h->min) : h->min;
  *high = h->log ? log10 (h->max) : h->max;
  range = *high - *low;
  width = bin_width (h, q);

  if (!(range > 0.0))
    {
      double half = h->log ? 0.05 : *low == rint (*low) ? 0.5 : fabs (*low) * 0.005;

      /* Greater numbers have no neighbours half a unit away. */
      half = MAX (half, fabs (*low) * 1e-12);

      *low -= half;
      *high += half;
      h->n_bins = bins > 0 ? bins : 1;
    }
  else if (bins == 0 && !h->log && all_whole (v, h->n))
    {
      width = MAX (1.0, rint (width));
      width = MAX (width, ceil ((range + 1.0) / MAX_AUTO_BINS));
      h->n_bins = MAX (1, (guint) ceil ((range + 1.0) / width));
      *low -= 0.5;
      *high = *low + width * h->n_bins;
    }
  else
    h->n_bins = bins > 0 ? bins : auto_bins (range, width);
}

static void
fill_bins (GilkHistogram *h, const double *v, double low, double high)
{
  double scale = h->n_bins / (high - low);

  h->edges = g_new (double, h->n_bins + 1);
  h->counts = g_new0 (uint64_t, h->n_bins);
  for (guint i = 0; i <= h->n_bins; i++)
    {
      double t = (double) i / h->n_bins;
      double edge = low * (1.0 - t) + high * t;

      h->edges[i] = h->log ? pow (10.0, edge) : edge;
    }
  if (h->log && h->min < h->max)
    {
      h->edges[0] = h->min;
      h->edges[h->n_bins] = h->max;
    }

  /* Rounding can put a value one bin off; the edges have the last word. */
  for (gsize i = 0; i < h->n; i++)
    {
      double at = ((h->log ? log10 (v[i]) : v[i]) - low) * scale;
      guint bin = at > 0.0 ? (guint) MIN (at, (double) (h->n_bins - 1)) : 0;

      while (bin > 0 && v[i] < h->edges[bin])
        bin--;
      while (bin + 1 < h->n_bins && v[i] >= h->edges[bin + 1])
        bin++;
      h->counts[bin]++;
    }
}

GilkHistogram *
gilk_histogram_new (const double *values,
                    gsize         count,
                    guint         bins,
                    gboolean      log)
{
  GilkHistogram *h = g_new0 (GilkHistogram, 1);
  g_autofree double *v = g_new (double, count + 1);
  double q[N_QUANTILES], low, high;

  h->log = log;
  for (gsize i = 0; i < count; i++)
    if (isfinite (values[i]) && (!log || values[i] > 0.0))
      v[h->n++] = values[i];
  h->ignored = count - h->n;
  if (h->n == 0)
    return h;

  h->min = h->max = v[0];
  for (gsize i = 1; i < h->n; i++)
    {
      h->min = MIN (h->min, v[i]);
      h->max = MAX (h->max, v[i]);
    }
  find_moments (h, v, h->n);
  find_quantiles (v, h->n, q);
  h->median = q[Q50];
  h->p90 = q[Q90];
  h->p99 = q[Q99];
  h->p999 = q[Q999];

  place_bins (h, v, MIN (bins, MAX_BINS), q, &low, &high);
  fill_bins (h, v, low, high);

  return h;
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
