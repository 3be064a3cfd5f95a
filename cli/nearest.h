/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nearest.h - the words one may have meant
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Up to three of @words that are near @word: "\"find\" or \"plan\""; NULL if none. (transfer full) */
char *cli_nearest (const char *word, const char *const *words, guint count);

G_END_DECLS
