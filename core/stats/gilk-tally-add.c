/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-tally-add.c - adding numbers to the cells and brackets of a pass
 */
#include "core/stats/gilk-tally-private.h"

#define BATCH 1024

/* ---- memory ---- */

void
gilk_tally_begin_sums (GilkTally *tally)
{
  tally->min = INFINITY;
  tally->max = -INFINITY;
  tally->whole = TRUE;
  tally->cells = g_new0 (uint64_t, tally->pass->cells.n + 2);
  tally->above_low = G_MAXUINT64;
}

void
gilk_tally_drop_brackets (GilkTally *tally)
{
  for (guint i = 0; i < tally->n_brackets; i++)
    {
      g_clear_pointer (&tally->kept[i], g_array_unref);
      g_free (tally->fine[i]);
    }
  g_clear_pointer (&tally->kept, g_free);
  g_clear_pointer (&tally->fine, g_free);
  tally->n_brackets = 0;
}

void
gilk_tally_make_brackets (GilkTally *tally)
{
  const GArray *brackets = tally->pass->brackets;

  tally->n_brackets = brackets->len;
  tally->kept = g_new0 (GArray *, brackets->len);
  tally->fine = g_new0 (GilkTallyCell *, brackets->len);
  for (guint i = 0; i < brackets->len; i++)
    if (g_array_index (brackets, GilkTallyBracket, i).kept)
      tally->kept[i] = g_array_new (FALSE, FALSE, sizeof (uint64_t));
    else
      tally->fine[i] = g_new0 (GilkTallyCell, FINE_CELLS);
}

void
gilk_tally_free (GilkTally *tally)
{
  if (tally == NULL)
    return;
  gilk_tally_drop_brackets (tally);
  if (!tally->is_fork)
    {
      g_array_unref (tally->pass->brackets);
      g_free (tally->pass->marks);
      g_free (tally->pass->first_bin);
      g_free (tally->pass->last_bin);
      g_free (tally->pass->edges);
      g_free (tally->pass);
    }
  g_free (tally->quantiles);
  g_free (tally->found);
  g_free (tally->cells);
  g_free (tally->bin_counts);
  g_free (tally);
}

/* ---- adding ---- */

/* Adds the moments of @n numbers whose mean is @mean (Chan, Golub and LeVeque, 1979). */
static void
add_moments (GilkTally *tally, uint64_t n, long double mean, double squares)
{
  const long double delta = mean - tally->mean, total = (long double) (tally->n + n);

  if (n == 0)
    return;
  tally->mean += delta * (long double) n / total;
  tally->squares += squares + (double) (delta * delta * (long double) tally->n * (long double) n / total);
  tally->n += n;
}

static gboolean
are_all_whole (const double *values, guint n)
{
  for (guint i = 0; i < n; i++)
    if (!(fabs (values[i]) <= 9007199254740992.0) || (double) (int64_t) values[i] != values[i])
      return FALSE;

  return TRUE;
}

static void
add_sums (GilkTally *tally, const double *values, guint n)
{
  double min = tally->min, max = tally->max, squares = 0.0;
  long double mean, sum = 0.0L;     /* long double, so that 64-bit numbers of either sign do not cancel */

  for (guint i = 0; i < n; i++)
    {
      min = values[i] < min ? values[i] : min;
      max = values[i] > max ? values[i] : max;
      sum += (long double) values[i] - values[0];     /* exact if all numbers are equal */
    }
  mean = values[0] + sum / n;
  for (guint i = 0; i < n; i++)
    squares += (values[i] - (double) mean) * (values[i] - (double) mean);
  tally->min = min;
  tally->max = max;
  tally->whole = tally->whole && are_all_whole (values, n);
  add_moments (tally, n, mean, squares);
}

static inline void
add_to_fine (GilkTallyCell *cell, uint64_t n, uint64_t low, uint64_t high)
{
  cell->low = cell->n == 0 ? low : MIN (cell->low, low);
  cell->high = MAX (cell->high, high);
  cell->n += n;
}

static void
add_to_brackets (GilkTally *tally, uint64_t key)
{
  const GArray *brackets = tally->pass->brackets;

  for (guint i = 0; i < brackets->len; i++)
    {
      const GilkTallyBracket *bracket = &g_array_index (brackets, GilkTallyBracket, i);

      if (key < bracket->low || key > bracket->high)
        continue;
      if (bracket->kept)
        g_array_append_val (tally->kept[i], key);
      else
        add_to_fine (&tally->fine[i][(key - bracket->low) >> bracket->shift], 1, key, key);
      return;
    }
}

static void
add_cells (GilkTally *tally, const double *values, guint n)
{
  const GilkTallyPass *pass = tally->pass;

  for (guint i = 0; i < n; i++)
    {
      uint64_t key = gilk_key_of (values[i]);
      guint cell = gilk_cells_find (&pass->cells, key);

      tally->cells[cell]++;
      if (cell == gilk_cell_below (&pass->cells))
        tally->below_high = MAX (tally->below_high, key);
      else if (cell == gilk_cell_above (&pass->cells))
        tally->above_low = MIN (tally->above_low, key);
    }
}

static void
add_marked (GilkTally *tally, const double *values, guint n)
{
  const GilkTallyPass *pass = tally->pass;

  for (guint i = 0; i < n; i++)
    {
      uint64_t key = gilk_key_of (values[i]);
      guint cell = gilk_cells_find (&pass->cells, key);

      if (pass->marks[cell] == IS_PLAIN)
        continue;
      if ((pass->marks[cell] & IS_NARROWED) != 0)
        add_to_brackets (tally, key);
      if ((pass->marks[cell] & IS_CUT) != 0)
        tally->bin_counts[gilk_bins_find (pass->edges, pass->first_bin[cell], pass->last_bin[cell],
                                          values[i])]++;
    }
}

void
gilk_tally_add (GilkTally    *tally,
                const double *values,
                gsize         n)
{
  const GilkTallyPass *pass = tally->pass;
  double batch[BATCH];

  for (gsize at = 0; at < n; at += BATCH)
    {
      guint count = (guint) MIN (n - at, BATCH), left = 0;

      for (guint i = 0; i < count; i++)
        {
          batch[left] = values[at + i] + 0.0;       /* turns -0 into 0 */
          left += is_counted (pass, values[at + i]);
        }
      if (pass->counting)
        {
          tally->ignored += count - left;
          if (left > 0)
            add_sums (tally, batch, left);
          add_cells (tally, batch, left);
        }
      else
        add_marked (tally, batch, left);
    }
}

GilkTally *
gilk_tally_fork (const GilkTally *tally)
{
  GilkTally *fork = g_new0 (GilkTally, 1);

  fork->is_fork = TRUE;
  fork->pass = tally->pass;
  if (tally->pass->counting)
    gilk_tally_begin_sums (fork);
  if (tally->pass->narrowing)
    gilk_tally_make_brackets (fork);
  if (tally->pass->binning)
    fork->bin_counts = g_new0 (uint64_t, tally->pass->n_bins);

  return fork;
}

void
gilk_tally_join (GilkTally *tally,
                 GilkTally *fork)
{
  if (tally->pass->counting)
    {
      add_moments (tally, fork->n, fork->mean, fork->squares);
      tally->ignored += fork->ignored;
      tally->min = MIN (tally->min, fork->min);
      tally->max = MAX (tally->max, fork->max);
      tally->whole = tally->whole && fork->whole;
      tally->below_high = MAX (tally->below_high, fork->below_high);
      tally->above_low = MIN (tally->above_low, fork->above_low);
      for (guint i = 0; i < tally->pass->cells.n + 2; i++)
        tally->cells[i] += fork->cells[i];
    }
  for (guint b = 0; b < fork->n_brackets; b++)
    if (fork->kept[b] != NULL)
      g_array_append_vals (tally->kept[b], fork->kept[b]->data, fork->kept[b]->len);
    else
      for (guint i = 0; i < FINE_CELLS; i++)
        if (fork->fine[b][i].n > 0)
          add_to_fine (&tally->fine[b][i], fork->fine[b][i].n, fork->fine[b][i].low,
                       fork->fine[b][i].high);
  for (guint i = 0; tally->pass->binning && i < tally->pass->n_bins; i++)
    tally->bin_counts[i] += fork->bin_counts[i];
  gilk_tally_free (fork);
}
