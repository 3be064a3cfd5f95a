/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-pairs.c - pairs events by the alignment of minimum cost
 *
 * Aligns two sequences by dynamic programming, with one row per event of A. Only cells in a band
 * are computed: events further apart than the width of the band are not paired. Each cell records
 * how it was reached.
 *
 * In the first pass a pair costs at most as much as two events without a partner, which bounds the
 * band. The events that remain were delayed, or lack a partner. When many in a row were delayed,
 * the cheapest alignment may pair each with its neighbour's partner and leave two events without a
 * partner, which would be reported as not seen. So in the second pass an event without a partner
 * costs more than all pairs together, as far as 64 bits allow.
 */
#include "core/stats/gilk-pairs.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-memory.h"

#define CHECK_EVERY 4096
/* Maximum number of cells of the alignment, one byte each. The band of cells is narrowed to fit. */
#define CELLS_MAX (G_GUINT64_CONSTANT (1) << 28)

#define COSTS_MAX (G_MAXINT64 / 4)      /* limit on the cost of all events without a partner, so
                                         * that sums fit 64 bits */

enum { PAIR, SKIP_A, SKIP_B };

typedef struct {
  const gint64 *a, *b;      /* times of A's and B's events, both on B's clock */
  gsize         n_a, n_b;
  gint64        within;     /* the times of a pair differ by less than this */
  gint64        alone;      /* cost of an event without a partner, in ns like the cost of a pair */
  gsize        *low, *high; /* for each a[i]: index range of the elements of @b that are closer to
                             * a[i] than @within */
  gsize        *start;      /* offset of each row's cells; n_a + 2 elements */
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

/* ---- the band: the cells that are computed ---- */

/* Return the smallest and the largest number of events of B that may be aligned before a[i]. Row i
 * of the grid is the state before a[i], and each of its cells stands for one such number. */
static gsize
get_row_first (const Grid *grid, gsize i)
{
  return i == 0 ? 0 : grid->low[i - 1];
}

static gsize
get_row_last (const Grid *grid, gsize i)
{
  return i == grid->n_a ? grid->n_b : grid->high[i];
}

/* Sets, for each row, the range of B's events in the band, and the offset of the row's cells.
 * Returns FALSE if there would be too many cells. */
static gboolean
place_band (Grid *grid)
{
  gsize low = 0, high = 0;

  for (gsize i = 0; i < grid->n_a; i++)
    {
      while (low < grid->n_b && grid->b[low] <= grid->a[i] - grid->within)
        low++;
      while (high < grid->n_b && grid->b[high] < grid->a[i] + grid->within)
        high++;
      grid->low[i] = low;
      grid->high[i] = high;
    }
  grid->start[0] = 0;
  for (gsize i = 0; i <= grid->n_a; i++)
    {
      grid->start[i + 1] = grid->start[i] + get_row_last (grid, i) - get_row_first (grid, i) + 1;
      if (grid->start[i + 1] > CELLS_MAX && grid->within > 2)
        return FALSE;
    }

  return TRUE;
}

static void
grid_init (Grid *grid, const gint64 *a, gsize n_a, const gint64 *b, gsize n_b, gint64 within, gint64 alone)
{
  *grid = (Grid) {
    .a = a, .b = b, .n_a = n_a, .n_b = n_b, .within = within, .alone = alone,
    .low = g_new (gsize, n_a + 1), .high = g_new (gsize, n_a + 1), .start = g_new (gsize, n_a + 2),
  };
  while (!place_band (grid))
    grid->within = (grid->within + 1) / 2;
  grid->came = g_malloc (grid->start[n_a + 1]);
}

static void
grid_clear (Grid *grid)
{
  gilk_free_all (grid->low, grid->high, grid->start, grid->came);
}

static void
relax_cost (gint64 *cost, guint8 *came, gint64 by, guint8 how)
{
  if (by < *cost)
    {
      *cost = by;
      *came = how;
    }
}

/* Computes the costs of row i + 1 from the costs of row i, starting at low[i]. */
static void
compute_row (const Grid *grid, gsize i, const gint64 *row, gint64 *next)
{
  gsize from = get_row_first (grid, i + 1), to = get_row_last (grid, i + 1);
  guint8 *came = grid->came + grid->start[i + 1];

  for (gsize p = from; p <= to; p++)
    next[p - from] = G_MAXINT64;
  for (gsize p = grid->low[i]; p <= get_row_last (grid, i); p++)
    {
      gint64 cost = row[p - get_row_first (grid, i)];

      relax_cost (&next[p - from], &came[p - from], cost + grid->alone, SKIP_A);
      if (p < grid->high[i])
        relax_cost (&next[p + 1 - from], &came[p + 1 - from], cost + ABS (grid->b[p] - grid->a[i]), PAIR);
    }
  for (gsize p = from; p < to; p++)
    if (next[p - from] != G_MAXINT64)
      relax_cost (&next[p + 1 - from], &came[p + 1 - from], next[p - from] + grid->alone, SKIP_B);
}

static gboolean
compute_rows (const Grid *grid, GCancellable *cancellable, GError **error)
{
  g_autofree gint64 *row = NULL, *next = NULL;
  gsize widest = 0;

  for (gsize i = 0; i <= grid->n_a; i++)
    widest = MAX (widest, grid->start[i + 1] - grid->start[i]);
  row = g_new (gint64, widest);
  next = g_new (gint64, widest);
  for (gsize p = 0; p <= get_row_last (grid, 0); p++)
    {
      row[p] = (gint64) p * grid->alone;
      grid->came[p] = SKIP_B;
    }
  for (gsize i = 0; i < grid->n_a; i++)
    {
      gint64 *other = row;

      if (i % CHECK_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
        return gilk_fail (error, GILK_ERROR_CANCELLED, _("Finding pairs was cancelled."));
      compute_row (grid, i, row, next);
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
    switch (grid->came[grid->start[i] + p - get_row_first (grid, i)])
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

/* Finds the cheapest alignment. @a: times on B's clock. Returns FALSE if cancelled. */
static gboolean
align_events (const gint64 *a, gsize n_a, const gint64 *b, gsize n_b, gint64 within, gint64 alone, gsize *of_a,
              GCancellable *cancellable, GError **error)
{
  gboolean ok;
  Grid grid;

  grid_init (&grid, a, n_a, b, n_b, within, alone);
  ok = compute_rows (&grid, cancellable, error);
  if (ok)
    trace_back (&grid, of_a);
  grid_clear (&grid);

  return ok;
}

/* ---- second pass: pairs events that were delayed ---- */

static gsize
collect_unpaired (const gint64 *times, gsize n, const guint8 *taken, gsize *numbers, gint64 *left)
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
  gint64 alone;

  for (gsize i = 0; i < n_a; i++)
    if (pairs->of_a[i] != GILK_PAIRS_NONE)
      taken_a[i] = taken_b[pairs->of_a[i]] = 1;
  n_left_a = collect_unpaired (a, n_a, taken_a, numbers_a, left_a);
  n_left_b = collect_unpaired (b, n_b, taken_b, numbers_b, left_b);
  of_left = g_new (gsize, n_left_a + 1);
  alone = MAX (late, COSTS_MAX / (gint64) (n_left_a + n_left_b + 1));
  if (!align_events (left_a, n_left_a, left_b, n_left_b, 2 * late, alone, of_left, cancellable, error))
    return FALSE;
  for (gsize i = 0; i < n_left_a; i++)
    if (of_left[i] != GILK_PAIRS_NONE)
      {
        pairs->of_a[numbers_a[i]] = numbers_b[of_left[i]];
        pairs->n_late++;
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
  if (!align_events (shown, n_a, b, n_b, 2 * gap_ns, gap_ns, pairs->of_a, cancellable, error) ||
      (late_ns > 0 && !pair_late (pairs, shown, n_a, b, n_b, late_ns, cancellable, error)))
    return NULL;
  for (gsize i = 0; i < n_a; i++)
    pairs->n_pairs += pairs->of_a[i] != GILK_PAIRS_NONE;
  pairs->only_a = n_a - pairs->n_pairs;
  pairs->only_b = n_b - pairs->n_pairs;

  return g_steal_pointer (&pairs);
}
