/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-symbols.h - live symbol table from /proc/kallsyms, sorted and indexed
 *
 * Threads: any; immutable once built. Lookups that find nothing return NULL, 0 or -1. On
 * failure no table is returned.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct {
  uint64_t    addr;
  uint64_t    size;       /* up to the next symbol of the same module, or the end of its text */
  const char *name;       /* owned by the table */
  uint32_t    module;     /* index of its module; 0: the kernel itself ("kernel") */
  char        type;       /* letter of nm(1), as in kallsyms */
} GilkSymbol;

typedef struct _GilkSymbols GilkSymbols;

/**
 * gilk_symbols_new_parse:
 * @kallsyms: content of /proc/kallsyms; untrusted, malformed lines are an error
 * If all addresses are zero (kptr_restrict) the error is GILK_ERROR_PERMISSION with the remedy.
 */
GilkSymbols *gilk_symbols_new_parse (const char *kallsyms, gsize length, GError **error);
GilkSymbols *gilk_symbols_ref       (GilkSymbols *symbols);
void         gilk_symbols_unref     (GilkSymbols *symbols);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkSymbols, gilk_symbols_unref)

/* Returns whether @name is a section boundary such as "_stext" or "__entry_text_end", which has the
 * address of a function with a more informative name. */
gboolean          gilk_symbol_is_marker (const char *name);
/* Returns all symbols, sorted by address, then in file order. */
const GilkSymbol *gilk_symbols_all    (GilkSymbols *symbols, guint *count);
const char       *gilk_symbols_module (GilkSymbols *symbols, uint32_t module);
guint             gilk_symbols_n_modules (GilkSymbols *symbols);

/* Returns the first symbol with @name, "name" or "name [module]"; NULL: none. @more: (out)
 * (nullable): whether there are others */
const GilkSymbol *gilk_symbols_by_name (GilkSymbols *symbols, const char *name, gboolean *more);
/* Returns the text symbol (t, T, w, W) that covers @addr; NULL: none. */
const GilkSymbol *gilk_symbols_at      (GilkSymbols *symbols, uint64_t addr);
/* Returns the symbol of any kind that starts at @addr, or the last one below it up to its maximum
 * size. Nameless data and padding after a variable cannot be distinguished from it. NULL: none. */
const GilkSymbol *gilk_symbols_covering (GilkSymbols *symbols, uint64_t addr);
/* Returns the first of the @count symbols of any kind that start at @addr; NULL with *@count 0:
 * none. */
const GilkSymbol *gilk_symbols_exactly (GilkSymbols *symbols, uint64_t addr, guint *count);
/* Returns whether the symbol is in code. For the kernel's own the address decides, because some of
 * its data have the type letter of text (7.3). */
gboolean          gilk_symbols_is_code     (GilkSymbols *symbols, const GilkSymbol *symbol);
/* Returns whether the symbol is neither code nor an absolute number. */
gboolean          gilk_symbols_is_variable (GilkSymbols *symbols, const GilkSymbol *symbol);
/* Returns the address of a symbol such as "__noinstr_text_start"; 0 if there is none. */
uint64_t          gilk_symbols_address (GilkSymbols *symbols, const char *name);

G_END_DECLS
