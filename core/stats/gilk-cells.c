/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cells.c - places the cells in which numbers are counted, so that most numbers are in
 * different cells
 */
#include "core/stats/gilk-cells.h"

#include <stdlib.h>

#define HINTS_MAX 4096
#define OCTAVE    ((uint64_t) 1 << 52)    /* difference between the keys (sortable bits) of a number
                                           * and of twice that number */

/* Places the cells over the range of the hints (some of the numbers to be counted), plus an octave
 * on either side. The lowest and the highest 0.1 % of the hints are ignored, because a few outliers
 * or zeros would make all cells wide. */
GilkCells
gilk_cells_place (guint         bits,
                  const double *hint,
                  gsize         n)
{
  uint64_t keys[HINTS_MAX], low = 0, high = G_MAXUINT64;
  gsize step = MAX (1, (n + HINTS_MAX - 1) / HINTS_MAX);
  guint count = 0;

  for (gsize i = 0; i < n; i += step)
    keys[count++] = gilk_key_of (hint[i] + 0.0);
  if (count > 0)
    {
      qsort (keys, count, sizeof *keys, gilk_keys_compare);
      low = keys[count / 1000];
      high = keys[count - 1 - count / 1000];
      low -= MIN (low, OCTAVE);
      high += MIN (G_MAXUINT64 - high, OCTAVE);
    }

  return (GilkCells) { .base = low, .shift = gilk_cells_shift (high - low, bits), .n = 1u << bits };
}
