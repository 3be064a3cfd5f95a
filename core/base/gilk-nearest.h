/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-nearest.h - the words one may have meant
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Up to three of @words that are near @word: "\"find\" or \"plan\""; NULL if none. (transfer full) */
char *gilk_nearest      (const char *word, const char *const *words, guint count);
/* " Did you mean \"find\"?", or "": what an error about @word ends with. (transfer full) */
char *gilk_nearest_hint (const char *word, const char *const *words, guint count);

G_END_DECLS
