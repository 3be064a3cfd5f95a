/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-pairs-clocks.c - how two observers' clocks relate, by what both saw
 *
 *   1. events are counted a bin each; where these rates, less their means, correlate best is the
 *      offset to a bin
 *   2. of all differences around that, where most lie: to some microseconds
 *   3. pairs of the first moments give the rate, which is good enough for four times as long, and so on
 */
#include "core/analysis/gilk-pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/analysis/gilk-spectrum.h"

#define TIME_MAX    (G_GINT64_CONSTANT (1) << 61)      /* ns: the year 2043, where they count from 1970 */
#define SECOND       G_GINT64_CONSTANT (1000000000)
#define LEAST        16                 /* events of each */
#define LOOK_AT      (10 * SECOND)      /* of A: clocks that gain 100 ppm part by a bin in that time */
#define LOOK_LEAST   200                /* events, if there are as many */
#define PPM_MOST     250                /* that clocks may gain */
#define BIN          (SECOND / 1000)
#define BINS_MAX     (1 << 22)
#define STANDS_OUT   5.0                /* standard deviations of the correlations */
#define ALIKE        0.9                /* of the best */
#define WINDOW       (SECOND / 20000)   /* that most pairs lie in */
#define DIFFERENCES  4000000u
#define FIRST_SPAN   (2 * SECOND)
#define FIRST_MOST   2000               /* events: while they come, clocks do not part by the time between two */
#define GAP          (SECOND / 1000)
#define SPAN_MAX     (G_GINT64_CONSTANT (1) << 58)   /* nine years */

/* Number of the first that is not before @at. */
static gsize
find_time (const gint64 *times, gsize n, gint64 at)
{
  gsize low = 0, high = n;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (times[middle] < at)
        low = middle + 1;
      else
        high = middle;
    }

  return low;
}

/* ---- 1 ---- */

/* Counts in bins from the first event on, less their mean. */
static double *
count_bins (const gint64 *times, gsize n, gint64 bin, gsize *n_bins)
{
  gsize bins = (gsize) ((times[n - 1] - times[0]) / bin) + 1;
  double *counts = g_new0 (double, bins);

  for (gsize i = 0; i < n; i++)
    counts[(times[i] - times[0]) / bin] += 1.0;
  for (gsize k = 0; k < bins; k++)
    counts[k] -= (double) n / (double) bins;
  *n_bins = bins;

  return counts;
}

/* The lag of the greatest sum, or of one almost as great that is nearer to @expected; FALSE if none
 * stands out. */
static gboolean
best_lag (const double *sums, gsize n, gsize expected, gsize *best)
{
  double squares = 0.0, most = 0.0;

  for (gsize i = 0; i < n; i++)
    {
      squares += sums[i] * sums[i];
      most = MAX (most, sums[i]);
    }
  if (most <= STANDS_OUT * sqrt (squares / (double) n))
    return FALSE;
  *best = G_MAXSIZE;
  for (gsize i = 0; i < n; i++)
    if (sums[i] >= ALIKE * most &&
        (*best == G_MAXSIZE || MAX (i, expected) - MIN (i, expected) <
                                 MAX (*best, expected) - MIN (*best, expected)))
      *best = i;

  return TRUE;
}

static gboolean
find_coarse (const gint64 *a, gsize n_a, const gint64 *b, gsize n_b, gint64 expected, gint64 *offset,
             gint64 *bin)
{
  g_autofree double *bins_a = NULL, *bins_b = NULL, *sums = NULL;
  gint64 lag, first = b[0] - a[0];
  gsize n_bins_a, n_bins_b, best;

  *bin = MAX (BIN, MAX (a[n_a - 1] - a[0], b[n_b - 1] - b[0]) / BINS_MAX);
  bins_a = count_bins (a, n_a, *bin, &n_bins_a);
  bins_b = count_bins (b, n_b, *bin, &n_bins_b);
  sums = gilk_cross_correlation (bins_a, n_bins_a, bins_b, n_bins_b);
  lag = CLAMP ((expected - first) / *bin, 1 - (gint64) n_bins_a, (gint64) n_bins_b - 1);
  if (!best_lag (sums, n_bins_a + n_bins_b - 1, (gsize) (lag + (gint64) n_bins_a - 1), &best))
    return FALSE;
  *offset = first + ((gint64) best - (gint64) n_bins_a + 1) * *bin;

  return TRUE;
}

/* ---- 2 ---- */

static int
compare_times (const void *one, const void *other)
{
  gint64 x = *(const gint64 *) one, y = *(const gint64 *) other;

  return (x > y) - (x < y);
}

/* Differences within @range of @offset, of every @each event of A. */
static GArray *
differences (const gint64 *a, gsize n_a, const gint64 *b, gsize n_b, gint64 offset, gint64 range,
             gsize each)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (gsize i = 0; i < n_a; i += each)
    for (gsize j = find_time (b, n_b, a[i] + offset - range);
         j < n_b && b[j] <= a[i] + offset + range && found->len < 2 * DIFFERENCES; j++)
      {
        gint64 difference = b[j] - a[i];

        g_array_append_val (found, difference);
      }
  g_array_sort (found, compare_times);

  return found;
}

/* Narrows [from, to) to as many as lie no further apart than @width. */
static void
find_densest (const gint64 *sorted, gsize *from, gsize *to, gint64 width)
{
  gsize most = 0, begin = *from, end = *to;

  for (gsize i = begin, j = begin; i < end; i++)
    {
      while (j < end && sorted[j] <= sorted[i] + width)
        j++;
      if (j - i > most)
        {
          most = j - i;
          *from = i;
          *to = j;
        }
    }
}

static gboolean
find_fine (const gint64 *a, gsize n_a, const gint64 *b, gsize n_b, gint64 range, gint64 *offset)
{
  double density = (double) n_b / (double) MAX (b[n_b - 1] - b[0], 1);
  double many = (double) n_a * MAX (1.0, density * 2.0 * (double) range);
  g_autoptr(GArray) found =
    differences (a, n_a, b, n_b, *offset, range, (gsize) (many / DIFFERENCES) + 1);
  const gint64 *sorted = (const gint64 *) (gconstpointer) found->data;
  gsize from = 0, to = found->len;

  if (found->len == 0)
    return FALSE;
  /* Other events' differences are spread evenly: the narrower, the more stand out those that belong. */
  for (gint64 width = WINDOW; width >= WINDOW / 32; width /= 2)
    find_densest (sorted, &from, &to, width);
  *offset = sorted[from + (to - from) / 2];

  return TRUE;
}

/* ---- 3 ---- */

/* The median of B's times less A's, of the pairs in [from, to) of A. */
static gboolean
median_apart (const gint64 *a, const gint64 *b, const GilkPairs *pairs, gsize from, gsize to,
              gint64 *apart, gint64 *at)
{
  g_autofree gint64 *all = g_new (gint64, to - from + 1);
  gsize n = 0;

  for (gsize i = from; i < to; i++)
    if (pairs->of_a[i] != GILK_PAIRS_NONE)
      all[n++] = b[pairs->of_a[i]] - a[i];
  if (n == 0)
    return FALSE;
  qsort (all, n, sizeof *all, compare_times);
  *apart = all[n / 2];
  *at = a[from + (to - from) / 2];

  return TRUE;
}

/* By the medians of the first third and of the last, which the few that were held up do not move. */
static void
fit (const gint64 *a, gsize n_a, const gint64 *b, const GilkPairs *pairs, GilkClockRelation *relation)
{
  gint64 early, late, at_early, at_late;
  gsize third = n_a / 3;

  if (third < LEAST / 3 || !median_apart (a, b, pairs, 0, third, &early, &at_early) ||
      !median_apart (a, b, pairs, n_a - third, n_a, &late, &at_late) || at_late <= at_early)
    return;
  relation->zero_ns = at_early;
  relation->offset_ns = early;
  relation->rate = (double) (late - early) / (double) (at_late - at_early);
}

/* FALSE if it was cancelled. */
static gboolean
fit_first (const gint64 *a, gsize n_a, const gint64 *b, gsize n_b, GilkClockRelation *relation,
           GCancellable *cancellable, GError **error)
{
  gsize to = find_time (b, n_b, gilk_clock_relation_forth (relation, a[n_a - 1]) + GAP);
  gsize from = find_time (b, to, gilk_clock_relation_forth (relation, a[0]) - GAP);
  g_autoptr(GilkPairs) pairs =
    gilk_pairs_new (a, n_a, b + from, to - from, relation, GAP, 0, cancellable, error);

  if (pairs != NULL)
    fit (a, n_a, b + from, pairs, relation);

  return pairs != NULL;
}

/* So that sums of a time and the difference of two do not wrap. */
static gboolean
are_sane (const gint64 *times, gsize n)
{
  return times[0] > -TIME_MAX && times[n - 1] < TIME_MAX;
}

gboolean
gilk_pairs_clocks (const gint64      *a,
                   gsize              n_a,
                   const gint64      *b,
                   gsize              n_b,
                   gint64             expected,
                   GilkClockRelation *relation,
                   GCancellable      *cancellable,
                   GError           **error)
{
  GilkClockRelation found = { 0 };
  gboolean whole = FALSE;
  gint64 offset, bin;
  gsize n_look, n_first;

  if (n_a < LEAST || n_b < LEAST || !are_sane (a, n_a) || !are_sane (b, n_b))
    return FALSE;
  n_look = MAX (find_time (a, n_a, a[0] + LOOK_AT), MIN (n_a, LOOK_LEAST));
  n_first = MIN (n_look, CLAMP (find_time (a, n_a, a[0] + FIRST_SPAN), LEAST, FIRST_MOST));
  if (!find_coarse (a, n_look, b, n_b, expected, &offset, &bin) ||
      !find_fine (a, n_first, b, n_b, 2 * bin + (a[n_look - 1] - a[0]) / 1000000 * PPM_MOST, &offset))
    return FALSE;

  found.zero_ns = a[0];
  found.offset_ns = offset;
  for (gint64 span = MAX (a[n_first - 1] - a[0], 1); !whole; span = MIN (span, SPAN_MAX) * 4)
    {
      gsize n = span > SPAN_MAX ? n_a : CLAMP (find_time (a, n_a, a[0] + span + 1), n_first, n_a);

      whole = n == n_a;
      /* Twice: what was far off before pairs some with others. */
      if (!fit_first (a, n, b, n_b, &found, cancellable, error) ||
          !fit_first (a, n, b, n_b, &found, cancellable, error))
        return FALSE;
    }
  *relation = found;

  return TRUE;
}
