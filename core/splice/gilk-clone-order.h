/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-clone-order.h - clones whose blocks stand in another order than the original's
 *
 * Threads: that of the plan.
 */
#pragma once

#include "core/splice/gilk-splice.h"

G_BEGIN_DECLS

/* How many blocks an order has: those that control gets to. */
guint    gilk_clone_order_length (const GilkCfg *cfg);

/* Is it one: all blocks that control gets to, each once, the entry first? */
gboolean gilk_clone_order_check  (const GilkCfg *cfg, const guint *order, guint n);

/* Has the clone that is all there is in @plan written in @order, and asks for as much room as that takes. FALSE: it is
 * too large; the plan is as before then. */
gboolean gilk_clone_set_order    (GilkSplicePlan *plan, const guint *order);

/* At random, as $GILK_CLONE_ORDER, a number, has it: for tests of what must hold in any order. NULL: it is not
 * set. (transfer full) */
guint   *gilk_clone_stress_order (const GilkCfg *cfg);

G_END_DECLS
