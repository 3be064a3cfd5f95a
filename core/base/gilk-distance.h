/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-distance.h - edit distance of two words
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the number of typing errors between the words: a letter inserted, deleted or replaced, or
 * two neighbours swapped. Only the first 63 bytes count. */
guint gilk_distance (const char *a, const char *b);

G_END_DECLS
