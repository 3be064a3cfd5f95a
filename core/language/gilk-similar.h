/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-similar.h - finds the most similar name, to suggest it in place of an unknown one
 *
 * Threads: one thread at a time.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  const char *wanted;
  char       *best;
  guint       distance;
} GilkSimilar;

void  gilk_similar_init   (GilkSimilar *near, const char *wanted);
void  gilk_similar_add    (GilkSimilar *near, const char *name);
/* Returns the most similar name offered, or NULL if none is similar. (transfer full) */
char *gilk_similar_finish (GilkSimilar *near);

G_END_DECLS
