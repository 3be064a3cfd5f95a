/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-symbols-private.h - what only the maker of an image may do to a table
 */
#pragma once

#include "core/target/gilk-symbols.h"

G_BEGIN_DECLS

/*
 * Text of @module at [start, end) ends at @end: the last function in it does too.
 * Before the table is shared only.
 */
void gilk_symbols_limit_text (GilkSymbols *symbols, uint32_t module, uint64_t start, uint64_t end);

/* The next symbol of the same name, NULL if @symbol is the last one. */
const GilkSymbol *gilk_symbols_next_namesake (GilkSymbols *symbols, const GilkSymbol *symbol);

/* Index of the module of that name, -1 if it has no symbols. */
int gilk_symbols_find_module (GilkSymbols *symbols, const char *name);

/* t, T, w or W */
gboolean gilk_symbol_is_text (const GilkSymbol *symbol);

G_END_DECLS
