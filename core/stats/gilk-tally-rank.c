/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-tally-rank.c - finding the number at each wanted rank, or its bracket
 */
#include "core/stats/gilk-tally-private.h"

/* Returns how many numbers the quantile depends on. */
guint
gilk_tally_sides (const GilkTallyQuantile *quantile)
{
  return quantile->position > (double) quantile->rank ? 2 : 1;
}

double
gilk_tally_quantile (const GilkTallyQuantile *quantile)
{
  double fraction = quantile->position - (double) quantile->rank;

  return gilk_tally_sides (quantile) == 1 ? quantile->value[0]
         : quantile->value[0] + fraction * (quantile->value[1] - quantile->value[0]);
}

/* Returns the bounds of a quantile, from the brackets of numbers that are unknown. */
void
gilk_tally_bound_quantile (const GilkTally         *tally,
                           const GilkTallyQuantile *quantile,
                           double                  *least,
                           double                  *greatest)
{
  *least = tally->max;
  *greatest = tally->min;
  if (quantile->known[0] && quantile->known[1])
    {
      *least = *greatest = gilk_tally_quantile (quantile);
      return;
    }
  for (guint side = 0; side < gilk_tally_sides (quantile); side++)
    {
      uint64_t rank = quantile->rank + side;

      if (quantile->known[side])
        {
          *least = MIN (*least, quantile->value[side]);
          *greatest = MAX (*greatest, quantile->value[side]);
        }
      for (guint i = 0; !quantile->known[side] && i < tally->pass->brackets->len; i++)
        {
          const GilkTallyBracket *bracket = &g_array_index (tally->pass->brackets, GilkTallyBracket, i);

          if (rank < bracket->below || rank - bracket->below >= bracket->n)
            continue;
          *least = MIN (*least, gilk_key_value (bracket->low));
          *greatest = MAX (*greatest, gilk_key_value (bracket->high));
        }
    }
}

/* ---- ranks ---- */

/* Sets the number at @rank in all quantiles that need it. */
static void
set_rank (GilkTally *tally, uint64_t rank, double value)
{
  for (guint q = 0; q < tally->n_quantiles; q++)
    for (guint side = 0; side < 2; side++)
      if (tally->quantiles[q].rank + side == rank)
        {
          tally->quantiles[q].value[side] = value;
          tally->quantiles[q].known[side] = TRUE;
        }
}

/* Returns the ranks whose numbers are unknown, ascending. (transfer full) */
static GArray *
list_open_ranks (const GilkTally *tally)
{
  GArray *ranks = g_array_new (FALSE, FALSE, sizeof (uint64_t));

  for (guint q = 0; q < tally->n_quantiles; q++)
    for (guint side = 0; side < 2; side++)
      if (!tally->quantiles[q].known[side])
        {
          uint64_t rank = tally->quantiles[q].rank + side;

          g_array_append_val (ranks, rank);
        }
  g_array_sort (ranks, gilk_keys_compare);

  return ranks;
}

/* Adds @bracket, which contains @rank, unless only one number is possible. */
static void
narrow_rank (GilkTally *tally, GArray *brackets, uint64_t rank, const GilkTallyBracket *bracket)
{
  const GilkTallyBracket *last =
    brackets->len > 0 ? &g_array_index (brackets, GilkTallyBracket, brackets->len - 1) : NULL;

  if (bracket->low == bracket->high)
    set_rank (tally, rank, gilk_key_value (bracket->low));
  else if (last == NULL || last->low != bracket->low)
    g_array_append_val (brackets, *bracket);
}

/* Decides which brackets keep their numbers: those with few, within KEPT_MAX in total. */
static void
choose_kept_brackets (GArray *brackets)
{
  for (guint i = 0; i < brackets->len; i++)
    {
      GilkTallyBracket *bracket = &g_array_index (brackets, GilkTallyBracket, i);

      bracket->kept = bracket->n <= KEPT_MAX / brackets->len;
      bracket->shift = gilk_cells_shift (bracket->high - bracket->low, FINE_BITS);
    }
}

/* Returns the range of keys that occur in a cell. */
GilkTallyBracket
gilk_tally_bracket_of_cell (const GilkTally *tally, guint cell)
{
  const GilkTallyPass *pass = tally->pass;
  uint64_t least = gilk_key_of (tally->min), greatest = gilk_key_of (tally->max);
  GilkTallyBracket bracket = { .low = pass->cells.base + ((uint64_t) cell << pass->cells.shift) };

  bracket.high = bracket.low + (((uint64_t) 1 << pass->cells.shift) - 1);
  if (bracket.high < bracket.low)
    bracket.high = G_MAXUINT64;
  if (cell == gilk_cell_below (&pass->cells) || cell == gilk_cell_above (&pass->cells))
    {
      bracket.low = cell == gilk_cell_below (&pass->cells) ? least : tally->above_low;
      bracket.high = cell == gilk_cell_below (&pass->cells) ? tally->below_high : greatest;
    }
  bracket.low = MAX (bracket.low, least);
  bracket.high = MIN (bracket.high, greatest);
  bracket.n = tally->cells[cell];

  return bracket;
}

/* Finds the cell of each unknown rank. */
void
gilk_tally_find_cells (GilkTally *tally, GArray *brackets)
{
  g_autoptr(GArray) ranks = list_open_ranks (tally);
  uint64_t below = 0;
  guint r = 0;

  for (guint i = 0; i < tally->pass->cells.n + 2 && r < ranks->len; i++)
    {
      guint cell = gilk_cells_in_order (&tally->pass->cells, i);
      uint64_t n = tally->cells[cell];

      while (r < ranks->len && g_array_index (ranks, uint64_t, r) < below + n)
        {
          GilkTallyBracket bracket = gilk_tally_bracket_of_cell (tally, cell);

          bracket.below = below;
          narrow_rank (tally, brackets, g_array_index (ranks, uint64_t, r++), &bracket);
        }
      below += n;
    }
  choose_kept_brackets (brackets);
}

static void
find_kept (GilkTally *tally, const GilkTallyBracket *bracket, GArray *keys, const GArray *ranks)
{
  g_array_sort (keys, gilk_keys_compare);
  for (guint r = 0; r < ranks->len; r++)
    {
      uint64_t rank = g_array_index (ranks, uint64_t, r);

      if (rank >= bracket->below && rank - bracket->below < keys->len)
        set_rank (tally, rank, gilk_key_value (g_array_index (keys, uint64_t, rank - bracket->below)));
    }
}

static void
find_fine (GilkTally *tally, const GilkTallyBracket *bracket, const GilkTallyCell *fine,
           const GArray *ranks, GArray *brackets)
{
  uint64_t below = bracket->below;
  guint r = 0;

  for (guint i = 0; i < FINE_CELLS; i++)
    {
      const GilkTallyBracket finer = { .below = below, .n = fine[i].n, .low = fine[i].low,
                              .high = fine[i].high };

      while (r < ranks->len && g_array_index (ranks, uint64_t, r) < below)
        r++;
      while (r < ranks->len && g_array_index (ranks, uint64_t, r) < below + fine[i].n)
        narrow_rank (tally, brackets, g_array_index (ranks, uint64_t, r++), &finer);
      below += fine[i].n;
    }
}

/* Evaluates a narrowing pass and adds to @brackets the brackets that are still needed. */
void
gilk_tally_find_in_brackets (GilkTally *tally, GArray *brackets)
{
  g_autoptr(GArray) ranks = list_open_ranks (tally);

  for (guint i = 0; i < tally->n_brackets; i++)
    {
      const GilkTallyBracket *bracket = &g_array_index (tally->pass->brackets, GilkTallyBracket, i);

      if (bracket->kept)
        find_kept (tally, bracket, tally->kept[i], ranks);
      else
        find_fine (tally, bracket, tally->fine[i], ranks, brackets);
    }
  choose_kept_brackets (brackets);
}
