/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-pairs.c - pairs of events, by the alignment of least cost
 *
 * The alignment is the usual one of two sequences, row by row of A, in a band: a pair that costs
 * more than two gaps is never made. Of each cell it is kept how it was reached.
 *
 * What costs least is not always true. Two events that were held up may stand where others were seen, be paired
 * with those, and leave two without a partner that are further apart than any event was held up. So for
 * each that is left others give up theirs, along a path of ever another one's partner, to one that is free:
 * when no path is left, no more events can have been seen by both (Berge, 1957).
 */
#include "core/analysis/gilk-pairs.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/base/gilk-error.h"

#define LOOK_EACH 4096
/* A byte each. Where a gap's width holds so many events that there were more, gaps are made cheaper. */
#define CELLS_MAX (G_GUINT64_CONSTANT (1) << 28)

enum { PAIR, SKIP_A, SKIP_B };

typedef struct {
  const gint64 *a, *b;      /* on B's clock */
  gsize         n_a, n_b;
  gint64        gap;
  gsize        *low, *high; /* of row i: b within two gaps of a[i] */
  gsize        *start;      /* of row i's cells, n_a + 2 of them */
  guint8       *came;
} Grid;

gint64
gilk_clock_relation_forth (const GilkClockRelation *relation,
                           gint64                   a_ns)
{
  return a_ns + relation->offset_ns + llrint (relation->rate * (double) (a_ns - relation->zero_ns));
}

gint64
gilk_clock_relation_back (const GilkClockRelation *relation,
                          gint64                   b_ns)
{
  gint64 about = b_ns - relation->offset_ns;

  return relation->zero_ns + llrint ((double) (about - relation->zero_ns) / (1.0 + relation->rate));
}

void
gilk_pairs_free (GilkPairs *pairs)
{
  if (pairs == NULL)
    return;
  g_free (pairs->of_a);
  g_free (pairs);
}

/* ---- the band ---- */

/* Row i is what is known before a[i]; its cells are numbers of B passed by, from first_of(i) to
 * last_of(i). */
static gsize
first_of (const Grid *grid, gsize i)
{
  return i == 0 ? 0 : grid->low[i - 1];
}

static gsize
last_of (const Grid *grid, gsize i)
{
  return i == grid->n_a ? grid->n_b : grid->high[i];
}

/* FALSE if there would be too many cells. */
static gboolean
lay_band (Grid *grid)
{
  gsize low = 0, high = 0;

  for (gsize i = 0; i < grid->n_a; i++)
    {
      while (low < grid->n_b && grid->b[low] <= grid->a[i] - 2 * grid->gap)
        low++;
      while (high < grid->n_b && grid->b[high] < grid->a[i] + 2 * grid->gap)
        high++;
      grid->low[i] = low;
      grid->high[i] = high;
    }
  grid->start[0] = 0;
  for (gsize i = 0; i <= grid->n_a; i++)
    {
      grid->start[i + 1] = grid->start[i] + last_of (grid, i) - first_of (grid, i) + 1;
      if (grid->start[i + 1] > CELLS_MAX && grid->gap > 1)
        return FALSE;
    }

  return TRUE;
}

static void
grid_init (Grid *grid, const gint64 *a, gsize n_a, const gint64 *b, gsize n_b, gint64 gap)
{
  *grid = (Grid) {
    .a = a, .b = b, .n_a = n_a, .n_b = n_b, .gap = gap,
    .low = g_new (gsize, n_a + 1), .high = g_new (gsize, n_a + 1), .start = g_new (gsize, n_a + 2),
  };
  while (!lay_band (grid))
    grid->gap = (grid->gap + 1) / 2;
  grid->came = g_malloc (grid->start[n_a + 1]);
}

static void
grid_clear (Grid *grid)
{
  g_free (grid->low);
  g_free (grid->high);
  g_free (grid->start);
  g_free (grid->came);
}

static void
reach (gint64 *cost, guint8 *came, gint64 by, guint8 how)
{
  if (by < *cost)
    {
      *cost = by;
      *came = how;
    }
}

/* Costs of row i + 1, of those of row i from low[i] on. */
static void
pass_row (const Grid *grid, gsize i, const gint64 *row, gint64 *next)
{
  gsize from = first_of (grid, i + 1), to = last_of (grid, i + 1);
  guint8 *came = grid->came + grid->start[i + 1];

  for (gsize p = from; p <= to; p++)
    next[p - from] = G_MAXINT64;
  for (gsize p = grid->low[i]; p <= last_of (grid, i); p++)
    {
      gint64 cost = row[p - first_of (grid, i)];

      reach (&next[p - from], &came[p - from], cost + grid->gap, SKIP_A);
      if (p < grid->high[i])
        reach (&next[p + 1 - from], &came[p + 1 - from], cost + ABS (grid->b[p] - grid->a[i]), PAIR);
    }
  for (gsize p = from; p < to; p++)
    if (next[p - from] != G_MAXINT64)
      reach (&next[p + 1 - from], &came[p + 1 - from], next[p - from] + grid->gap, SKIP_B);
}

static gboolean
was_cancelled (GCancellable *cancellable, GError **error)
{
  if (!g_cancellable_is_cancelled (cancellable))
    return FALSE;
  g_set_error (error, GILK_ERROR, GILK_ERROR_CANCELLED, _("Finding pairs was cancelled."));

  return TRUE;
}

static gboolean
pass_all (const Grid *grid, GCancellable *cancellable, GError **error)
{
  g_autofree gint64 *row = NULL, *next = NULL;
  gsize widest = 0;

  for (gsize i = 0; i <= grid->n_a; i++)
    widest = MAX (widest, grid->start[i + 1] - grid->start[i]);
  row = g_new (gint64, widest);
  next = g_new (gint64, widest);
  for (gsize p = 0; p <= last_of (grid, 0); p++)
    {
      row[p] = (gint64) p * grid->gap;
      grid->came[p] = SKIP_B;
    }
  for (gsize i = 0; i < grid->n_a; i++)
    {
      gint64 *other = row;

      if (i % LOOK_EACH == 0 && was_cancelled (cancellable, error))
        return FALSE;
      pass_row (grid, i, row, next);
      row = next;
      next = other;
    }

  return TRUE;
}

static void
trace_back (const Grid *grid, gsize *of_a)
{
  gsize i = grid->n_a, p = grid->n_b;

  while (i > 0)
    switch (grid->came[grid->start[i] + p - first_of (grid, i)])
      {
      case PAIR:
        of_a[--i] = --p;
        break;
      case SKIP_A:
        of_a[--i] = GILK_PAIRS_NONE;
        break;
      default:
        p--;
      }
}

/* @a: on B's clock. FALSE if it was cancelled. */
static gboolean
align (const gint64 *a, gsize n_a, const gint64 *b, gsize n_b, gint64 gap, gsize *of_a,
       GCancellable *cancellable, GError **error)
{
  gboolean ok;
  Grid grid;

  grid_init (&grid, a, n_a, b, n_b, gap);
  ok = pass_all (&grid, cancellable, error);
  if (ok)
    trace_back (&grid, of_a);
  grid_clear (&grid);

  return ok;
}

/* ---- what is left ---- */

/* The numbers of those without a partner, and their times. */
static gsize
left_of (const gint64 *times, gsize n, const guint8 *taken, gsize *numbers, gint64 *left)
{
  gsize n_left = 0;

  for (gsize i = 0; i < n; i++)
    if (!taken[i])
      {
        numbers[n_left] = i;
        left[n_left++] = times[i];
      }

  return n_left;
}

static gboolean
pair_late (GilkPairs *pairs, const gint64 *a, gsize n_a, const gint64 *b, gsize n_b, gint64 late,
           GCancellable *cancellable, GError **error)
{
  g_autofree guint8 *taken_a = g_new0 (guint8, n_a + 1), *taken_b = g_new0 (guint8, n_b + 1);
  g_autofree gsize *numbers_a = g_new (gsize, n_a + 1), *numbers_b = g_new (gsize, n_b + 1);
  g_autofree gint64 *left_a = g_new (gint64, n_a + 1), *left_b = g_new (gint64, n_b + 1);
  g_autofree gsize *of_left = NULL;
  gsize n_left_a, n_left_b;

  for (gsize i = 0; i < n_a; i++)
    if (pairs->of_a[i] != GILK_PAIRS_NONE)
      taken_a[i] = taken_b[pairs->of_a[i]] = 1;
  n_left_a = left_of (a, n_a, taken_a, numbers_a, left_a);
  n_left_b = left_of (b, n_b, taken_b, numbers_b, left_b);
  of_left = g_new (gsize, n_left_a + 1);
  if (!align (left_a, n_left_a, left_b, n_left_b, late, of_left, cancellable, error))
    return FALSE;
  for (gsize i = 0; i < n_left_a; i++)
    if (of_left[i] != GILK_PAIRS_NONE)
      {
        pairs->of_a[numbers_a[i]] = numbers_b[of_left[i]];
        pairs->n_late++;
      }

  return TRUE;
}

/* ---- what is left because others have its partner ---- */

typedef struct {
  gint64        late;
  const gint64 *a, *b;
  gsize         n_b;
  gsize        *of_a, *of_b;
  gsize        *queue;      /* of a search: numbers of B, in the order in which they were found */
  gsize        *found_by;   /* for each of these the one of A that it may be a partner of */
  gsize         from, to;   /* what was found, which lies together, for events next to each other share what they reach */
  gsize         n_found;
  gsize         closed;     /* B before this cannot be reached, or leads to nothing that is free */
} Search;

/* The first of B that is not before @time. */
static gsize
first_from (const Search *search, gint64 time)
{
  gsize low = 0, high = search->n_b;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (search->b[middle] < time)
        low = middle + 1;
      else
        high = middle;
    }

  return low;
}

static void
find (Search *search, gsize j, gsize i)
{
  search->found_by[j] = i;
  search->queue[search->n_found++] = j;
}

/* What may be @i's partner. */
static void
find_all (Search *search, gsize i)
{
  gsize low = MAX (first_from (search, search->a[i] - 2 * search->late + 1), search->closed);
  gsize high = MAX (first_from (search, search->a[i] + 2 * search->late), low);

  if (search->n_found == 0)
    search->from = search->to = low;
  while (search->to < high)
    find (search, search->to++, i);
  while (search->from > low)
    find (search, --search->from, i);
}

/* Along the path that led to @j each takes what it found, and leaves what it had to who found that. */
static void
change_partners (Search *search, gsize j)
{
  while (j != GILK_PAIRS_NONE)
    {
      gsize i = search->found_by[j], had = search->of_a[i];

      search->of_a[i] = j;
      search->of_b[j] = i;
      j = had;
    }
}

static gboolean
find_partner (Search *search, gsize i)
{
  search->n_found = 0;
  find_all (search, i);
  for (gsize k = 0; k < search->n_found; k++)
    {
      gsize j = search->queue[k];

      if (search->of_b[j] == GILK_PAIRS_NONE)
        {
          change_partners (search, j);
          return TRUE;
        }
      find_all (search, search->of_b[j]);
    }
  search->closed = MAX (search->closed, search->to);

  return FALSE;
}

static gboolean
pair_rest (GilkPairs *pairs, const gint64 *a, gsize n_a, const gint64 *b, gsize n_b, gint64 late,
           GCancellable *cancellable, GError **error)
{
  g_autofree gsize *of_b = g_new (gsize, n_b + 1), *queue = g_new (gsize, n_b + 1), *found_by = g_new (gsize, n_b + 1);
  Search search = {
    .late = late, .a = a, .b = b, .n_b = n_b, .of_a = pairs->of_a, .of_b = of_b, .queue = queue, .found_by = found_by,
  };

  for (gsize j = 0; j < n_b; j++)
    of_b[j] = GILK_PAIRS_NONE;
  for (gsize i = 0; i < n_a; i++)
    if (pairs->of_a[i] != GILK_PAIRS_NONE)
      of_b[pairs->of_a[i]] = i;
  for (gsize i = 0; i < n_a; i++)
    {
      if (pairs->of_a[i] != GILK_PAIRS_NONE)
        continue;
      if (was_cancelled (cancellable, error))
        return FALSE;
      pairs->n_late += find_partner (&search, i);
    }

  return TRUE;
}

GilkPairs *
gilk_pairs_new (const gint64            *a,
                gsize                    n_a,
                const gint64            *b,
                gsize                    n_b,
                const GilkClockRelation *relation,
                gint64                   gap_ns,
                gint64                   late_ns,
                GCancellable            *cancellable,
                GError                 **error)
{
  g_autoptr(GilkPairs) pairs = g_new0 (GilkPairs, 1);
  g_autofree gint64 *shown = g_new (gint64, n_a + 1);

  g_assert (gap_ns > 0 && late_ns >= 0);
  pairs->of_a = g_new (gsize, n_a + 1);
  for (gsize i = 0; i < n_a; i++)
    shown[i] = gilk_clock_relation_forth (relation, a[i]);
  if (!align (shown, n_a, b, n_b, gap_ns, pairs->of_a, cancellable, error) ||
      (late_ns > 0 && (!pair_late (pairs, shown, n_a, b, n_b, late_ns, cancellable, error) ||
                       !pair_rest (pairs, shown, n_a, b, n_b, MAX (gap_ns, late_ns), cancellable, error))))
    return NULL;
  for (gsize i = 0; i < n_a; i++)
    pairs->n_pairs += pairs->of_a[i] != GILK_PAIRS_NONE;
  pairs->only_a = n_a - pairs->n_pairs;
  pairs->only_b = n_b - pairs->n_pairs;

  return g_steal_pointer (&pairs);
}
