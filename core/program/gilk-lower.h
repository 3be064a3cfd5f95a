/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-lower.h - converts a typed program to operations
 *
 * Threads: a program belongs to one thread at a time.
 */
#pragma once

#include "core/language/gilk-typing.h"

G_BEGIN_DECLS

/* Returns the program's operations; NULL, with the source's error set, if the program is too
 * long */
GilkOps *gilk_lower_program (const GilkTyping *typing, const GilkNode *program);

G_END_DECLS
