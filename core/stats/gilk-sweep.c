/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-sweep.c - passes that yield numbers in ascending order
 */
#include "core/stats/gilk-sweep-private.h"

#include <math.h>
#include <stdlib.h>


#define CELL_BITS   16
#define ROOM        ((gsize) 8 << 20)     /* default limit on the count of numbers kept */
#define REPEATS_SHARE 4096

enum { A, B, SIDES = GILK_SWEEP_SIDES };

/* ---- construction ---- */

static void
set_range (GilkSweepPass *pass, uint64_t low, uint64_t high)
{
  const GilkSweepRange range = { low, high };

  g_array_set_size (pass->ranges, 0);
  g_array_append_val (pass->ranges, range);
}

void
gilk_sweep_begin_counting (GilkSweep *sweep)
{
  guint n = sweep->pass->cells.n + 2;

  g_free (sweep->counted);
  sweep->counted = g_new0 (GilkSweepPiece, n);
  for (guint i = 0; i < n; i++)
    sweep->counted[i].low = G_MAXUINT64;
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
  gilk_sweep_begin_counting (sweep);

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

/* ---- pieces ---- */

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

/* Replaces the @instead pieces from @at on with the counted cells. */
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

/* Passes the piece to the viewer if it is complete or unwanted; returns FALSE otherwise. */
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

/* Advances after the next piece was passed on. */
static void
advance_piece (GilkSweep *sweep)
{
  const GilkSweepPiece *piece = &g_array_index (sweep->pieces, GilkSweepPiece, sweep->next++);

  for (guint side = 0; side < SIDES; side++)
    sweep->below[side] += piece->n[side];
}

/* A frequent number would take the memory of many numbers; a rare one costs less to keep than a
 * hole in a range. */
static gboolean
is_kept (const GilkSweep *sweep, const GilkSweepPiece *piece)
{
  return piece->wanted && (piece->low < piece->high || count_piece (piece) < sweep->room / REPEATS_SHARE);
}

/* ---- passing on the numbers of a pass ---- */

/* Passes on the keys of both sides up to @last, each once. */
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

/* ---- planning the next pass ---- */

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

/* The memory of the kept numbers has room for as many 32-bit counts on both sides. */
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
  gilk_sweep_begin_counting (sweep);
}

/* Returns FALSE if no piece is left. */
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
