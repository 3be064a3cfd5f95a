/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-phrase.h - translation of messages that arrive in English
 *
 * The agent is not translated, and sessions store English messages. Such a message is recognised by
 * the format that produced it, for which there are translations.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * Returns @text in the user's language if one of @formats (NULL-terminated, marked by N_())
 * matches, else unchanged. Arguments are translated in the same way.
 */
char *gilk_phrase_translate (const char *text, const char *const *formats);

G_END_DECLS
