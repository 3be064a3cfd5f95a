/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-tally.c - the passes of a tally: exact quantiles and bins of any number of values, in little
 * memory
 */
#include <math.h>

#include "core/base/gilk-memory.h"
#include "core/stats/gilk-cells.h"
#include "core/stats/gilk-tally.h"

/*
 * Cells and brackets are ranges of keys, which are the bits of doubles (gilk-cells.h).
 */
#define FINE_BITS   12
#define FINE_CELLS  (1u << FINE_BITS)
#define KEPT_MAX    (1u << 21)      /* maximum number of numbers kept in all brackets together */

enum { QUARTILE_1, QUARTILE_3, N_OWN };   /* quartiles, which are needed to place the bins */

/* Marks of a cell: no mark; the cell contains a bracket; the edge of a bin splits the cell. */
enum { IS_PLAIN = 0, IS_NARROWED = 1, IS_CUT = 2 };

typedef struct {
  double   position;          /* fractional rank of the quantile */
  uint64_t rank;              /* rank of the lower of the quantile's two numbers */
  double   value[2];          /* the numbers at ranks @rank and @rank + 1 */
  gboolean known[2];
} GilkTallyQuantile;

typedef struct {
  uint64_t n, low, high;      /* @n: count of numbers in the cell; @low, @high: smallest and largest
                               * key (sortable bits of a double) in it */
} GilkTallyCell;

/* A range of keys that contains wanted ranks. */
typedef struct {
  uint64_t low, high;         /* bounds of the range, both inclusive */
  uint64_t below, n;          /* @below: count of numbers below the range; @n: count of numbers in
                               * it */
  gboolean kept;              /* the bracket's numbers are kept in memory; FALSE: they are counted
                               * in finer cells */
  guint    shift;             /* number of low bits of a key that finer cells ignore */
} GilkTallyBracket;

/* Parameters of a pass; read-only during the pass. */
typedef struct {
  gboolean  log;
  GilkCells cells;
  gboolean  counting, narrowing, binning;
  GArray   *brackets;         /* (element-type GilkTallyBracket): ranges of keys, ascending */
  uint8_t  *marks;            /* one mark per cell */
  uint32_t *first_bin, *last_bin;
  double   *edges;
  guint     n_bins;
} GilkTallyPass;

struct _GilkTally {
  GilkTallyPass         *pass;
  gboolean      is_fork;
  guint         wanted_bins;
  GilkTallyQuantile     *quantiles;    /* the N_OWN quartiles, then the requested quantiles */
  guint         n_quantiles;
  double       *found;
  GilkBins      bins;
  gboolean      bins_given, bins_known;
  gboolean      done;

  /* results so far, updated by each pass */
  uint64_t      n, ignored;
  double        min, max, squares;
  long double   mean;
  gboolean      whole;
  uint64_t     *cells;
  uint64_t      below_high, above_low;    /* largest key in the cell below all others; smallest key
                                           * in the cell above all others */
  uint64_t     *bin_counts;
  GArray      **kept;         /* for each bracket whose numbers are kept: array of their keys
                               * (uint64_t) */
  GilkTallyCell    **fine;         /* for each bracket whose numbers are not kept: FINE_CELLS cells
                                    * that count them */
  guint         n_brackets;   /* number of elements of @kept and @fine, one for each bracket (range
                               * of keys) */
};

static inline gboolean
is_counted (const GilkTallyPass *pass, double value)
{
  return isfinite (value) && (!pass->log || value > 0.0);
}

#define CELL_BITS_MIN 6
#define CELL_BITS_MAX 16

#define BATCH 1024

/* ---- allocates and frees the counts ---- */

static void
allocate_sums (GilkTally *tally)
{
  tally->min = INFINITY;
  tally->max = -INFINITY;
  tally->whole = TRUE;
  tally->cells = g_new0 (uint64_t, tally->pass->cells.n + 2);
  tally->above_low = G_MAXUINT64;
}

static void
drop_brackets (GilkTally *tally)
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

static void
make_brackets (GilkTally *tally)
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
  drop_brackets (tally);
  if (!tally->is_fork)
    {
      g_array_unref (tally->pass->brackets);
      gilk_free_all (tally->pass->marks, tally->pass->first_bin, tally->pass->last_bin,
                     tally->pass->edges, tally->pass);
    }
  gilk_free_all (tally->quantiles, tally->found, tally->cells, tally->bin_counts, tally);
}

/* ---- adds numbers to the tally ---- */

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
  long double mean, sum = 0.0L;     /* long double: a sum of 64-bit numbers of both signs must not lose low bits */

  for (guint i = 0; i < n; i++)
    {
      min = values[i] < min ? values[i] : min;
      max = values[i] > max ? values[i] : max;
      sum += (long double) values[i] - values[0];     /* adding differences is exact if all numbers
                                                       * are equal */
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
          batch[left] = values[at + i] + 0.0;       /* adding 0.0 turns -0 into 0 */
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
    allocate_sums (fork);
  if (tally->pass->narrowing)
    make_brackets (fork);
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

/* ---- computes quantiles from the numbers found ---- */

/* Returns how many numbers the quantile depends on: 2 if it lies between two numbers, else 1. */
static guint
count_sides (const GilkTallyQuantile *quantile)
{
  return quantile->position > (double) quantile->rank ? 2 : 1;
}

static double
compute_quantile (const GilkTallyQuantile *quantile)
{
  double fraction = quantile->position - (double) quantile->rank;

  return count_sides (quantile) == 1 ? quantile->value[0]
         : quantile->value[0] + fraction * (quantile->value[1] - quantile->value[0]);
}

/* Gets the bounds of a quantile. A number that is still unknown is bounded by its bracket, the
 * range of keys that contains it. */
static void
bound_quantile (const GilkTally         *tally,
                const GilkTallyQuantile *quantile,
                double                  *least,
                double                  *greatest)
{
  *least = tally->max;
  *greatest = tally->min;
  if (quantile->known[0] && quantile->known[1])
    {
      *least = *greatest = compute_quantile (quantile);
      return;
    }
  for (guint side = 0; side < count_sides (quantile); side++)
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

/* ---- finds the numbers at the wanted ranks ---- */

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

/* Adds @bracket, the range of keys that contains @rank. If the range has only one number, sets that
 * number instead. */
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

/* Decides for which brackets (ranges of keys) numbers are kept: for those with few numbers,
 * KEPT_MAX numbers in total at most. */
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
static GilkTallyBracket
bracket_of_cell (const GilkTally *tally, guint cell)
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

/* Appends to @brackets the key range of the cell of each rank whose number is still unknown after
 * the first pass. */
static void
find_cells (GilkTally *tally, GArray *brackets)
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
          GilkTallyBracket bracket = bracket_of_cell (tally, cell);

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

/* Finds the wanted numbers in the results of a narrowing pass. Adds to @brackets the key ranges
 * that need another pass. */
static void
find_in_brackets (GilkTally *tally, GArray *brackets)
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

/* ---- creates a tally ---- */

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
  allocate_sums (tally);

  return tally;
}

void
gilk_tally_set_bins (GilkTally      *tally,
                     const GilkBins *bins)
{
  tally->bins = *bins;
  tally->bins_given = TRUE;
}

/* ---- places the bins ---- */

static GilkSpread
make_spread (const GilkTally *tally)
{
  return (GilkSpread) {
    .n = tally->n, .min = tally->min, .max = tally->max, .whole = tally->whole,
    .stddev = tally->n > 1 ? sqrt (tally->squares / (double) (tally->n - 1)) : 0.0,
    .q25 = compute_quantile (&tally->quantiles[QUARTILE_1]),
    .q75 = compute_quantile (&tally->quantiles[QUARTILE_3]),
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
  bound_quantile (tally, &tally->quantiles[QUARTILE_1], &wide.q25, &narrow.q25);
  bound_quantile (tally, &tally->quantiles[QUARTILE_3], &narrow.q75, &wide.q75);
  tally->bins = gilk_bins_place (&narrow, tally->wanted_bins, tally->pass->log);
  other = gilk_bins_place (&wide, tally->wanted_bins, tally->pass->log);

  return tally->bins.n == other.n && tally->bins.low == other.low && tally->bins.high == other.high &&
         (narrow.q75 > narrow.q25 || wide.q75 <= wide.q25 || tally->wanted_bins > 0);
}

/* Adds the counts of each cell that lies in a single bin to that bin; marks cells that the edge of
 * a bin splits. */
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
      cell = bracket_of_cell (tally, i);
      pass->first_bin[i] = gilk_bins_find (pass->edges, 0, pass->n_bins - 1, gilk_key_value (cell.low));
      pass->last_bin[i] = gilk_bins_find (pass->edges, 0, pass->n_bins - 1, gilk_key_value (cell.high));
      if (pass->first_bin[i] == pass->last_bin[i])
        tally->bin_counts[pass->first_bin[i]] += tally->cells[i];
      else
        pass->marks[i] |= IS_CUT;
    }
}

/* ---- starts and ends the passes ---- */

static void
begin_ranks (GilkTally *tally)
{
  for (guint q = 0; q < tally->n_quantiles; q++)
    {
      GilkTallyQuantile *quantile = &tally->quantiles[q];

      quantile->position *= (double) (tally->n - 1);
      quantile->rank = MIN ((uint64_t) quantile->position, tally->n - 1);
      quantile->known[1] = count_sides (quantile) == 1;
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
    tally->found[q - N_OWN] = compute_quantile (&tally->quantiles[q]);
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
      find_cells (tally, brackets);
    }
  else
    {
      find_in_brackets (tally, brackets);
      memset (pass->marks, IS_PLAIN, pass->cells.n + 2);
    }
  drop_brackets (tally);
  g_array_unref (pass->brackets);
  pass->brackets = brackets;
  make_brackets (tally);
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
