/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-user-plan.h - plans the hooks in a function of a user-space program
 *
 * Each hook is a patch of its own, reached by one of the kernel's uprobes: no instructions are
 * relocated, and hooks do not get in each other's way. The plan checks that an instruction
 * certainly starts at the point, and that every pass through the point is one that the user means.
 * The kernel has its own checks when hooks are armed.
 *
 * Threads: a plan belongs to one thread at a time.
 */
#pragma once

#include "core/emit/gilk-patch-plan.h"

G_BEGIN_DECLS

/**
 * gilk_user_plan_new:
 * @live: (nullable): plan of the same function that this one follows
 * @was: index of each want in @live; G_MAXUINT if it is new
 */
GilkSplicePlan *gilk_user_plan_new     (GilkCfg *cfg, const GilkWant *wants, guint n_wants,
                                        const GilkSplicePlan *live, const guint *was);
/* Plans one hook alone: sets its tactic, or a refusal. */
void            gilk_user_plan_preview (GilkCfg *cfg, guint block, GilkWhere where, GilkChoice *choice);

G_END_DECLS
