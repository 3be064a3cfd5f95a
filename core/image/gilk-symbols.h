/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-symbols.h - live symbol table from /proc/kallsyms, sorted and indexed
 *
 * Threads: any; a table is immutable. Lookups that find nothing return NULL, 0 or -1.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct {
  uint64_t    addr;
  uint64_t    size;       /* size up to the module's next symbol, or up to the end of the module's
                           * text */
  const char *name;       /* name; owned by the table */
  uint32_t    module;     /* index of the module; 0: the kernel itself ("kernel") */
  char        type;       /* type letter as in nm(1), from kallsyms */
} GilkSymbol;

typedef struct _GilkSymbols GilkSymbols;

/**
 * gilk_symbols_new_parse:
 * @kallsyms: contents of /proc/kallsyms; untrusted: malformed lines are an error
 * If all addresses are zero (kptr_restrict), the error is GILK_ERROR_PERMISSION with the remedy.
 */
GilkSymbols *gilk_symbols_new_parse (const char *kallsyms, gsize length, GError **error);
GilkSymbols *gilk_symbols_ref       (GilkSymbols *symbols);
void         gilk_symbols_unref     (GilkSymbols *symbols);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkSymbols, gilk_symbols_unref)

/* Returns whether @name is a section boundary, such as "_stext" or "__entry_text_end". If a
 * function starts at the same address, its name is more informative. */
gboolean          gilk_symbol_is_marker (const char *name);
/* Returns all symbols, sorted by address, then in file order. */
const GilkSymbol *gilk_symbols_all    (GilkSymbols *symbols, guint *count);
const char       *gilk_symbols_module (GilkSymbols *symbols, uint32_t module);
guint             gilk_symbols_n_modules (GilkSymbols *symbols);

/* Returns the first symbol with @name, which is "name" or "name [module]"; NULL: none. @more: (out)
 * (nullable): whether there are more such symbols */
const GilkSymbol *gilk_symbols_by_name (GilkSymbols *symbols, const char *name, gboolean *more);
/* Returns the text symbol (t, T, w, W) that covers @addr; NULL: none. */
const GilkSymbol *gilk_symbols_at      (GilkSymbols *symbols, uint64_t addr);
/* Returns the symbol of any kind that starts at @addr, or else the last symbol below @addr if @addr
 * is within its maximum size: nameless data and padding after a variable cannot be distinguished
 * from the variable. NULL: none. */
const GilkSymbol *gilk_symbols_covering (GilkSymbols *symbols, uint64_t addr);
/* Returns the first of the @count symbols of any kind that start at @addr; NULL, with *@count 0, if
 * there are none. */
const GilkSymbol *gilk_symbols_exactly (GilkSymbols *symbols, uint64_t addr, guint *count);
/* Returns whether the symbol is in code. For symbols of the kernel itself the address decides,
 * because some of its data have the type letter of text (7.3). */
gboolean          gilk_symbols_is_code     (GilkSymbols *symbols, const GilkSymbol *symbol);
/* Returns whether the symbol is neither code nor an absolute number. */
gboolean          gilk_symbols_is_variable (GilkSymbols *symbols, const GilkSymbol *symbol);
/* Returns the address of a symbol such as "__noinstr_text_start"; 0 if there is none. */
uint64_t          gilk_symbols_address (GilkSymbols *symbols, const char *name);

G_END_DECLS
