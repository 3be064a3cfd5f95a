/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-clone.h - plans clones, which are copies of whole functions with their hooks inlined, and
 * finds the callees to clone
 *
 * To the driver a clone is a patch: the footprint (the bytes that its jump overwrites) is at the
 * function's entry, after the ftrace site, and its code is the whole function. A clone makes real
 * calls, so return addresses lead into its memory (ILK_PATCH_RETURNS).
 *
 * Threads that are in the function when the clone is armed stay in the original until they leave
 * it. A thread in the clone that hits a WARN continues in the original.
 *
 * Threads: only the plan's thread. A refusal leaves the plan unchanged.
 */
#pragma once

#include <glib.h>

#include "core/base/gilk-cancellable.h"
#include "core/base/gilk-progress.h"
#include "core/dataflow/gilk-circulation.h"
#include "core/splice/gilk-footprint.h"
#include "core/splice/gilk-splice.h"

G_BEGIN_DECLS

/**
 * gilk_clone_check:
 * @inner: the clone is entered only by calls of other clones, so it needs no jump at its entry
 * Returns: the GilkRefusal that prevents cloning the function; 0 if there is none
 */
guint    gilk_clone_check (const GilkCfg *cfg, gboolean inner);

/* Finds the first instruction of the function's clone, and the number of instructions that the jump
 * to the clone overwrites. Returns FALSE if the jump does not fit. */
gboolean gilk_clone_entry (const GilkCfg *cfg, GilkFootprint *footprint);

/**
 * gilk_clone_plan:
 * @plan: a plan that already has a patch or a refusal for each requested hook
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

/* Works like gilk_clone_plan() with @may_choose set, for a single hook. @choice: (inout): the
 * result of gilk_splice_preview() for @want; replaced if a clone is better */
void     gilk_clone_preview (GilkCfg *cfg, const GilkLiveness *liveness, const GilkWant *want,
                             GilkChoice *choice);

/*
 * Changes the order of the blocks in clones of functions
 *
 * Threads: only the plan's thread.
 */

/* Returns the number of blocks that an order must have: the number of reachable blocks. */
guint    gilk_clone_order_length (const GilkCfg *cfg);

/* Returns whether @order is a valid order of blocks: it has all reachable blocks, each once, and
 * starts with the entry. */
gboolean gilk_clone_order_check  (const GilkCfg *cfg, const guint *order, guint n);

/* Sets the order of the clone's blocks, and the size of the memory slot for the clone. The clone
 * must be the only patch of @plan. Returns FALSE, with the plan unchanged, if the clone is too
 * large. */
gboolean gilk_clone_set_order    (GilkSplicePlan *plan, const guint *order);

/* Returns a random order, for tests that must pass with any order. The environment variable
 * GILK_CLONE_ORDER has the seed, a number. Returns NULL if it is not set. (transfer full) */
guint   *gilk_clone_stress_order (const GilkCfg *cfg);

/*
 * Finds the callees of a function, and their callees.
 *
 * Direct calls and tail calls are followed. Indirect calls and static calls are not, because their
 * targets change. Functions that cannot be cloned are reported, but not followed further.
 *
 * Threads: any; the decoder belongs to the caller. Blocks on the target.
 */

typedef struct {
  const GilkFunction *function;
  GilkCfg *cfg;              /* graph of the function; NULL if it was not decoded */
  guint    depth;            /* number of calls on the shortest path from the first function to
                              * this one */
  guint    refusal;          /* GilkRefusal that prevents cloning of the function; 0: none */
} GilkCallee;

/**
 * gilk_callees_find:
 * @depth: maximum number of calls to follow from the first function
 * Returns: (transfer full) (element-type GilkCallee): each function once, @first first, then sorted
 *   by depth; NULL if text cannot be read, or @cancellable was cancelled
 */
GArray *gilk_callees_find (GilkFunctions *functions, GilkImage *image, const GilkFunction *first,
                           guint depth, GilkDecoder *decoder, const GilkProgress *progress,
                           GCancellable *cancellable, GError **error);

/* Returns a plan for counting the blocks of a clone: with a counter at each reachable block or,
 * with @fewest, at as few as determine all counts. (transfer full) */
GilkCirculation *gilk_callees_circulation (GilkCfg *cfg, gboolean fewest);

G_END_DECLS
