/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-user-plan.h - the hooks that are wanted in a function of a program
 *
 * Each is a patch of its own, which an uprobe of the kernel leads to: nothing of the function is moved, and hooks are
 * not in each other's way. What is asked here is whether an instruction begins at the point for certain, and
 * whether all that come by there are those that are meant. The kernel has its own say when they are armed.
 *
 * Threads: a plan belongs to one at a time.
 */
#pragma once

#include "core/emit/gilk-patch-plan.h"

G_BEGIN_DECLS

/**
 * gilk_user_plan_new:
 * @live: (nullable): of the same function, which it follows; @was: per want: which one it is there, G_MAXUINT: new
 */
GilkSplicePlan *gilk_user_plan_new     (GilkCfg *cfg, const GilkWant *wants, guint n_wants,
                                        const GilkSplicePlan *live, const guint *was);
/* What would become of one want alone: its tactic, or a refusal. */
void            gilk_user_plan_preview (GilkCfg *cfg, guint block, GilkWhere where, GilkChoice *choice);

G_END_DECLS
