/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-splice-private.h - between the planner and that part of it which follows a
 * live plan
 */
#pragma once

#include "core/splice/gilk-splice.h"
#include "core/splice/gilk-window.h"

G_BEGIN_DECLS

/* gilk-splice.c */
/* GilkRefusal of what can be met nowhere, 0 if it might be. */
guint    gilk_splice_check       (const GilkSplicePlan *plan, const GilkWant *want);
/* Size and cost of a patch whose footprint and hooks are known. */
void     gilk_splice_size_patch  (const GilkSplicePlan *plan, GilkPatchPlan *patch);

/* gilk-splice-next.c */
/* Has the window no byte of a live footprint, nor of the room of a live bounce? */
gboolean gilk_splice_is_free     (const GilkSplicePlan *plan, const GilkWindow *window);
gboolean gilk_splice_is_cloned   (const GilkSplicePlan *live);
/* Puts the live patches first, with the hooks that stay or can join them. */
void     gilk_splice_seed        (GilkSplicePlan *plan, const GilkSplicePlan *live,
                                  const guint *was);
/* Puts all hooks into a clone that takes the place of the live one. */
void     gilk_splice_clone_again (GilkSplicePlan *plan, const GilkSplicePlan *live,
                                  const guint *was);

G_END_DECLS
