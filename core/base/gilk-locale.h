/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-locale.h - language of a program
 *
 * Messages are in the user's language, numbers have one format in all languages: a duration, a plan
 * or a table can be passed to a user of another language. Output for programs is not translated.
 *
 * Threads: the main one, before others exist.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @for_programs: output, including errors, is for programs */
void gilk_locale_init (gboolean for_programs);

G_END_DECLS
