/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-known.h - which functions a list of all of them opens on
 */
#pragma once

#include "gui/gilk-function-marks.h"

G_BEGIN_DECLS

/* Of all functions the alphabet's first ones are of no use: puts those that were opened before them, and well-known ones. */
void gilk_function_known_first (const GilkFunctionMarks *marks, GilkFunctions *functions, GilkFound *found);

G_END_DECLS
