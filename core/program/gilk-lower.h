/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-lower.h - a program whose nodes have their meaning, as operations
 *
 * Threads: that of the one who reads the program.
 */
#pragma once

#include "core/program/gilk-typing.h"

G_BEGIN_DECLS

/* Returns: NULL, failed: it is too long */
GilkOps *gilk_lower_program (const GilkTyping *typing, const GilkNode *program);

G_END_DECLS
