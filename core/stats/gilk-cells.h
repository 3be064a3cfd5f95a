/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cells.h - quantisation of numbers of any size into cells, by the bits of a double
 *
 * A number's key is the bits of the double, as an integer that sorts like the number (gilk-key.h).
 * Cells are ranges of keys, all of equal length. Two more cells hold all keys below these ranges,
 * and all keys above them.
 *
 * Threads: any.
 */
#pragma once

#include "core/base/gilk-key.h"

G_BEGIN_DECLS

typedef struct {
  uint64_t base;              /* key (sortable bits of a double) of the lower end of the first
                               * cell */
  guint    shift, n;          /* @n: number of cells, without the two for keys below and above */
} GilkCells;

/* Places 2^@bits cells. @hint: some of the numbers to be counted, all of them, or their bounds.
 * Without a hint the cells cover all numbers. */
GilkCells gilk_cells_place (guint bits, const double *hint, gsize n);

static inline guint
gilk_cell_below (const GilkCells *cells)
{
  return cells->n;
}

static inline guint
gilk_cell_above (const GilkCells *cells)
{
  return cells->n + 1;
}

static inline guint
gilk_cells_find (const GilkCells *cells, uint64_t key)
{
  uint64_t cell = (key - cells->base) >> cells->shift;

  return key < cells->base ? gilk_cell_below (cells)
         : cell < cells->n ? (guint) cell : gilk_cell_above (cells);
}

/* Returns the index of the cell that is the @i-th of all n + 2 cells in ascending order of keys. */
static inline guint
gilk_cells_in_order (const GilkCells *cells, guint i)
{
  return i == 0 ? gilk_cell_below (cells) : i <= cells->n ? i - 1 : gilk_cell_above (cells);
}

/* Returns the smallest shift for which @span >> shift is less than 1 << @bits. */
static inline guint
gilk_cells_shift (uint64_t span, guint bits)
{
  guint wide = span == 0 ? 0 : 64 - (guint) __builtin_clzll (span);

  return wide > bits ? wide - bits : 0;
}

/* Compares two keys, as a GCompareFunc and for qsort(). */
static inline int
gilk_keys_compare (gconstpointer a, gconstpointer b)
{
  uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

  return (x > y) - (x < y);
}

G_END_DECLS
