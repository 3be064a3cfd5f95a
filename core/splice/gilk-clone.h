/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-clone.h - plans clones: copies of whole functions with their hooks inlined
 *
 * To the driver a clone is a patch: its footprint is at the function's entry, after the ftrace
 * site, and its code is the whole function. It makes real calls, so return addresses lead into its
 * slot (ILK_PATCH_RETURNS).
 *
 * Threads that are in the function when the clone is armed stay in the original until they leave
 * it. A thread in the clone that hits a WARN continues in the original.
 *
 * Threads: only the plan's thread. A refusal leaves the plan unchanged.
 */
#pragma once

#include "core/splice/gilk-footprint.h"
#include "core/splice/gilk-splice.h"

G_BEGIN_DECLS

/**
 * gilk_clone_check:
 * @inner: the clone is entered only by calls of other clones, so it needs no jump at its entry
 * Returns: the GilkRefusal that prevents cloning the function; 0 if there is none
 */
guint    gilk_clone_check (const GilkCfg *cfg, gboolean inner);

/* Finds the first instruction of the clone, and the number of instructions that the jump at the
 * entry covers. FALSE if the jump does not fit. */
gboolean gilk_clone_entry (const GilkCfg *cfg, GilkFootprint *footprint);

/**
 * gilk_clone_plan:
 * @plan: has a patch or a refusal for each requested hook
 * @may_choose: also make a clone that was not requested, if some hook would otherwise be a trap or
 *   refused, or if hooks are dense; but not of the main function of kernel threads, because those
 *   threads would stay in the original
 * Puts either all hooks of the function into a clone or, if one of them cannot be there, none.
 */
void     gilk_clone_plan (GilkSplicePlan *plan, gboolean may_choose);

/*
 * Makes a clone without hooks, in a plan without requested hooks. Returns: GilkRefusal; 0 on
 * success
 */
guint    gilk_clone_plan_bare (GilkSplicePlan *plan, gboolean inner);

/* Works like gilk_clone_plan() with @may_choose set, for a single hook: @choice is from
 * gilk_splice_preview() for @want. */
void     gilk_clone_preview (GilkCfg *cfg, const GilkLiveness *liveness, const GilkWant *want,
                             GilkChoice *choice);

/*
 * Clones with another block order than the original
 *
 * Threads: only the plan's thread.
 */

/* Returns the number of blocks in an order, which has only reachable blocks. */
guint    gilk_clone_order_length (const GilkCfg *cfg);

/* Returns whether @order is valid: all reachable blocks, each once, entry first. */
gboolean gilk_clone_order_check  (const GilkCfg *cfg, const guint *order, guint n);

/* Sets the block order and the slot size of the clone, which must be the only patch of @plan.
 * Returns FALSE if the clone is too large; then the plan is unchanged. */
gboolean gilk_clone_set_order    (GilkSplicePlan *plan, const guint *order);

/* Returns a random order, for tests that must pass with any order. The environment variable
 * GILK_CLONE_ORDER has the seed, a number. Returns NULL if it is not set. (transfer full) */
guint   *gilk_clone_stress_order (const GilkCfg *cfg);

G_END_DECLS
