/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-prototype.h - checks whether one function can be called in place of another
 *
 * Threads: any. Reads only its parameters.
 */
#pragma once

#include "core/types/gilk-btf.h"

G_BEGIN_DECLS

/* Checks that all arguments and the return value are in registers. Returns: NULL if they are, else
 * a sentence that gives the reason (transfer full). @name: the function's name */
char *gilk_prototype_in_registers (const GilkBtf *btf, const GilkPrototype *prototype, const char *name);
/* Compares two prototypes, which may be from different modules. Returns: NULL if they are the
 * same, or the difference as part of a sentence (transfer full). Names of structs are compared;
 * qualifiers and names of arguments are ignored. */
char *gilk_prototype_differs (const GilkBtf *btf, const GilkPrototype *prototype,
                              const GilkBtf *other_btf, const GilkPrototype *other);

G_END_DECLS
