/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ctype.h - types of expressions: those of the kernel, plain ones, and pointers to either
 *
 * Threads: any. Immutable.
 */
#pragma once

#include "core/target/gilk-btf.h"

G_BEGIN_DECLS

typedef struct {
  guint    stars;            /* it is a pointer, to a pointer .. */
  GilkType base;             /* to this; with no stars: it is this */
} GilkCType;

/* Plain types that are known without BTF: "u32", "int". */
gboolean  gilk_ctype_plain      (const char *name, GilkCType *type);
/* By name as gilk_btf_find() takes it. @btf may be NULL. */
gboolean  gilk_ctype_find       (const GilkBtf *btf, const char *name, GilkCType *type);
gboolean  gilk_ctype_of         (const GilkBtf *btf, guint id, GilkCType *type);
GilkCType gilk_ctype_number     (gboolean is_signed, guint size);
GilkCType gilk_ctype_pointer_to (const GilkCType *type);
/* What a pointer points to, or an array is of. */
gboolean  gilk_ctype_target     (const GilkBtf *btf, const GilkCType *type, GilkCType *target);

gboolean  gilk_ctype_is_pointer (const GilkCType *type);
gboolean  gilk_ctype_is_number  (const GilkCType *type);
gboolean  gilk_ctype_is_signed  (const GilkCType *type);
/* Bytes; 0: it has none that are known. */
guint64   gilk_ctype_size       (const GilkCType *type);
gboolean  gilk_ctype_same       (const GilkBtf *btf, const GilkCType *one, const GilkCType *other);
/* As C writes it. Free it. */
char     *gilk_ctype_name       (const GilkBtf *btf, const GilkCType *type);

G_END_DECLS
