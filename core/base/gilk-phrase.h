/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-phrase.h - sentences that came ready-made, in the user's language
 *
 * The agent has no languages, and a session keeps English words: what comes from there is
 * recognised by the format it was written with, and that is what translations have.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * @text in the user's language, if one of @formats (NULL-terminated, marked by N_()) made it;
 * as it is if none did. What stood in place of a conversion is looked up as well.
 */
char *gilk_phrase_translate (const char *text, const char *const *formats);

G_END_DECLS
