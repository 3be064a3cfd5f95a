/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program-error.h - shows an error within the text of a program
 */
#pragma once

#include "core/bind/gilk-bound-plan.h"

G_BEGIN_DECLS

/* Returns the line of the hook's program that has the error, and a line of carets below the place;
 * each follows a newline and is indented by four spaces. "" if no such error is set. (transfer
 * full) */
char *cli_program_error (const GilkBoundHook *hook);

G_END_DECLS
