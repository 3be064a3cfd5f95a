/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ctype.h - types of expressions (kernel types from BTF, plain C types, and pointers to
 * either), and comparison of the types of two functions
 *
 * Threads: any. Immutable.
 */
#pragma once

#include "core/types/gilk-btf.h"

G_BEGIN_DECLS

typedef struct {
  guint    stars;            /* number of pointer levels above @base */
  GilkType base;             /* the type without its @stars pointer levels */
  gboolean to_user;          /* the type is a pointer to user memory of the current task; pointers
                              * stored in that memory may point anywhere */
} GilkCType;

/* Finds a type that does not come from BTF, such as "u32" or "int". Returns FALSE for other
 * types. */
gboolean  gilk_ctype_plain      (const char *name, GilkCType *type);
/* Finds a type by name, in the form that gilk_btf_find() takes. @btf may be NULL. */
gboolean  gilk_ctype_find       (const GilkBtf *btf, const char *name, GilkCType *type);
gboolean  gilk_ctype_of         (const GilkBtf *btf, guint id, GilkCType *type);
GilkCType gilk_ctype_number     (gboolean is_signed, guint size);
/* Returns a pointer to an object of @type in kernel memory. */
GilkCType gilk_ctype_pointer_to (const GilkCType *type);
/* Sets @target to a pointer's target type, or to an array's element type. FALSE for other
 * types. */
gboolean  gilk_ctype_target     (const GilkBtf *btf, const GilkCType *type, GilkCType *target);

gboolean  gilk_ctype_is_pointer (const GilkCType *type);
/* Returns whether @type is a pointer to user memory of the current task. */
gboolean  gilk_ctype_is_user    (const GilkCType *type);
gboolean  gilk_ctype_is_number  (const GilkCType *type);
gboolean  gilk_ctype_is_signed  (const GilkCType *type);
/* Returns the size in bytes; 0 if the type has no size or its size is unknown. */
guint64   gilk_ctype_size       (const GilkCType *type);
gboolean  gilk_ctype_same       (const GilkBtf *btf, const GilkCType *one, const GilkCType *other);
/* Returns the type's name in C syntax. (transfer full) */
char     *gilk_ctype_name       (const GilkBtf *btf, const GilkCType *type);

/*
 * Checks of whether one function can be called in place of another.
 *
 * Threads: any. Reads only its parameters.
 */

/* Checks that all arguments and the return value are in registers. Returns: NULL if they are, else
 * a sentence that gives the reason (transfer full). @name: the function's name */
char *gilk_prototype_in_registers (const GilkBtf *btf, const GilkPrototype *prototype, const char *name);
/* Compares two prototypes, which may be from different modules. Returns: NULL if they are the
 * same, or the difference as part of a sentence (transfer full). Names of structs are compared;
 * qualifiers and names of arguments are ignored. */
char *gilk_prototype_differs (const GilkBtf *btf, const GilkPrototype *prototype,
                              const GilkBtf *other_btf, const GilkPrototype *other);

G_END_DECLS
