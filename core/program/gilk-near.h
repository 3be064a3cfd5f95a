/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-near.h - the name that is nearest to one that is not there
 *
 * Threads: that of its owner.
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
/* NULL: none that was offered is near. (transfer full) */
char *gilk_near_take  (GilkNear *near);

G_END_DECLS
