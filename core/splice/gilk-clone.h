/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-clone.h - copies of whole functions with their hooks inlined
 *
 * To the driver a clone is a patch: its footprint is at the function's entry,
 * behind the ftrace site, and its code is the whole function. It calls for real,
 * so that return addresses lead into its slot (ILK_PATCH_RETURNS).
 *
 * Threads that were inside the function when the clone was armed stay in the
 * original until they leave it; so does a thread behind a WARN that fired.
 *
 * Threads: that of the plan. A refusal leaves the plan as it was.
 */
#pragma once

#include "core/splice/gilk-splice.h"
#include "core/splice/gilk-footprint.h"

G_BEGIN_DECLS

/**
 * gilk_clone_check:
 * @inner: entered by calls of other clones alone, needs no jump at its entry
 * Returns: GilkRefusal that keeps the function from being cloned, 0 if nothing does
 */
guint    gilk_clone_check (const GilkCfg *cfg, gboolean inner);

/* First instruction of the clone, and how many the jump at the entry takes; FALSE if
 * there is no room for one. */
gboolean gilk_clone_entry (const GilkCfg *cfg, GilkFootprint *footprint);

/**
 * gilk_clone_plan:
 * @plan: with a patch or a refusal for each want
 * @may_choose: a clone is made also where nobody asked for one but it is better:
 *   where some hook would be a trap or not be at all, or where hooks are dense; but not
 *   where threads of the kernel live, which would stay in the original
 * Puts all hooks of the function that can be in a clone there, or none.
 */
void     gilk_clone_plan (GilkSplicePlan *plan, gboolean may_choose);

/* A clone without hooks, in a plan in which nothing is wanted. Returns: GilkRefusal, 0 if it is there. */
guint    gilk_clone_plan_bare (GilkSplicePlan *plan, gboolean inner);

/* As above for @choice, which gilk_splice_preview() made of @want alone. */
void     gilk_clone_preview (GilkCfg *cfg, const GilkLiveness *liveness, const GilkWant *want,
                             GilkChoice *choice);

G_END_DECLS
