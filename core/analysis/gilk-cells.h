/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cells.h - numbers of any size in cells of like size, by the bits of a double
 *
 * Cells are ranges of keys of one length, and two more: of what is below and of what is above all others.
 *
 * Threads: any.
 */
#pragma once

#include "core/base/gilk-key.h"

G_BEGIN_DECLS

typedef struct {
  uint64_t base;              /* key of the first cell */
  guint    shift, n;          /* and two more */
} GilkCells;

/* Some 2^@bits cells. @hint: some of the numbers, all of them to be counted, or their bounds: what they are
 * like. None: cells for any number. */
GilkCells gilk_cells_lay (guint bits, const double *hint, gsize n);

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

/* The @i-th by size, of n + 2. */
static inline guint
gilk_cells_in_order (const GilkCells *cells, guint i)
{
  return i == 0 ? gilk_cell_below (cells) : i <= cells->n ? i - 1 : gilk_cell_above (cells);
}

/* So that @span and all below it come to less than 1 << @bits. */
static inline guint
gilk_cells_shift (uint64_t span, guint bits)
{
  guint wide = span == 0 ? 0 : 64 - (guint) __builtin_clzll (span);

  return wide > bits ? wide - bits : 0;
}

/* A GCompareFunc, and one of qsort(). */
static inline int
gilk_keys_compare (gconstpointer a, gconstpointer b)
{
  uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

  return (x > y) - (x < y);
}

G_END_DECLS
