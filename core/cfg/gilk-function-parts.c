/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-parts.c - looks up the parts of functions, and jumps into these parts
 */
#include "core/cfg/gilk-function-private.h"

const GilkPart *
gilk_functions_part (const GilkFunctions *functions, uint64_t addr)
{
  guint low = 0, high = functions->n_parts;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (functions->parts[middle].start <= addr)
        low = middle + 1;
      else
        high = middle;
    }

  return low > 0 && addr < functions->parts[low - 1].end ? &functions->parts[low - 1] : NULL;
}

const GilkFunction *
gilk_functions_at (GilkFunctions *functions, uint64_t addr)
{
  const GilkPart *part = gilk_functions_part (functions, addr);

  return part ? &functions->all[part->function] : NULL;
}

const uint64_t *
gilk_functions_inbound (const GilkFunctions *functions,
                        uint64_t start, uint64_t end, guint *count)
{
  guint low = 0, high = functions->n_inbound;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (functions->inbound[middle] < start)
        low = middle + 1;
      else
        high = middle;
    }

  *count = 0;
  while (low + *count < functions->n_inbound && functions->inbound[low + *count] < end)
    (*count)++;

  return functions->inbound + low;
}
