/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-clone-order.h - clones with another block order than the original
 *
 * Threads: only the plan's.
 */
#pragma once

#include "core/splice/gilk-splice.h"

G_BEGIN_DECLS

/* Returns the number of blocks in an order: the reachable ones. */
guint    gilk_clone_order_length (const GilkCfg *cfg);

/* Returns whether @order is valid: all reachable blocks, each once, entry first. */
gboolean gilk_clone_order_check  (const GilkCfg *cfg, const guint *order, guint n);

/* Sets the block order of the clone, which must be the only patch of @plan, and its slot size.
 * Returns FALSE if the clone is too large; then the plan is unchanged. */
gboolean gilk_clone_set_order    (GilkSplicePlan *plan, const guint *order);

/* Returns a random order with the seed $GILK_CLONE_ORDER, a number, for tests of properties of
 * every order. NULL if it is not set. (transfer full) */
guint   *gilk_clone_stress_order (const GilkCfg *cfg);

G_END_DECLS
