/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-operators.h - what operators make of types and of constants
 *
 * The operands of a node have their types. FALSE: failed.
 *
 * Threads: that of the one who reads the program.
 */
#pragma once

#include "core/program/gilk-syntax.h"

G_BEGIN_DECLS

/* Both are values. */
gboolean gilk_type_binary (const GilkBtf *btf, GilkSource *source, GilkNode *node);
/* "-", "~" and "!" of a value. */
gboolean gilk_type_sign   (GilkSource *source, GilkNode *node);
/* Of a value, to @type. */
gboolean gilk_type_cast   (const GilkBtf *btf, GilkSource *source, GilkNode *node, const GilkCType *type);
/* A number as one of @type has it. */
int64_t  gilk_type_narrowed (const GilkCType *type, int64_t value);
/* "*", "->" and "[]" take their pointer's target. */
gboolean gilk_type_target (const GilkBtf *btf, GilkSource *source, GilkNode *node, const GilkNode *pointer);
/* Bytes of one of what is pointed to, into @node. */
gboolean gilk_type_scale  (const GilkBtf *btf, GilkSource *source, GilkNode *node, const GilkNode *pointer);
/* May @value become a @type without a cast? */
gboolean gilk_type_fits   (const GilkBtf *btf, GilkSource *source, const GilkCType *type, const GilkNode *value);

G_END_DECLS
