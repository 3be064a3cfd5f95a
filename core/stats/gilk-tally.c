/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-tally.c - exact quantiles and bins of any number of values, in little memory: the passes
 */
#include "core/stats/gilk-tally-private.h"

#define CELL_BITS_MIN 6
#define CELL_BITS_MAX 16

/* ---- construction ---- */

static void
place_cells (GilkTallyPass *pass, uint64_t about, const double *hint, gsize n)
{
  guint bits = CLAMP (66 - (guint) __builtin_clzll (about | 1), CELL_BITS_MIN, CELL_BITS_MAX);
  g_autofree double *counted = g_new (double, n + 1);
  gsize left = 0;

  for (gsize i = 0; i < n; i++)
    if (is_counted (pass, hint[i]))
      counted[left++] = hint[i];
  pass->cells = gilk_cells_place (bits, counted, left);
}

GilkTally *
gilk_tally_new (uint64_t      about,
                guint         bins,
                gboolean      log,
                const double *at,
                guint         n_at,
                const double *hint,
                gsize         n_hint)
{
  GilkTally *tally = g_new0 (GilkTally, 1);

  tally->pass = g_new0 (GilkTallyPass, 1);
  tally->pass->log = log;
  tally->pass->counting = TRUE;
  tally->pass->brackets = g_array_new (FALSE, FALSE, sizeof (GilkTallyBracket));
  place_cells (tally->pass, about, hint, n_hint);
  tally->wanted_bins = bins;
  tally->n_quantiles = N_OWN + n_at;
  tally->quantiles = g_new0 (GilkTallyQuantile, tally->n_quantiles);
  tally->quantiles[QUARTILE_1].position = 0.25;
  tally->quantiles[QUARTILE_3].position = 0.75;
  for (guint i = 0; i < n_at; i++)
    tally->quantiles[N_OWN + i].position = CLAMP (at[i], 0.0, 1.0);
  tally->found = g_new0 (double, n_at + 1);
  gilk_tally_begin_sums (tally);

  return tally;
}

void
gilk_tally_set_bins (GilkTally      *tally,
                     const GilkBins *bins)
{
  tally->bins = *bins;
  tally->bins_given = TRUE;
}

/* ---- bins ---- */

static GilkSpread
make_spread (const GilkTally *tally)
{
  return (GilkSpread) {
    .n = tally->n, .min = tally->min, .max = tally->max, .whole = tally->whole,
    .stddev = tally->n > 1 ? sqrt (tally->squares / (double) (tally->n - 1)) : 0.0,
    .q25 = gilk_tally_quantile (&tally->quantiles[QUARTILE_1]),
    .q75 = gilk_tally_quantile (&tally->quantiles[QUARTILE_3]),
  };
}

/* Returns TRUE if the bins are the same for every possible value of the quartiles. */
static gboolean
place_bins (GilkTally *tally)
{
  GilkSpread narrow = make_spread (tally), wide = narrow;
  GilkBins other;

  if (tally->bins_given)
    return TRUE;
  gilk_tally_bound_quantile (tally, &tally->quantiles[QUARTILE_1], &wide.q25, &narrow.q25);
  gilk_tally_bound_quantile (tally, &tally->quantiles[QUARTILE_3], &narrow.q75, &wide.q75);
  tally->bins = gilk_bins_place (&narrow, tally->wanted_bins, tally->pass->log);
  other = gilk_bins_place (&wide, tally->wanted_bins, tally->pass->log);

  return tally->bins.n == other.n && tally->bins.low == other.low && tally->bins.high == other.high &&
         (narrow.q75 > narrow.q25 || wide.q75 <= wide.q25 || tally->wanted_bins > 0);
}

/* Counts cells that are in one bin; marks those that an edge splits. */
static void
begin_bins (GilkTally *tally)
{
  const GilkSpread spread = make_spread (tally);
  GilkTallyPass *pass = tally->pass;

  tally->bins_known = TRUE;
  pass->binning = TRUE;
  pass->edges = gilk_bins_edges (&tally->bins, &spread);
  pass->n_bins = tally->bins.n;
  pass->first_bin = g_new0 (uint32_t, pass->cells.n + 2);
  pass->last_bin = g_new0 (uint32_t, pass->cells.n + 2);
  tally->bin_counts = g_new0 (uint64_t, pass->n_bins);
  for (guint i = 0; i < pass->cells.n + 2; i++)
    {
      GilkTallyBracket cell;

      if (tally->cells[i] == 0)
        continue;
      cell = gilk_tally_bracket_of_cell (tally, i);
      pass->first_bin[i] = gilk_bins_find (pass->edges, 0, pass->n_bins - 1, gilk_key_value (cell.low));
      pass->last_bin[i] = gilk_bins_find (pass->edges, 0, pass->n_bins - 1, gilk_key_value (cell.high));
      if (pass->first_bin[i] == pass->last_bin[i])
        tally->bin_counts[pass->first_bin[i]] += tally->cells[i];
      else
        pass->marks[i] |= IS_CUT;
    }
}

/* ---- passes ---- */

static void
begin_ranks (GilkTally *tally)
{
  for (guint q = 0; q < tally->n_quantiles; q++)
    {
      GilkTallyQuantile *quantile = &tally->quantiles[q];

      quantile->position *= (double) (tally->n - 1);
      quantile->rank = MIN ((uint64_t) quantile->position, tally->n - 1);
      quantile->known[1] = gilk_tally_sides (quantile) == 1;
    }
}

static void
mark_brackets (GilkTallyPass *pass)
{
  for (guint i = 0; i < pass->brackets->len; i++)
    pass->marks[gilk_cells_find (&pass->cells, g_array_index (pass->brackets, GilkTallyBracket, i).low)] |= IS_NARROWED;
}

static gboolean
has_cut_cells (const GilkTallyPass *pass)
{
  for (guint i = 0; i < pass->cells.n + 2; i++)
    if ((pass->marks[i] & IS_CUT) != 0)
      return TRUE;

  return FALSE;
}

static void
finish_tally (GilkTally *tally)
{
  for (guint q = N_OWN; q < tally->n_quantiles; q++)
    tally->found[q - N_OWN] = gilk_tally_quantile (&tally->quantiles[q]);
  tally->done = TRUE;
}

gboolean
gilk_tally_again (GilkTally *tally)
{
  GilkTallyPass *pass = tally->pass;
  GArray *brackets;

  g_assert (!tally->is_fork && !tally->done);
  if (tally->n == 0)
    {
      tally->done = TRUE;
      return FALSE;
    }
  brackets = g_array_new (FALSE, FALSE, sizeof (GilkTallyBracket));
  if (pass->counting)
    {
      pass->marks = g_new0 (uint8_t, pass->cells.n + 2);
      begin_ranks (tally);
      gilk_tally_find_cells (tally, brackets);
    }
  else
    {
      gilk_tally_find_in_brackets (tally, brackets);
      memset (pass->marks, IS_PLAIN, pass->cells.n + 2);
    }
  gilk_tally_drop_brackets (tally);
  g_array_unref (pass->brackets);
  pass->brackets = brackets;
  gilk_tally_make_brackets (tally);
  pass->counting = FALSE;
  pass->binning = FALSE;
  pass->narrowing = brackets->len > 0;
  mark_brackets (pass);
  if (!tally->bins_known && place_bins (tally))
    begin_bins (tally);
  if (pass->narrowing || has_cut_cells (pass))
    return TRUE;
  finish_tally (tally);

  return FALSE;
}

GilkTallied
gilk_tally_result (const GilkTally *tally)
{
  GilkTallied result = { .ignored = tally->ignored };

  g_assert (tally->done);
  if (tally->n == 0)
    return result;
  result.spread = make_spread (tally);
  result.bins = tally->bins;
  result.mean = (double) tally->mean;
  result.edges = tally->pass->edges;
  result.counts = tally->bin_counts;
  result.quantiles = tally->found;

  return result;
}
