/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program-error.h - what is wrong with a program, shown in its text
 */
#pragma once

#include "core/run/gilk-bound-plan.h"

G_BEGIN_DECLS

/* The line of the hook's program that its error is in, and a line of carets below what is meant, each behind a line's
 * end and with four spaces before it. "" if no program is wrong. (transfer full) */
char *cli_program_error (const GilkBoundHook *hook);

G_END_DECLS
