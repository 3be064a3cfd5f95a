/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-symbols-private.h - functions of the symbol table that only core/image uses
 */
#pragma once

#include "core/image/gilk-symbols.h"

G_BEGIN_DECLS

/*
 * Sets the end of the last function of @module in [@start, @end) to @end. Must be called before
 * other threads use the table.
 */
void gilk_symbols_limit_text (GilkSymbols *symbols, uint32_t module, uint64_t start, uint64_t end);

/* Returns the next symbol with the same name; NULL if @symbol is the last one. */
const GilkSymbol *gilk_symbols_next_namesake (GilkSymbols *symbols, const GilkSymbol *symbol);

/* Returns the index of module @name; -1 if none of the symbols is in it. */
int gilk_symbols_find_module (GilkSymbols *symbols, const char *name);

/* Returns whether the symbol's type is t, T, w or W. */
gboolean gilk_symbol_is_text (const GilkSymbol *symbol);

G_END_DECLS
