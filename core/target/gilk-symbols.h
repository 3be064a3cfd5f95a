/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-symbols.h - the live symbol table: /proc/kallsyms, sorted and indexed
 *
 * Immutable once built; safe to share between threads.
 *
 * Threads: any. On failure there is no table; outputs that an index or name was not found
 * for say so.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct {
  uint64_t    addr;
  uint64_t    size;       /* to the next symbol of the same module, or its text end */
  const char *name;       /* interned in the table */
  uint32_t    module;     /* index into modules, 0 = the kernel itself ("kernel") */
  char        type;       /* nm letter as in kallsyms */
} GilkSymbol;

typedef struct _GilkSymbols GilkSymbols;

/**
 * gilk_symbols_new_parse:
 * @kallsyms: content of /proc/kallsyms; hostile input gives an error, never a crash
 * Zero addresses throughout (kptr_restrict) give GILK_ERROR_PERMISSION with the remedy.
 */
GilkSymbols *gilk_symbols_new_parse (const char *kallsyms, gsize length, GError **error);
GilkSymbols *gilk_symbols_ref       (GilkSymbols *symbols);
void         gilk_symbols_unref     (GilkSymbols *symbols);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkSymbols, gilk_symbols_unref)

/* TRUE for a section's marker such as "_stext" or "__entry_text_end", which the linker puts at
 * the address of a function whose own name says more. */
gboolean          gilk_symbol_is_marker (const char *name);
/* All symbols, by address, then as listed. */
const GilkSymbol *gilk_symbols_all    (GilkSymbols *symbols, guint *count);
const char       *gilk_symbols_module (GilkSymbols *symbols, uint32_t module);
guint             gilk_symbols_n_modules (GilkSymbols *symbols);

/* First symbol of that name ("name" or "name [module]"), NULL if none. @more: further ones exist. */
const GilkSymbol *gilk_symbols_by_name (GilkSymbols *symbols, const char *name, gboolean *more);
/* The text symbol that covers @addr (t/T/w/W), NULL if none. */
const GilkSymbol *gilk_symbols_at      (GilkSymbols *symbols, uint64_t addr);
/* The symbol of any kind that begins at @addr or is the last before it, and surely goes on so far: neither is what has
 * no name told from it, nor padding. NULL if none. */
const GilkSymbol *gilk_symbols_covering (GilkSymbols *symbols, uint64_t addr);
/* The symbols of any kind that begin at @addr, in the table; NULL with a @count of 0 if none. */
const GilkSymbol *gilk_symbols_exactly (GilkSymbols *symbols, uint64_t addr, guint *count);
/* Is it of code? Of the kernel's own symbols the address tells, for some of its data have the letter of text (7.3). */
gboolean          gilk_symbols_is_code     (GilkSymbols *symbols, const GilkSymbol *symbol);
/* Neither of code nor a mere number. */
gboolean          gilk_symbols_is_variable (GilkSymbols *symbols, const GilkSymbol *symbol);
/* Address of a marker such as "__noinstr_text_start"; 0 if it is not there. */
uint64_t          gilk_symbols_address (GilkSymbols *symbols, const char *name);

G_END_DECLS
