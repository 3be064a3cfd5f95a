/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-value-meaning.h - what the number of an expression is, for whoever shows it
 *
 * Threads: that of the one who reads the program.
 */
#pragma once

#include "core/program/gilk-names.h"

G_BEGIN_DECLS

/**
 * gilk_value_meaning:
 * @value: it has its type
 *
 * Returns: (nullable): interned; as a session has it (data/schema.sql, "Meanings"): "symbol" of a function pointer, a
 * pointer to a struct of functions, or what the program says is one; "errno" of a signed value that a function
 * returns; "enum NAME"
 */
const char *gilk_value_meaning (const GilkBtf *btf, const GilkNode *value);
/* enum ilk_meaning of it. */
uint16_t    gilk_value_meaning_code (const char *meaning);

G_END_DECLS
