/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-prototype.h - may one function be called in place of another?
 *
 * Threads: any. Reads only what it is given.
 */
#pragma once

#include "core/target/gilk-btf.h"

G_BEGIN_DECLS

/* Does a caller put all arguments into registers, and find the value in one? NULL, or why it does not, as a
 * sentence (transfer full). @name: of the function */
char *gilk_prototype_in_registers (const GilkBtf *btf, const GilkPrototype *prototype, const char *name);
/* What differs between the two, which may be of different modules, as words for a sentence: NULL, nothing does.
 * (transfer full). Qualifiers and names of arguments do not count, names of structs do. */
char *gilk_prototype_differs (const GilkBtf *btf, const GilkPrototype *prototype,
                              const GilkBtf *other_btf, const GilkPrototype *other);

G_END_DECLS
