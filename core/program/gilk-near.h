/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-near.h - finds the most similar name, to suggest it in place of an unknown one
 *
 * Threads: one at a time.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  const char *wanted;
  char       *best;
  guint       distance;
} GilkNear;

void  gilk_near_init  (GilkNear *near, const char *wanted);
void  gilk_near_offer (GilkNear *near, const char *name);
/* Returns the most similar name offered, or NULL if none is similar. (transfer full) */
char *gilk_near_take  (GilkNear *near);

G_END_DECLS
