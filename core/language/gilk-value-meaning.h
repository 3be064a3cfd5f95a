/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-value-meaning.h - finds the meaning of an expression's number, for display
 *
 * Threads: one thread at a time for each program.
 */
#pragma once

#include "core/language/gilk-names.h"
#include "ilk/ilk-abi.h"

G_BEGIN_DECLS

/**
 * gilk_value_meaning:
 * @value: a typed node
 *
 * Returns: (nullable), interned: one of the "Meanings" in data/schema.sql: "symbol" for a
 *   function pointer, a pointer to a struct of functions, or symbol(); "errno" for a signed value
 *   that a function returns; "enum NAME"
 */
const char *gilk_value_meaning (const GilkBtf *btf, const GilkNode *value);
/* Returns the enum ilk_meaning for @meaning. */
uint16_t    gilk_value_meaning_code (const char *meaning);

G_END_DECLS
