/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-sweep-add.c - adding numbers to a pass
 */
#include "core/stats/gilk-sweep-private.h"

#include <math.h>

#define BATCH       1024
#define WHOLE_MAX   9007199254740992.0    /* 2^53 */

/* ---- adding ---- */

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
  long double sum = 0.0L;     /* long double, so that 64-bit numbers of either sign do not cancel */

  if (n == 0)
    return;
  if (sums->n == 0)
    sums->min = sums->max = values[0];
  for (guint i = 0; i < n; i++)
    {
      sums->min = values[i] < sums->min ? values[i] : sums->min;
      sums->max = values[i] > sums->max ? values[i] : sums->max;
      sum += (long double) values[i] - values[0];       /* exact if all numbers are equal */
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
          batch[left] = values[at + i] + 0.0;       /* turns -0 into 0 */
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

GilkSweep *
gilk_sweep_fork (GilkSweep *sweep)
{
  GilkSweep *fork = g_new0 (GilkSweep, 1);

  fork->is_fork = TRUE;
  fork->pass = sweep->pass;
  fork->begun = sweep->begun;
  fork->whole = TRUE;
  if (sweep->pass->what == COUNTING)
    gilk_sweep_begin_counting (fork);

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
