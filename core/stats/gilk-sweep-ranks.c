/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-sweep-ranks.c - the numbers at given ranks of a sweep
 */
#include "core/stats/gilk-sweep-ranks.h"

static void
begin (const GilkSweepSide *sides, gpointer data)
{
  GilkSweepRanks *look = data;

  look->ask (look->ranks, &sides[0], look->data);
}

static gboolean
wants (double low, double high, const uint64_t *below, const uint64_t *n, gpointer data)
{
  GilkSweepRanks *look = data;

  (void) low;
  (void) high;
  return gilk_ranks_within (look->ranks, below[0], n[0]);
}

static void
step (double value, const uint64_t *n, gpointer data)
{
  GilkSweepRanks *look = data;

  gilk_ranks_step (look->ranks, look->below, n[0], value);
  look->below += n[0];
}

static void
skip (double low, double high, const uint64_t *n, gpointer data)
{
  GilkSweepRanks *look = data;

  (void) low;
  (void) high;
  look->below += n[0];
}

const GilkSweepViewer *
gilk_sweep_ranks_viewer (void)
{
  static const GilkSweepViewer viewer = { begin, wants, step, skip };

  return &viewer;
}
