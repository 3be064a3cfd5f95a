/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-operators.h - types of operators, constant folding, and forms of comparisons
 *
 * The operands of a node must be typed. Functions return FALSE with the source's error set.
 *
 * Threads: one thread at a time for each program.
 */
#pragma once

#include "core/emit/gilk-ops.h"
#include "core/language/gilk-syntax.h"

G_BEGIN_DECLS

/* Checks the operands and sets the type of @node, a binary operator. */
gboolean gilk_type_binary (const GilkBtf *btf, GilkSource *source, GilkNode *node);
/* Checks the operand and sets the type of @node, a unary "-", "~" or "!". */
gboolean gilk_type_sign   (GilkSource *source, GilkNode *node);
/* Checks the operand and sets the type of @node, a cast to @type. */
gboolean gilk_type_cast   (const GilkBtf *btf, GilkSource *source, GilkNode *node, const GilkCType *type);
/* Returns @value converted to @type. */
int64_t  gilk_type_narrowed (const GilkCType *type, int64_t value);
/* Sets the type of @node, which is "*", "->" or "[]" applied to @pointer, to the type that @pointer
 * points to. */
gboolean gilk_type_target (const GilkBtf *btf, GilkSource *source, GilkNode *node, const GilkNode *pointer);
/* Sets the factor of pointer arithmetic (@node's scale) to the size in bytes of @pointer's target
 * type. */
gboolean gilk_type_scale  (const GilkBtf *btf, GilkSource *source, GilkNode *node, const GilkNode *pointer);
/* Checks that @value can be converted to @type without a cast. */
gboolean gilk_type_fits   (const GilkBtf *btf, GilkSource *source, const GilkCType *type, const GilkNode *value);

/*
 * Comparison operators: lookup by token, negation, swapped and signed forms.
 *
 * Threads: any.
 */

/* Sets @compare to the unsigned comparison for token @mark. FALSE if @mark is not a comparison. */
gboolean    gilk_compare_of      (guint mark, GilkCompare *compare);
GilkCompare gilk_compare_negated (GilkCompare compare);
/* For an unsigned @compare, return the equivalent comparison with both sides swapped, and the same
 * comparison for signed numbers. */
GilkCompare gilk_compare_swapped (GilkCompare compare);
GilkCompare gilk_compare_signed  (GilkCompare compare);

G_END_DECLS
