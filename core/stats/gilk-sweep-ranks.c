/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-sweep-ranks.c - the numbers at given ranks of a sweep
 */
#include "core/stats/gilk-ranks.h"

static void
begin_sweep (const GilkSweepSummary *sides, gpointer data)
{
  GilkSweepRanks *sweep_ranks = data;

  sweep_ranks->ask (sweep_ranks->ranks, &sides[0], sweep_ranks->data);
}

static gboolean
wants_range (double low, double high, const uint64_t *below, const uint64_t *n, gpointer data)
{
  GilkSweepRanks *sweep_ranks = data;

  (void) low;
  (void) high;
  return gilk_ranks_within (sweep_ranks->ranks, below[0], n[0]);
}

static void
step_value (double value, const uint64_t *n, gpointer data)
{
  GilkSweepRanks *sweep_ranks = data;

  gilk_ranks_step (sweep_ranks->ranks, sweep_ranks->below, n[0], value);
  sweep_ranks->below += n[0];
}

static void
skip_range (double low, double high, const uint64_t *n, gpointer data)
{
  GilkSweepRanks *sweep_ranks = data;

  (void) low;
  (void) high;
  sweep_ranks->below += n[0];
}

const GilkSweepViewer *
gilk_sweep_ranks_viewer (void)
{
  static const GilkSweepViewer viewer = { begin_sweep, wants_range, step_value, skip_range };

  return &viewer;
}
