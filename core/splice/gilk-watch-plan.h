/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-watch-plan.h - a plan for the program of a watchpoint
 *
 * The plan belongs to no function. Its graph is one block with one instruction that never runs, so
 * that emitter and verifier find the graph that they expect.
 *
 * Threads: a plan belongs to one thread at a time.
 */
#pragma once

#include "core/emit/gilk-patch-plan.h"

G_BEGIN_DECLS

/**
 * gilk_watch_plan_new:
 * @kernel: image of the kernel in which the code runs
 * @stays: the hook is live, and the only patch of the plan that this one follows
 */
GilkSplicePlan *gilk_watch_plan_new (GilkImage *kernel, const GilkWant *want, gboolean stays);

G_END_DECLS
