/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-sweep.h - any number of numbers, of one kind or two, in ascending order and in little memory; pure
 * numerics
 *
 * The same numbers are added in each of some passes, in any order, until no more is asked for:
 *
 *   count    into some thousand cells, of each the least and the greatest number: what has but one number
 *            is known then. A cell that holds more than there is room for is counted in finer ones
 *   take     numbers of the next cells: as many as there is room for are kept and sorted, or, where
 *            all are whole, counted one by one, if that goes further
 *
 * Whoever looks at them gets each number once, ascending, with how many there are of either kind.
 * What he has no need of he does not get, and it costs no pass: of 10^8 numbers a few ranks take two passes,
 * all of them some ten, or two where they are whole and near each other.
 *
 * Threads: one at a time; forks may be in others.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

#define GILK_SWEEP_SIDES 2

typedef struct _GilkSweep GilkSweep;

/* What is known of one kind behind the first pass; all zero if there is no number. */
typedef struct {
  uint64_t n, ignored;        /* ignored: not finite */
  double   min, max, mean;
} GilkSweepSide;

typedef struct {
  /* The first pass is over, and sides are known. nullable */
  void     (*begin) (const GilkSweepSide *sides, gpointer data);
  /* Is it wanted which numbers there are from @low to @high, both of which there are? @below are less, @n
   * so many. Depends on nothing else. NULL: it always is. */
  gboolean (*wants) (double low, double high, const uint64_t *below, const uint64_t *n, gpointer data);
  /* Ascending: @n are @value. */
  void     (*step)  (double value, const uint64_t *n, gpointer data);
  /* In between: @n that were not wanted, from @low to @high. NULL if all are. */
  void     (*skip)  (double low, double high, const uint64_t *n, gpointer data);
} GilkSweepViewer;

/**
 * gilk_sweep_new:
 * @unit: whole numbers are those that times this are integers: 1, or 1e9 for nanoseconds in seconds
 * @room: so many numbers may be kept at once; 0: some millions, 64 MiB
 * @hint: some of the numbers, if known
 * @viewer, @data: called by gilk_sweep_again(); borrowed
 */
GilkSweep *gilk_sweep_new   (double unit, gsize room, const double *hint, gsize n_hint,
                             const GilkSweepViewer *viewer, gpointer data);
void       gilk_sweep_free  (GilkSweep *sweep);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkSweep, gilk_sweep_free)

/* @side: which kind, 0 or 1 */
void       gilk_sweep_add   (GilkSweep *sweep, guint side, const double *values, gsize n);
/* To add a share of this pass's numbers to, elsewhere; joined to it, and freed, before the pass ends.
 * (transfer full) */
GilkSweep *gilk_sweep_fork  (GilkSweep *sweep);
void       gilk_sweep_join  (GilkSweep *sweep, GilkSweep *fork);
/* A pass is over. TRUE: all numbers have to be added again. */
gboolean   gilk_sweep_again (GilkSweep *sweep);
/* TRUE: numbers were not the same in all passes, and what was shown is worth nothing. */
gboolean   gilk_sweep_torn  (const GilkSweep *sweep);

G_END_DECLS
