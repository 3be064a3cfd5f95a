/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-pairs-clocks.c - finds the relation of two observers' clocks, from the events that both saw
 *
 * One observer may have started late, or ended early. The time that both observers cover starts
 * with the first event of one of them. So consecutive events of that observer, from its first event
 * on, are searched for among all events of the other observer:
 *
 *   1. events are counted in bins; the lag at which these rates, minus their means, correlate best
 *      is the clocks' offset, to within a bin
 *   2. the mode of all differences near that offset gives the offset to a few microseconds
 *   3. this offset is accepted if many more events have a partner than by chance
 *   4. the drift rate of these pairs is accurate enough to pair a range several times as long; this
 *      is repeated towards both ends
 */
#include "core/stats/gilk-pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/gilk-array.h"
#include "core/stats/gilk-spectrum.h"

#define TIME_MAX    (G_GINT64_CONSTANT (1) << 61)      /* maximum time, ns: the year 2043 if times
                                                        * start in 1970 */
#define SECOND       G_GINT64_CONSTANT (1000000000)
#define LEAST        16                 /* minimum number of events of each observer */
#define SEARCH_SPAN      (10 * SECOND)      /* duration of the events of one observer that are
                                             * searched for among the other observer's: in this
                                             * time, a difference of 100 ppm causes a drift of one
                                             * bin */
#define SEARCH_MIN   200                /* at least this many events of one observer, if there are
                                         * as many, are searched for among the other's, even if they
                                         * take longer than SEARCH_SPAN */
#define PPM_MOST     250                /* maximum difference of the clocks' rates, ppm */
#define BIN          (SECOND / 1000)
#define BINS_MAX     (1 << 22)
#define STANDS_OUT   5.0                /* minimum height of a peak of the correlation, in standard
                                         * deviations */
#define ALIKE        0.9                /* lags whose correlation is at least this share of the
                                         * largest one count as fitting equally well */
#define WINDOW       (SECOND / 20000)   /* width of the range of time differences that contains most
                                         * pairs */
#define DIFFERENCES  4000000u
#define BIN_LEAST    (SECOND / 20000)
#define BINS_EACH    4                  /* bins per mean time between two events, if there are few
                                         * events */
#define FEW          600                /* maximum number of events that count as few: during these,
                                         * clocks do not drift apart by a bin */
#define MATCH_MIN   12                 /* an offset is accepted only if at least this many events
                                        * have a partner */
#define MATCH_SHARE   0.3
#define MATCH_EXCESS     7.0                /* minimum excess of pairs over the number expected by
                                             * chance, in standard deviations */
#define MATCH_ALIKE   0.8                /* a relation of the clocks that is shifted by some events
                                          * fits equally well if at least this share of the events
                                          * still have a partner */
#define SHIFTS       12                 /* maximum shift, in events, that is tried to find out
                                         * whether the relation is ambiguous: a repeated pattern of
                                         * a few events would make it ambiguous */
#define FIRST_SPAN   (2 * SECOND)
#define FIRST_MOST   2000               /* maximum number of events in the first fit: during these,
                                         * clocks drift apart by less than the time between two
                                         * events */
#define GAP          (SECOND / 1000)
#define SPAN_MAX     (G_GINT64_CONSTANT (1) << 58)   /* ns, nine years: a range longer than this
                                                      * includes all events */

/* Returns the index of the first time that is not before @at. */
static gsize
find_time (const gint64 *times, gsize n, gint64 at)
{
  return GILK_BISECT (n, i, times[i] < at);
}

/* ---- step 1: finds the offset of the clocks to within a bin ---- */

/* Counts events in bins from the first event on, and subtracts the mean. */
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

/* Finds the lag with the largest sum. If the sum of a lag nearer to @expected is almost as large,
 * that lag is chosen. Returns FALSE if no lag stands out. */
static gboolean
find_best_lag (const double *sums, gsize n, gsize expected, gsize *best)
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
find_coarse_offset (const gint64 *a, gsize n_a, const gint64 *b, gsize n_b, gint64 expected, gint64 *offset,
                    gint64 *bin)
{
  gint64 wanted = n_a > FEW ? BIN : CLAMP ((a[n_a - 1] - a[0]) / (gint64) (BINS_EACH * n_a), BIN_LEAST, BIN);
  g_autofree double *bins_a = NULL, *bins_b = NULL, *sums = NULL;
  gint64 lag, first = b[0] - a[0];
  gsize n_bins_a, n_bins_b, best;

  *bin = MAX (wanted, MAX (a[n_a - 1] - a[0], b[n_b - 1] - b[0]) / BINS_MAX);
  bins_a = count_bins (a, n_a, *bin, &n_bins_a);
  bins_b = count_bins (b, n_b, *bin, &n_bins_b);
  sums = gilk_cross_correlation (bins_a, n_bins_a, bins_b, n_bins_b);
  lag = CLAMP ((expected - first) / *bin, 1 - (gint64) n_bins_a, (gint64) n_bins_b - 1);
  if (!find_best_lag (sums, n_bins_a + n_bins_b - 1, (gsize) (lag + (gint64) n_bins_a - 1), &best))
    return FALSE;
  *offset = first + ((gint64) best - (gint64) n_bins_a + 1) * *bin;

  return TRUE;
}

/* ---- step 2: finds the offset to a few microseconds ---- */

/* Returns the differences b - a that are within @range of @offset, for every @each-th time a of A
 * and all times b of B, sorted. */
static GArray *
collect_differences (const gint64 *a, gsize n_a, const gint64 *b, gsize n_b, gint64 offset, gint64 range,
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
  g_array_sort (found, gilk_order_int64);

  return found;
}

/* Narrows the index range [from, to) of sorted numbers to the part that spans at most @width and
 * has the most numbers. */
static void
find_densest_range (const gint64 *sorted, gsize *from, gsize *to, gint64 width)
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
find_fine_offset (const gint64 *a, gsize n_a, const gint64 *b, gsize n_b, gint64 range, gint64 *offset)
{
  double density = (double) n_b / (double) MAX (b[n_b - 1] - b[0], 1);
  double many = (double) n_a * MAX (1.0, density * 2.0 * (double) range);
  g_autoptr(GArray) found =
    collect_differences (a, n_a, b, n_b, *offset, range, (gsize) (many / DIFFERENCES) + 1);
  const gint64 *sorted = (const gint64 *) (gconstpointer) found->data;
  gsize from = 0, to = found->len;

  if (found->len == 0)
    return FALSE;
  /* Differences between unrelated events are spread evenly:
   * the narrower the range, the more the pairs stand out. */
  for (gint64 width = WINDOW; width >= WINDOW / 32; width /= 2)
    find_densest_range (sorted, &from, &to, width);
  *offset = sorted[from + (to - from) / 2];

  return TRUE;
}

/* ---- step 4: fits offset and rate to the pairs ---- */

/* Finds the median of (time of B - time of A), over the pairs of A's events in [from, to). */
static gboolean
find_median_difference (const gint64 *a, const gint64 *b, const GilkPairs *pairs, gsize from, gsize to,
                        gint64 *apart, gint64 *at)
{
  g_autofree gint64 *all = g_new (gint64, to - from + 1);
  gsize n = 0;

  for (gsize i = from; i < to; i++)
    if (pairs->of_a[i] != GILK_PAIRS_NONE)
      all[n++] = b[pairs->of_a[i]] - a[i];
  /* If fewer than a quarter of the events have a partner, one observer may not have been active,
   * and the pairs may be due to chance. */
  if (n == 0 || 4 * n < to - from)
    return FALSE;
  qsort (all, n, sizeof *all, gilk_order_int64);
  *apart = all[n / 2];
  *at = a[from + (to - from) / 2];

  return TRUE;
}

/* Fits the relation of the clocks to the median differences in the first and in the last third of
 * the pairs. Medians are robust against a few delayed events. */
static void
fit_relation (const gint64 *a, gsize n_a, const gint64 *b, const GilkPairs *pairs, GilkClockRelation *relation)
{
  gint64 early, late, at_early, at_late;
  gsize third = n_a / 3;

  if (third < LEAST / 3 || !find_median_difference (a, b, pairs, 0, third, &early, &at_early) ||
      !find_median_difference (a, b, pairs, n_a - third, n_a, &late, &at_late) || at_late <= at_early)
    return;
  relation->zero_ns = at_early;
  relation->offset_ns = early;
  relation->rate = (double) (late - early) / (double) (at_late - at_early);
}

/* Pairs the events and fits the relation of the clocks to the pairs. Returns FALSE if cancelled. */
static gboolean
fit_once (const gint64 *a, gsize n_a, const gint64 *b, gsize n_b, GilkClockRelation *relation,
          GCancellable *cancellable, GError **error)
{
  gsize to = find_time (b, n_b, gilk_clock_relation_forth (relation, a[n_a - 1]) + GAP);
  gsize from = find_time (b, to, gilk_clock_relation_forth (relation, a[0]) - GAP);
  g_autoptr(GilkPairs) pairs =
    gilk_pairs_new (a, n_a, b + from, to - from, relation, GAP, 0, cancellable, error);

  if (pairs != NULL)
    fit_relation (a, n_a, b + from, pairs, relation);

  return pairs != NULL;
}

/* Returns TRUE if a time plus a difference of two of the times cannot overflow. */
static gboolean
are_in_range (const gint64 *times, gsize n)
{
  return times[0] > -TIME_MAX && times[n - 1] < TIME_MAX;
}

/* ---- step 3: checks that the offset is not due to chance ---- */

/* Returns how many events of A are at most @within away from an event of B. */
static gsize
count_near (const gint64 *a, gsize n_a, const gint64 *b, gsize n_b, const GilkClockRelation *relation, gint64 within)
{
  gsize near = 0, j = 0;

  for (gsize i = 0; i < n_a; i++)
    {
      gint64 at = gilk_clock_relation_forth (relation, a[i]);

      while (j < n_b && b[j] < at - within)
        j++;
      near += j < n_b && b[j] <= at + within;
    }

  return near;
}

/* Finds the events of A in the time that B covers. Sets *@from to the index of the first one, *@to
 * to the index after the last one. */
static void
find_overlap (const gint64 *a, gsize n_a, const gint64 *b, gsize n_b, const GilkClockRelation *relation, gsize *from, gsize *to)
{
  *from = find_time (a, n_a, gilk_clock_relation_back (relation, b[0]) - GAP);
  *to = find_time (a, n_a, gilk_clock_relation_back (relation, b[n_b - 1]) + GAP);
}

/* Returns TRUE if the relation of the clocks fits equally well when it is shifted by a few events,
 * and so is ambiguous: this happens if events come at an even pace. */
static gboolean
is_ambiguous (const gint64 *a, gsize n_a, const gint64 *b, gsize n_b, const GilkClockRelation *relation, gint64 within,
              double near)
{
  gboolean as_good = FALSE;

  for (gsize k = 1; k <= SHIFTS && k < n_a; k++)
    for (gint64 sign = -1; sign <= 1; sign += 2)
      {
        gint64 step = a[(n_a - 1 - k) / 2 + k] - a[(n_a - 1 - k) / 2];
        GilkClockRelation shifted = *relation;

        shifted.offset_ns += sign * step;
        as_good |= step > 2 * within && (double) count_near (a, n_a, b, n_b, &shifted, within) > MATCH_ALIKE * near;
      }

  return as_good;
}

/* Returns TRUE if more events of A have a partner than by chance. Tries several maximum distances
 * of a pair, because the jitter between the observers is unknown. */
static gboolean
is_significant (const gint64 *a, gsize n_a, const gint64 *b, gsize n_b, const GilkClockRelation *relation)
{
  gsize from, to, b_from, b_to;

  find_overlap (a, n_a, b, n_b, relation, &from, &to);
  if (to < from + MATCH_MIN)
    return FALSE;
  b_from = find_time (b, n_b, gilk_clock_relation_forth (relation, a[from]) - GAP);
  b_to = find_time (b, n_b, gilk_clock_relation_forth (relation, a[to - 1]) + GAP);
  for (gint64 within = GAP; within >= GAP / 1024; within /= 4)
    {
      double n = (double) (to - from), span = (double) (a[to - 1] - a[from] + 2 * GAP);
      double chance = 1.0 - exp (-2.0 * (double) within * (double) (b_to - b_from) / span);
      double near = (double) count_near (a + from, to - from, b + b_from, b_to - b_from, relation, within);

      if (near >= MATCH_MIN && near >= MATCH_SHARE * MIN (n, (double) (b_to - b_from)) && near - n * chance >= MATCH_EXCESS * sqrt (n * chance * (1.0 - chance) + 1.0) &&
          !is_ambiguous (a + from, to - from, b + b_from, b_to - b_from, relation, within, near))
        return TRUE;
    }

  return FALSE;
}

/* ---- searches parts of the events for the relation of the clocks ---- */

/* Selects consecutive events of one observer, which are searched for among all events of the
 * other. */
typedef struct {
  gboolean of_b;
  gsize    most;              /* maximum number of events; 0: all events in SEARCH_SPAN */
  guint    quarter;           /* position of the selected events among the observer's events: 0 at
                               * the start, 4 at the end */
} Try;

typedef enum { TRY_FAILED, TRY_FOUND, TRY_CANCELLED } TryResult;

/* Pairs the events and fits the relation of the clocks, twice: if the first relation is far off, it
 * pairs some events wrongly. */
static gboolean
fit_twice (const gint64 *a, gsize n_a, const gint64 *b, gsize n_b, GilkClockRelation *relation, GCancellable *cancellable,
           GError **error)
{
  return fit_once (a, n_a, b, n_b, relation, cancellable, error) &&
         fit_once (a, n_a, b, n_b, relation, cancellable, error);
}

/* Looks for the relation between the clocks in the events that @try selects. Sets *@from and *@to
 * to the range of A's indices in which the relation was found; *@to is excluded. */
static TryResult
try_part (const gint64 *a, gsize n_a, const gint64 *b, gsize n_b, gint64 expected, const Try *try, GilkClockRelation *relation,
          gsize *from, gsize *to, GCancellable *cancellable, GError **error)
{
  const gint64 *x = try->of_b ? b : a, *y = try->of_b ? a : b;
  gsize n_x = try->of_b ? n_b : n_a, n_y = try->of_b ? n_a : n_b, n, n_first, start;
  gint64 offset, bin, drift;

  n = try->most > 0 ? MIN (try->most, n_x) : MAX (find_time (x, n_x, x[0] + SEARCH_SPAN), MIN (n_x, SEARCH_MIN));
  start = (n_x - n) / 4 * try->quarter;
  if (try->quarter == 4)
    start = n_x - n;
  x += start;
  n_first = MIN (n, CLAMP (find_time (x, n, x[0] + FIRST_SPAN), LEAST, FIRST_MOST));
  if (!find_coarse_offset (x, n, y, n_y, try->of_b ? -expected : expected, &offset, &bin))
    return TRY_FAILED;
  drift = (x[n - 1] - x[0]) / 1000000 * PPM_MOST;
  if (!find_fine_offset (x, n_first, y, n_y, 2 * bin + drift, &offset))
    return TRY_FAILED;
  *relation = (GilkClockRelation) { .zero_ns = try->of_b ? x[0] + offset : x[0], .offset_ns = try->of_b ? -offset : offset };
  *from = try->of_b ? find_time (a, n_a, x[0] + offset - GAP) : start;
  *to = try->of_b ? find_time (a, n_a, x[n_first - 1] + offset + GAP) : start + n_first;
  if (*to < *from + MATCH_MIN)
    return TRY_FAILED;
  if (!fit_twice (a + *from, *to - *from, b, n_b, relation, cancellable, error))
    return TRY_CANCELLED;

  return is_significant (a + *from, *to - *from, b, n_b, relation) ? TRY_FOUND : TRY_FAILED;
}

/* Tries parts of the events until one yields the relation of the clocks. Tries many events first,
 * because their relation is clearest; then fewer events, because both observers may have few events
 * in common; then other positions, because samples may have been lost. */
static TryResult
try_parts (const gint64 *a, gsize n_a, const gint64 *b, gsize n_b, gint64 expected, GilkClockRelation *relation, gsize *from,
           gsize *to, GCancellable *cancellable, GError **error)
{
  static const gsize sizes[] = { 0, 2000, FEW, 200, 120 };
  static const guint quarters[] = { 0, 2, 4, 1, 3 };

  for (guint q = 0; q < G_N_ELEMENTS (quarters); q++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
      for (guint of_b = 0; of_b < 2; of_b++)
        {
          const Try try = { of_b, sizes[s], quarters[q] };
          TryResult result = try_part (a, n_a, b, n_b, expected, &try, relation, from, to, cancellable, error);

          if (result != TRY_FAILED)
            return result;
        }

  return TRY_FAILED;
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
  gsize from, to;

  if (n_a < LEAST || n_b < LEAST || !are_in_range (a, n_a) || !are_in_range (b, n_b) ||
      try_parts (a, n_a, b, n_b, expected, &found, &from, &to, cancellable, error) != TRY_FOUND)
    return FALSE;
  for (gint64 span = MAX (a[to - 1] - a[from], 1); !whole; span = MIN (span, SPAN_MAX) * 4)
    {
      gsize low, high;

      find_overlap (a, n_a, b, n_b, &found, &low, &high);
      if (span <= SPAN_MAX)
        {
          low = MAX (low, MIN (from, find_time (a, n_a, a[from] - span)));
          high = MIN (high, MAX (to, find_time (a, n_a, a[to - 1] + span + 1)));
        }
      whole = span > SPAN_MAX || (low <= from && high >= to && span >= a[n_a - 1] - a[0]);
      if (high > low && !fit_twice (a + low, high - low, b, n_b, &found, cancellable, error))
        return FALSE;
    }
  *relation = found;

  return TRUE;
}
