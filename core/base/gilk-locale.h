/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-locale.h - the language that a program of Gilk speaks
 *
 * Text is in the user's language, numbers are the same in each: a duration, a plan or a
 * table that one user sees can be pasted by another. What programs read has no language.
 *
 * Threads: the main one, before there are others.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @for_programs: what the program prints is read by programs, its errors included. */
void gilk_locale_begin (gboolean for_programs);

G_END_DECLS
