/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-symbols-data.c - lookup of variables by address
 *
 * kallsyms has no sizes: the next symbol's start is an upper bound of a variable's end. Between
 * variables there are nameless data, such as strings and constants of the compiler; the last
 * variable of a section ends at a section boundary.
 */
#include <string.h>

#include "core/image/gilk-symbols-private.h"

/* Returns whether the symbol is a section boundary, defined by the linker, not a variable. */
static gboolean
is_boundary (const GilkSymbol *symbol)
{
  const char *name = symbol->name;
  static const char *const prefixes[] = { "__start_", "__stop_", "__begin_", "__end_" };
  static const char *const suffixes[] = { "_start", "_stop", "_begin", "_end" };

  /* Functions may have such names, too: rcu_read_unlock_end, tcp_rack_start. */
  if (gilk_symbol_is_text (symbol))
    return gilk_symbol_is_marker (name);
  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (name, prefixes[i]) || g_str_has_suffix (name, suffixes[i]))
      return TRUE;

  return g_str_equal (name, "_sdata") || g_str_equal (name, "_edata") || gilk_symbol_is_marker (name);
}

/* Ranks aliases of an address: the lowest rank is the most informative. Some variables have a
 * read-only alias, such as const_current_task or __ref_stack_chk_guard. */
static guint
rank_alias (const GilkSymbol *symbol)
{
  const char *name = symbol->name;

  return (is_boundary (symbol) ? 8 : 0) + (g_str_has_prefix (name, "const_") || g_str_has_prefix (name, "__ref_") ? 4 : 0) +
         (g_str_has_prefix (name, "__") ? 2 : 0) + (g_ascii_islower (symbol->type) ? 1 : 0);
}

const GilkSymbol *
gilk_symbols_covering (GilkSymbols *symbols,
                       uint64_t     addr)
{
  guint count, low = 0, high;
  const GilkSymbol *all = gilk_symbols_all (symbols, &count), *best;

  for (high = count; low < high;)
    {
      guint middle = low + (high - low) / 2;

      if (all[middle].addr <= addr)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return NULL;

  best = &all[low - 1];
  for (const GilkSymbol *other = best; other-- > all && other->addr == best->addr;)
    if (rank_alias (other) <= rank_alias (best))
      best = other;
  if (best->addr == addr)
    return best;

  return addr - best->addr < best->size && !is_boundary (best) ? best : NULL;
}

gboolean
gilk_symbols_is_code (GilkSymbols      *symbols,
                      const GilkSymbol *symbol)
{
  if (symbol->module == 0)
    return symbol->addr >= gilk_symbols_address (symbols, "_stext") && symbol->addr < gilk_symbols_address (symbols, "_etext");

  return strchr ("tTwW", symbol->type) != NULL;
}

gboolean
gilk_symbols_is_variable (GilkSymbols      *symbols,
                          const GilkSymbol *symbol)
{
  return !gilk_symbols_is_code (symbols, symbol) && strchr ("aAuU", symbol->type) == NULL;
}
