/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-nearest.h - suggestions for a misspelled word
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns up to three of @words that resemble @word: "\"find\" or \"plan\""; NULL if none does.
 * (transfer full) */
char *gilk_nearest      (const char *word, const char *const *words, guint count);
/* Returns " Did you mean \"find\"?" or "", to append to an error about @word. (transfer full) */
char *gilk_nearest_hint (const char *word, const char *const *words, guint count);

G_END_DECLS
