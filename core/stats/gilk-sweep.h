/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-sweep.h - yields the numbers of one side or two in ascending order; pure numerics
 *
 * The caller adds the same numbers in each of several passes, in any order, until no further pass
 * is needed:
 *
 *   count:   counts numbers in several thousand cells, with the smallest and largest number of
 *            each: if both are equal, the cell needs no other pass. If the numbers of a cell exceed
 *            the memory limit, they are counted again in finer cells.
 *   take:    keeps the numbers of the next cells that fit in memory, and sorts them. If all numbers
 *            are whole, counts how often each occurs instead, if this covers more cells.
 *
 * The viewer, the caller's callbacks, gets each number once, ascending, with its count on either
 * side. Numbers that the viewer does not want are skipped and cost no pass. A few ranks of 10^8
 * numbers take two passes. All 10^8 numbers take about ten passes, or two if they are whole and
 * close together.
 *
 * Threads: one at a time; a fork may be used in another thread.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

#define GILK_SWEEP_SIDES 2

typedef struct _GilkSweep GilkSweep;

/* Summary of the numbers of one side after the first pass; all zero for a side without numbers. */
typedef struct {
  uint64_t n, ignored;        /* @ignored: count of numbers that are not finite */
  double   min, max, mean;
} GilkSweepSummary;

typedef struct {
  /* Called after the first pass. (nullable) */
  void     (*begin) (const GilkSweepSummary *sides, gpointer data);
  /* Returns whether the numbers from @low to @high are wanted; @low and @high themselves occur.
   * @below: counts of smaller numbers; @n: counts of numbers in the range. Must depend on the
   * arguments only. NULL: all numbers are wanted. */
  gboolean (*wants) (double low, double high, const uint64_t *below, const uint64_t *n, gpointer data);
  /* Called in ascending order: @value occurs @n times. */
  void     (*step)  (double value, const uint64_t *n, gpointer data);
  /* Called between steps, for @n unwanted numbers from @low to @high. (nullable) if all numbers are
   * wanted. */
  void     (*skip)  (double low, double high, const uint64_t *n, gpointer data);
} GilkSweepViewer;

/**
 * gilk_sweep_new:
 * @unit: a number is whole if it is an integer after multiplication by @unit: 1e9 for times in
 *   seconds that are whole nanoseconds, else 1
 * @room: maximum count of numbers to keep; 0: several million, 64 MiB
 * @hint: some of the numbers, if known
 * @viewer, @data: called by gilk_sweep_again(); borrowed
 */
GilkSweep *gilk_sweep_new  (double unit, gsize room, const double *hint, gsize n_hint,
                            const GilkSweepViewer *viewer, gpointer data);
void       gilk_sweep_free (GilkSweep *sweep);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkSweep, gilk_sweep_free)

/* Adds numbers to a side. @side: 0 or 1 */
void       gilk_sweep_add             (GilkSweep *sweep, guint side, const double *values, gsize n);
/* Returns a fork: a sweep to which another thread can add part of this pass's numbers.
 * gilk_sweep_join() must join and free the fork before the pass ends. (transfer full) */
GilkSweep *gilk_sweep_fork            (GilkSweep *sweep);
void       gilk_sweep_join            (GilkSweep *sweep, GilkSweep *fork);
/* Ends a pass. Returns TRUE if all numbers must be added again. */
gboolean   gilk_sweep_again           (GilkSweep *sweep);
/* Returns TRUE if the numbers differed between passes: then the numbers passed to the viewer are
 * invalid. */
gboolean   gilk_sweep_is_inconsistent (const GilkSweep *sweep);

G_END_DECLS
