/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-first.h - functions shown first in the full list
 */
#pragma once

#include "gui/functions/gilk-function-marks.h"

G_BEGIN_DECLS

/* Moves recently opened and well-known functions to the front of @found, whose alphabetical
   start helps little. */
void gilk_function_first_promote (const GilkFunctionMarks *marks, GilkFunctions *functions, GilkFound *found);

G_END_DECLS
