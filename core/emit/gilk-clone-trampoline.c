/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-clone-trampoline.c - finds the trampoline that a clone calls in place of a static call
 */
#include <string.h>

#include "core/emit/gilk-clone-code.h"

uint64_t
gilk_clone_trampoline (const GilkCfg  *cfg,
                       const GilkSite *site)
{
  static const char key_prefix[] = "__SCK__";
  GilkSymbols *symbols = gilk_image_symbols (cfg->image);
  guint low = 0, high = 0;
  const GilkSymbol *all = symbols != NULL ? gilk_symbols_all (symbols, &high) : NULL;
  const guint n = high;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (all[middle].addr < site->other)
        low = middle + 1;
      else
        high = middle;
    }
  for (; low < n && all[low].addr == site->other; low++)
    if (g_str_has_prefix (all[low].name, key_prefix))
      {
        g_autofree char *name = g_strconcat ("__SCT__", all[low].name + strlen (key_prefix), NULL);

        return gilk_symbols_address (symbols, name);
      }

  return 0;
}
