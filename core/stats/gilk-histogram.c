/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-histogram.c - bins and order statistics, from numbers or from a sketch; pure numerics
 */
#include "core/stats/gilk-histogram.h"

#include <math.h>

#include "core/base/gilk-memory.h"

static const double quantiles[] = { 0.5, 0.9, 0.99, 0.999 };

GilkTally *
gilk_histogram_tally (uint64_t      about,
                      guint         bins,
                      gboolean      log,
                      const double *hint,
                      gsize         n_hint)
{
  return gilk_tally_new (about, bins, log, quantiles, G_N_ELEMENTS (quantiles), hint, n_hint);
}

GilkHistogram *
gilk_histogram_of_tally (const GilkTally *tally,
                         gboolean         log)
{
  const GilkTallied tallied = gilk_tally_result (tally);
  GilkHistogram *h = g_new0 (GilkHistogram, 1);

  h->log = log;
  h->n = tallied.spread.n;
  h->ignored = tallied.ignored;
  if (h->n == 0)
    return h;
  h->min = tallied.spread.min;
  h->max = tallied.spread.max;
  h->mean = tallied.mean;
  h->stddev = tallied.spread.stddev;
  h->median = tallied.quantiles[0];
  h->p90 = tallied.quantiles[1];
  h->p99 = tallied.quantiles[2];
  h->p999 = tallied.quantiles[3];
  h->n_bins = tallied.bins.n;
  h->edges = g_memdup2 (tallied.edges, (h->n_bins + 1) * sizeof *h->edges);
  h->counts = g_memdup2 (tallied.counts, h->n_bins * sizeof *h->counts);

  return h;
}

GilkHistogram *
gilk_histogram_new (const double *values,
                    gsize         count,
                    guint         bins,
                    gboolean      log)
{
  g_autoptr(GilkTally) tally = gilk_histogram_tally (count, bins, log, values, count);

  do
    gilk_tally_add (tally, values, count);
  while (gilk_tally_again (tally));

  return gilk_histogram_of_tally (tally, log);
}

void
gilk_histogram_free (GilkHistogram *histogram)
{
  if (histogram == NULL)
    return;

  gilk_free_all (histogram->edges, histogram->counts, histogram);
}

/* ---- makes a histogram from a sketch ---- */

#define WHOLE_MAX  0x1p53         /* maximum up to which a double represents all integers exactly */
#define COARSE_MAX 0.05           /* maximum share of all numbers that may be in cells at least half
                                   * a bin wide */

/* The counted numbers of a cell, as a range of integers. */
typedef struct {
  double   low, high;             /* smallest and largest possible number */
  uint64_t n;
} Piece;

typedef struct {
  GArray  *pieces;                /* (element-type Piece): the sketch's non-empty cells,
                                   * ascending */
  uint64_t n, ignored;
  gboolean exact, all;            /* @all: no number of the sketch was left out */
} View;

/* ---- selects the numbers within the bounds ---- */

static double
count_integers (const Piece *piece)
{
  return piece->high - piece->low + 1.0;
}

/* Returns how many numbers of @piece are below @edge. */
static uint64_t
count_below (const Piece *piece, double edge)
{
  double whole = ceil (edge) - piece->low;

  if (whole <= 0.0)
    return 0;
  if (whole >= count_integers (piece))
    return piece->n;

  return (uint64_t) rint ((double) piece->n * (whole / count_integers (piece)));
}

/* Removes numbers outside [@low, @high] from @piece. */
static void
clip_piece (View *view, Piece *piece, double low, double high)
{
  uint64_t above, under;

  if (!(piece->low < low) && !(piece->high > high))
    return;
  view->all = FALSE;
  if (piece->high < low || piece->low > high)
    {
      piece->n = 0;
      return;
    }
  view->exact = FALSE;
  under = piece->low < low ? count_below (piece, low) : 0;
  above = piece->high > high ? piece->n - count_below (piece, floor (high) + 1.0) : 0;
  piece->n -= MIN (piece->n, under + above);
  piece->low = fmax (piece->low, ceil (low));
  piece->high = fmin (piece->high, floor (high));
}

static void
collect_pieces (View *view, const GilkSketch *sketch, double low, double high, gboolean log)
{
  for (guint i = sketch->first; i <= sketch->last && i < GILK_SKETCH_CELLS; i++)
    {
      Piece piece = { gilk_sketch_low (i), gilk_sketch_high (i), sketch->cells[i] };

      if (piece.n == 0)
        continue;
      piece.low = fmax (piece.low, sketch->min);
      piece.high = fmin (piece.high, sketch->max);
      clip_piece (view, &piece, low, high);
      if (log && piece.n > 0 && !(piece.low > 0.0))
        {
          view->ignored += piece.n;
          view->all = FALSE;
          continue;
        }
      view->n += piece.n;
      if (piece.n > 0)
        g_array_append_val (view->pieces, piece);
    }
}

static const Piece *
get_piece (const View *view, guint i)
{
  return &g_array_index (view->pieces, Piece, i);
}

/* ---- computes quantiles and moments ---- */

static double
find_number (View *view, uint64_t rank, guint *i, uint64_t *before)
{
  const Piece *piece;

  while (rank - *before >= get_piece (view, *i)->n)
    *before += get_piece (view, (*i)++)->n;
  piece = get_piece (view, *i);
  view->exact &= piece->low == piece->high;

  return piece->low + floor (((double) (rank - *before) + 0.5) / (double) piece->n * count_integers (piece));
}

/* Interpolates linearly between two numbers, as gilk-histogram.h describes for quantiles. */
static double
compute_quantile (View *view, double p)
{
  double position = p * (double) (view->n - 1);
  uint64_t rank = MIN ((uint64_t) position, view->n - 1), before = 0;
  guint i = 0;
  double value = find_number (view, rank, &i, &before);

  return position > (double) rank ? value + (position - (double) rank) * (find_number (view, rank + 1, &i, &before) - value)
                                  : value;
}

/* Sets mean and deviation. If numbers were left out, computes both from the midpoints of the
 * remaining ranges of integers. */
static void
add_moments (View *view, const GilkSketch *sketch, GilkHistogram *h)
{
  double squares = 0.0;

  h->mean = (double) sketch->mean;
  h->stddev = sketch->n > 1 ? sqrt (sketch->squares / (double) (sketch->n - 1)) : 0.0;
  if (view->all)
    return;
  h->mean = 0.0;
  for (guint i = 0; i < view->pieces->len; i++)
    h->mean += (double) get_piece (view, i)->n / (double) view->n * ((get_piece (view, i)->low + get_piece (view, i)->high) / 2.0);
  for (guint i = 0; i < view->pieces->len; i++)
    {
      const Piece *piece = get_piece (view, i);
      double off = (piece->low + piece->high) / 2.0 - h->mean, wide = count_integers (piece);

      squares += (double) piece->n * (off * off + (wide * wide - 1.0) / 12.0);
      view->exact &= piece->low == piece->high;
    }
  h->stddev = view->n > 1 ? sqrt (squares / (double) (view->n - 1)) : 0.0;
}

/* ---- counts the numbers per bin ---- */

/* Counts the numbers of each bin. Returns FALSE if too many numbers are in cells that are too
 * wide. */
static gboolean
count_bins (View *view, GilkHistogram *h)
{
  uint64_t coarse = 0;

  for (guint i = 0; i < view->pieces->len; i++)
    {
      const Piece *piece = get_piece (view, i);
      guint first = gilk_bins_find (h->edges, 0, h->n_bins - 1, piece->low);
      guint last = gilk_bins_find (h->edges, first, h->n_bins - 1, piece->high);
      uint64_t counted = 0;

      for (guint b = first; b < last; b++)
        {
          uint64_t up_to = count_below (piece, h->edges[b + 1]);

          h->counts[b] += up_to - counted;
          counted = up_to;
        }
      h->counts[last] += piece->n - counted;
      view->exact &= first == last;
      coarse += first < last && 2.0 * count_integers (piece) > h->edges[first + 1] - h->edges[first] ? piece->n : 0;
    }

  return (double) coarse <= COARSE_MAX * (double) view->n;
}

static gboolean
fill_histogram (View *view, const GilkSketch *sketch, guint bins, gboolean log, GilkHistogram *h, GilkBins *placed)
{
  GilkSpread spread;

  h->min = get_piece (view, 0)->low;
  h->max = get_piece (view, view->pieces->len - 1)->high;
  add_moments (view, sketch, h);
  h->median = compute_quantile (view, 0.5);
  h->p90 = compute_quantile (view, 0.9);
  h->p99 = compute_quantile (view, 0.99);
  h->p999 = compute_quantile (view, 0.999);
  spread = (GilkSpread) { .n = view->n, .min = h->min, .max = h->max, .stddev = h->stddev, .q25 = compute_quantile (view, 0.25),
                          .q75 = compute_quantile (view, 0.75), .whole = h->min >= -WHOLE_MAX && h->max <= WHOLE_MAX };
  *placed = gilk_bins_place (&spread, bins, log);
  h->n_bins = placed->n;
  h->edges = gilk_bins_edges (placed, &spread);
  h->counts = g_new0 (uint64_t, h->n_bins);

  return count_bins (view, h);
}

GilkHistogram *
gilk_histogram_of_sketch (const GilkSketch *sketch,
                          double            low,
                          double            high,
                          guint             bins,
                          gboolean          log,
                          gboolean         *exact,
                          GilkBins         *placed)
{
  g_autoptr(GArray) pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  g_autoptr(GilkHistogram) h = g_new0 (GilkHistogram, 1);
  View view = { .pieces = pieces, .exact = TRUE, .all = TRUE };
  GilkBins own;

  collect_pieces (&view, sketch, low, high, log);
  h->log = log;
  h->n = view.n;
  h->ignored = sketch->ignored + view.ignored;
  if (view.n > 0 && !fill_histogram (&view, sketch, bins, log, h, placed != NULL ? placed : &own))
    return NULL;
  *exact = view.exact;

  return g_steal_pointer (&h);
}
