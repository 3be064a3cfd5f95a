/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-sweep.c - passes that yield numbers in ascending order
 */
#include <math.h>
#include <stdlib.h>

#include "core/stats/gilk-cells.h"
#include "core/stats/gilk-sweep.h"

/* A piece: the count of the numbers in a range of keys. A key is the sortable bits of a double. */
typedef struct {
  uint64_t n[GILK_SWEEP_SIDES];
  uint64_t low, high;         /* smallest and largest key that occur in the range */
  gboolean wanted;
} GilkSweepPiece;

typedef struct { uint64_t low, high; } GilkSweepRange;

/* Parameters of a pass. They do not change during the pass; numbers are added to @kept and @steps
 * by atomic operations. */
typedef struct {
  enum { COUNTING, KEEPING, STEPPING } what;
  GilkCells cells;            /* counting */
  GArray   *ranges;           /* (element-type GilkSweepRange): ascending; numbers with keys outside
                               * of these ranges are ignored */
  double    unit;
  uint64_t *kept[GILK_SWEEP_SIDES];      /* in a pass that keeps numbers: the keys of the numbers,
                                          * for each side */
  uint64_t  room[GILK_SWEEP_SIDES], taken[GILK_SWEEP_SIDES];
  uint32_t *steps[GILK_SWEEP_SIDES];     /* in a pass that counts whole numbers: count of each
                                          * number */
  gint64    base;
} GilkSweepPass;

struct _GilkSweep {
  GilkSweepPass         *pass;
  gboolean               is_fork;
  const GilkSweepViewer *viewer;
  gpointer               data;
  gsize                  room;
  GArray                *pieces;      /* (element-type GilkSweepPiece), in ascending order of
                                       * keys */
  guint                  next, end;   /* @next: first piece not passed to the viewer yet; @end:
                                       * index after the last piece that this pass covers */
  uint64_t               below[GILK_SWEEP_SIDES];
  gboolean               inconsistent;

  /* results of the passes so far: */
  gboolean               begun;       /* the first pass is over */
  gboolean               whole;
  GilkSweepSummary          sides[GILK_SWEEP_SIDES];
  GilkSweepPiece        *counted;     /* counts of the pass: one piece per cell */
};

#define CELL_BITS   16
#define ROOM        ((gsize) 8 << 20)     /* default limit on the count of numbers kept in memory */
#define REPEATS_SHARE 4096

enum { A, B, SIDES = GILK_SWEEP_SIDES };

#define BATCH       1024
#define WHOLE_MAX   9007199254740992.0    /* 2^53 */

/* ---- adds numbers to the sweep ---- */

static void
add_mean (GilkSweepSummary *side, uint64_t n, double mean)
{
  side->n += n;
  if (n > 0)
    side->mean += (mean - side->mean) * ((double) n / (double) side->n);
}

static gboolean
is_whole (double value, double unit)
{
  double number = rint (value * unit);

  return fabs (number) < WHOLE_MAX && number / unit == value;
}

static void
add_sums (GilkSweep *sweep, guint side, const double *values, guint n)
{
  GilkSweepSummary *sums = &sweep->sides[side];
  long double sum = 0.0L;     /* long double, so that a sum of 64-bit numbers of both signs loses no
                               * digits */

  if (n == 0)
    return;
  if (sums->n == 0)
    sums->min = sums->max = values[0];
  for (guint i = 0; i < n; i++)
    {
      sums->min = values[i] < sums->min ? values[i] : sums->min;
      sums->max = values[i] > sums->max ? values[i] : sums->max;
      sum += (long double) values[i] - values[0];       /* adding differences is exact if all
                                                         * numbers are equal */
    }
  for (guint i = 0; sweep->whole && i < n; i++)
    sweep->whole = is_whole (values[i], sweep->pass->unit);
  add_mean (sums, n, (double) (values[0] + sum / n));
}

/* Returns TRUE if @key is in a range; there are few ranges, usually one. */
static inline gboolean
is_in_ranges (const GilkSweepPass *pass, uint64_t key)
{
  const GilkSweepRange *ranges = (const GilkSweepRange *) (gconstpointer) pass->ranges->data;
  guint low = 0, high = pass->ranges->len;

  while (low + 1 < high)
    {
      guint middle = low + (high - low) / 2;

      if (key < ranges[middle].low)
        high = middle;
      else
        low = middle;
    }

  return key >= ranges[low].low && key <= ranges[low].high;
}

static void
add_counted (GilkSweep *sweep, guint side, const double *values, guint n)
{
  const GilkSweepPass *pass = sweep->pass;

  for (guint i = 0; i < n; i++)
    {
      uint64_t key = gilk_key_of (values[i]);
      GilkSweepPiece *piece = &sweep->counted[gilk_cells_find (&pass->cells, key)];

      if (!is_in_ranges (pass, key))
        continue;
      piece->n[side]++;
      piece->low = MIN (piece->low, key);
      piece->high = MAX (piece->high, key);
    }
}

static void
add_kept (GilkSweep *sweep, guint side, const double *values, guint n)
{
  GilkSweepPass *pass = sweep->pass;
  uint64_t keys[BATCH], at;
  guint count = 0;

  for (guint i = 0; i < n; i++)
    {
      keys[count] = gilk_key_of (values[i]);
      count += is_in_ranges (pass, keys[count]);
    }
  at = __atomic_fetch_add (&pass->taken[side], count, __ATOMIC_RELAXED);
  if (at < pass->room[side])
    memcpy (pass->kept[side] + at, keys, MIN (count, pass->room[side] - at) * sizeof *keys);
}

static void
add_steps (GilkSweep *sweep, guint side, const double *values, guint n)
{
  GilkSweepPass *pass = sweep->pass;
  guint count = 0;

  for (guint i = 0; i < n; i++)
    if (is_in_ranges (pass, gilk_key_of (values[i])))
      {
        gint64 step = (gint64) rint (values[i] * pass->unit) - pass->base;

        __atomic_fetch_add (&pass->steps[side][step], 1, __ATOMIC_RELAXED);
        count++;
      }
  __atomic_fetch_add (&pass->taken[side], count, __ATOMIC_RELAXED);
}

void
gilk_sweep_add (GilkSweep    *sweep,
                guint         side,
                const double *values,
                gsize         n)
{
  double batch[BATCH];

  for (gsize at = 0; at < n; at += BATCH)
    {
      guint count = (guint) MIN (n - at, BATCH), left = 0;

      for (guint i = 0; i < count; i++)
        {
          batch[left] = values[at + i] + 0.0;       /* adding 0.0 turns -0 into 0 */
          left += isfinite (values[at + i]) != 0;
        }
      if (!sweep->begun)
        {
          sweep->sides[side].ignored += count - left;
          add_sums (sweep, side, batch, left);
        }
      if (sweep->pass->what == COUNTING)
        add_counted (sweep, side, batch, left);
      else if (sweep->pass->what == KEEPING)
        add_kept (sweep, side, batch, left);
      else
        add_steps (sweep, side, batch, left);
    }
}

static void
allocate_counts (GilkSweep *sweep)
{
  guint n = sweep->pass->cells.n + 2;

  g_free (sweep->counted);
  sweep->counted = g_new0 (GilkSweepPiece, n);
  for (guint i = 0; i < n; i++)
    sweep->counted[i].low = G_MAXUINT64;
}

GilkSweep *
gilk_sweep_fork (GilkSweep *sweep)
{
  GilkSweep *fork = g_new0 (GilkSweep, 1);

  fork->is_fork = TRUE;
  fork->pass = sweep->pass;
  fork->begun = sweep->begun;
  fork->whole = TRUE;
  if (sweep->pass->what == COUNTING)
    allocate_counts (fork);

  return fork;
}

static void
join_sides (GilkSweepSummary *to, const GilkSweepSummary *from)
{
  if (from->n > 0)
    {
      to->min = to->n == 0 ? from->min : MIN (to->min, from->min);
      to->max = to->n == 0 ? from->max : MAX (to->max, from->max);
      add_mean (to, from->n, from->mean);
    }
  to->ignored += from->ignored;
}

void
gilk_sweep_join (GilkSweep *sweep,
                 GilkSweep *fork)
{
  for (guint side = 0; side < GILK_SWEEP_SIDES; side++)
    join_sides (&sweep->sides[side], &fork->sides[side]);
  sweep->whole = sweep->whole && fork->whole;
  for (guint i = 0; sweep->pass->what == COUNTING && i < sweep->pass->cells.n + 2; i++)
    {
      GilkSweepPiece *piece = &sweep->counted[i];

      for (guint side = 0; side < GILK_SWEEP_SIDES; side++)
        piece->n[side] += fork->counted[i].n[side];
      piece->low = MIN (piece->low, fork->counted[i].low);
      piece->high = MAX (piece->high, fork->counted[i].high);
    }
  gilk_sweep_free (fork);
}

/* ---- creates and frees a sweep ---- */

static void
set_range (GilkSweepPass *pass, uint64_t low, uint64_t high)
{
  const GilkSweepRange range = { low, high };

  g_array_set_size (pass->ranges, 0);
  g_array_append_val (pass->ranges, range);
}

GilkSweep *
gilk_sweep_new (double                 unit,
                gsize                  room,
                const double          *hint,
                gsize                  n_hint,
                const GilkSweepViewer *viewer,
                gpointer               data)
{
  GilkSweep *sweep = g_new0 (GilkSweep, 1);
  g_autofree double *finite = g_new (double, n_hint + 1);
  gsize n = 0;

  for (gsize i = 0; i < n_hint; i++)
    if (isfinite (hint[i]))
      finite[n++] = hint[i];
  sweep->pass = g_new0 (GilkSweepPass, 1);
  sweep->pass->unit = unit;
  sweep->pass->cells = gilk_cells_place (CELL_BITS, finite, n);
  sweep->pass->ranges = g_array_new (FALSE, FALSE, sizeof (GilkSweepRange));
  set_range (sweep->pass, 0, G_MAXUINT64);
  sweep->viewer = viewer;
  sweep->data = data;
  sweep->room = room > 0 ? room : ROOM;
  sweep->pieces = g_array_new (FALSE, FALSE, sizeof (GilkSweepPiece));
  sweep->whole = TRUE;
  allocate_counts (sweep);

  return sweep;
}

static void
drop_pass_data (GilkSweepPass *pass)
{
  for (guint side = 0; side < SIDES; side++)
    {
      g_clear_pointer (&pass->kept[side], g_free);
      g_clear_pointer (&pass->steps[side], g_free);
      pass->room[side] = pass->taken[side] = 0;
    }
}

void
gilk_sweep_free (GilkSweep *sweep)
{
  if (sweep == NULL)
    return;
  if (!sweep->is_fork)
    {
      drop_pass_data (sweep->pass);
      g_array_unref (sweep->pass->ranges);
      g_array_unref (sweep->pieces);
      g_free (sweep->pass);
    }
  g_free (sweep->counted);
  g_free (sweep);
}

/* ---- pieces: counts of the numbers in ranges of keys ---- */

static uint64_t
count_piece (const GilkSweepPiece *piece)
{
  return piece->n[A] + piece->n[B];
}

static gboolean
is_wanted (const GilkSweep *sweep, const GilkSweepPiece *piece, const uint64_t *below)
{
  return sweep->viewer->wants == NULL ||
         sweep->viewer->wants (gilk_key_value (piece->low), gilk_key_value (piece->high), below, piece->n,
                               sweep->data);
}

/* Replaces @instead pieces, from piece @at on, by finer pieces: the cells counted in this pass. */
static void
replace_pieces (GilkSweep *sweep, guint at, guint instead)
{
  g_autoptr(GArray) pieces = g_array_new (FALSE, FALSE, sizeof (GilkSweepPiece));
  uint64_t below[SIDES] = { sweep->below[A], sweep->below[B] };

  for (guint i = 0; i < sweep->pass->cells.n + 2; i++)
    {
      GilkSweepPiece piece = sweep->counted[gilk_cells_in_order (&sweep->pass->cells, i)];

      if (count_piece (&piece) == 0)
        continue;
      piece.wanted = is_wanted (sweep, &piece, below);
      for (guint side = 0; side < SIDES; side++)
        below[side] += piece.n[side];
      g_array_append_val (pieces, piece);
    }
  g_array_remove_range (sweep->pieces, at, instead);
  g_array_insert_vals (sweep->pieces, at, pieces->data, pieces->len);
  g_clear_pointer (&sweep->counted, g_free);
}

static void
show_step (GilkSweep *sweep, double value, const uint64_t *n)
{
  sweep->viewer->step (value, n, sweep->data);
}

/* Passes a piece to the viewer (the caller's callbacks) if that needs no further pass: calls skip()
 * if the piece is unwanted, step() if it has only one distinct number. Returns FALSE if neither
 * applies. */
static gboolean
show_known (GilkSweep *sweep, const GilkSweepPiece *piece)
{
  if (!piece->wanted)
    sweep->viewer->skip (gilk_key_value (piece->low), gilk_key_value (piece->high), piece->n, sweep->data);
  else if (piece->low == piece->high)
    show_step (sweep, gilk_key_value (piece->low), piece->n);
  else
    return FALSE;

  return TRUE;
}

/* Moves on to the next piece after a piece was passed to the viewer. */
static void
advance_piece (GilkSweep *sweep)
{
  const GilkSweepPiece *piece = &g_array_index (sweep->pieces, GilkSweepPiece, sweep->next++);

  for (guint side = 0; side < SIDES; side++)
    sweep->below[side] += piece->n[side];
}

/* Returns whether a pass keeps the piece's numbers. Memory is saved by not keeping a piece that has
 * only one number, if that number occurs very often. A rarer number is kept, because leaving it out
 * would split the range of kept keys in two, which costs more. */
static gboolean
is_kept (const GilkSweep *sweep, const GilkSweepPiece *piece)
{
  return piece->wanted && (piece->low < piece->high || count_piece (piece) < sweep->room / REPEATS_SHARE);
}

/* ---- passes the numbers of a pass to the viewer, the caller's callbacks ---- */

/* Passes the numbers of both sides with keys up to @last to the viewer, each number once. */
static void
show_kept (GilkSweep *sweep, uint64_t last, uint64_t *at)
{
  const GilkSweepPass *pass = sweep->pass;

  for (;;)
    {
      uint64_t key = G_MAXUINT64, n[SIDES] = { 0, 0 };

      for (guint side = 0; side < SIDES; side++)
        if (at[side] < pass->room[side])
          key = MIN (key, pass->kept[side][at[side]]);
      for (guint side = 0; side < SIDES; side++)
        for (; at[side] < pass->room[side] && pass->kept[side][at[side]] == key; at[side]++)
          n[side]++;
      if (n[A] + n[B] == 0)
        return;
      if (key > last)
        {
          for (guint side = 0; side < SIDES; side++)
            at[side] -= n[side];
          return;
        }
      show_step (sweep, gilk_key_value (key), n);
    }
}

static gint64
key_to_step (const GilkSweepPass *pass, uint64_t key)
{
  return (gint64) rint (gilk_key_value (key) * pass->unit);
}

static void
show_steps (GilkSweep *sweep, const GilkSweepPiece *piece)
{
  const GilkSweepPass *pass = sweep->pass;

  for (gint64 i = key_to_step (pass, piece->low); i <= key_to_step (pass, piece->high); i++)
    {
      const uint64_t n[SIDES] = { pass->steps[A][i - pass->base], pass->steps[B][i - pass->base] };

      if (n[A] + n[B] > 0)
        show_step (sweep, (double) i / pass->unit, n);
    }
}

static void
show_pass_data (GilkSweep *sweep)
{
  const GilkSweepPass *pass = sweep->pass;
  uint64_t at[SIDES] = { 0, 0 };

  for (guint side = 0; side < SIDES; side++)
    {
      sweep->inconsistent |= pass->taken[side] != pass->room[side];
      if (!sweep->inconsistent && pass->kept[side] != NULL)
        qsort (pass->kept[side], pass->room[side], sizeof (uint64_t), gilk_keys_compare);
    }
  if (sweep->inconsistent)
    return;
  for (; sweep->next < sweep->end; advance_piece (sweep))
    {
      const GilkSweepPiece *piece = &g_array_index (sweep->pieces, GilkSweepPiece, sweep->next);

      if (pass->what == STEPPING && piece->wanted)
        show_steps (sweep, piece);
      else if (pass->what == KEEPING && is_kept (sweep, piece))
        show_kept (sweep, piece->high, at);
      else
        show_known (sweep, piece);
    }
}

/* ---- plans the next pass ---- */

static guint
find_keeping_end (const GilkSweep *sweep)
{
  uint64_t sum = 0;
  guint i = sweep->next;

  for (; i < sweep->pieces->len; i++)
    {
      const GilkSweepPiece *piece = &g_array_index (sweep->pieces, GilkSweepPiece, i);

      if (!is_kept (sweep, piece))
        continue;
      if (sum + count_piece (piece) > sweep->room)
        break;
      sum += count_piece (piece);
    }

  return i;
}

/* Returns the index after the last piece whose 32-bit counts fit into the memory for kept
 * numbers. */
static guint
find_stepping_end (const GilkSweep *sweep)
{
  const GilkSweepPiece *first = &g_array_index (sweep->pieces, GilkSweepPiece, sweep->next);
  guint i = sweep->next;

  if (!sweep->whole || sweep->sides[A].n > G_MAXUINT32 || sweep->sides[B].n > G_MAXUINT32)
    return i;
  while (i < sweep->pieces->len &&
         (uint64_t) (key_to_step (sweep->pass, g_array_index (sweep->pieces, GilkSweepPiece, i).high) -
                     key_to_step (sweep->pass, first->low)) < sweep->room)
    i++;

  return i;
}

static void
add_range (GArray *ranges, const GilkSweepPiece *piece, gboolean joined)
{
  const GilkSweepRange range = { piece->low, piece->high };

  if (joined && ranges->len > 0)
    g_array_index (ranges, GilkSweepRange, ranges->len - 1).high = piece->high;
  else
    g_array_append_val (ranges, range);
}

static void
begin_taking (GilkSweep *sweep, gboolean stepping)
{
  GilkSweepPass *pass = sweep->pass;
  gboolean joined = FALSE;

  pass->what = stepping ? STEPPING : KEEPING;
  g_array_set_size (pass->ranges, 0);
  for (guint i = sweep->next; i < sweep->end; i++)
    {
      const GilkSweepPiece *piece = &g_array_index (sweep->pieces, GilkSweepPiece, i);
      gboolean taken = stepping ? piece->wanted : is_kept (sweep, piece);

      if (taken)
        {
          add_range (pass->ranges, piece, joined);
          for (guint side = 0; side < SIDES; side++)
            pass->room[side] += piece->n[side];
        }
      joined = taken;
    }
  pass->base = key_to_step (pass, g_array_index (sweep->pieces, GilkSweepPiece, sweep->next).low);
  for (guint side = 0; side < SIDES; side++)
    if (stepping)
      pass->steps[side] = g_new0 (uint32_t, sweep->room);
    else
      pass->kept[side] = g_new (uint64_t, pass->room[side] + 1);
}

static void
begin_splitting (GilkSweep *sweep)
{
  const GilkSweepPiece *piece = &g_array_index (sweep->pieces, GilkSweepPiece, sweep->next);
  GilkSweepPass *pass = sweep->pass;

  pass->what = COUNTING;
  pass->cells = (GilkCells) { .base = piece->low, .n = 1u << CELL_BITS,
                              .shift = gilk_cells_shift (piece->high - piece->low, CELL_BITS) };
  set_range (pass, piece->low, piece->high);
  allocate_counts (sweep);
}

/* Prepares the next pass. Returns FALSE if no piece is left. */
static gboolean
begin_pass (GilkSweep *sweep)
{
  guint keeping, stepping;

  while (sweep->next < sweep->pieces->len &&
         show_known (sweep, &g_array_index (sweep->pieces, GilkSweepPiece, sweep->next)))
    advance_piece (sweep);
  if (sweep->next == sweep->pieces->len)
    return FALSE;
  keeping = find_keeping_end (sweep);
  stepping = find_stepping_end (sweep);
  sweep->end = MAX (keeping, stepping);
  if (sweep->end > sweep->next)
    begin_taking (sweep, stepping > keeping);
  else
    begin_splitting (sweep);

  return TRUE;
}

gboolean
gilk_sweep_again (GilkSweep *sweep)
{
  g_assert (!sweep->is_fork);
  if (!sweep->begun)
    {
      sweep->begun = TRUE;
      if (sweep->viewer->begin != NULL)
        sweep->viewer->begin (sweep->sides, sweep->data);
      replace_pieces (sweep, 0, 0);
    }
  else if (sweep->pass->what == COUNTING)
    replace_pieces (sweep, sweep->next, 1);
  else
    show_pass_data (sweep);
  drop_pass_data (sweep->pass);

  return !sweep->inconsistent && begin_pass (sweep);
}

gboolean
gilk_sweep_is_inconsistent (const GilkSweep *sweep)
{
  return sweep->inconsistent;
}
