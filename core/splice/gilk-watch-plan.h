/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-watch-plan.h - the program of a watch, as a plan of its own
 *
 * It is of no function: its graph is one block of one instruction that nothing runs, so that what writes and proves
 * code of hooks finds there what it looks for.
 *
 * Threads: a plan belongs to one at a time.
 */
#pragma once

#include "core/emit/gilk-patch-plan.h"

G_BEGIN_DECLS

/**
 * gilk_watch_plan_new:
 * @kernel: whose frames the code has
 * @stays: it is live, and the one patch of the plan that this one follows
 */
GilkSplicePlan *gilk_watch_plan_new (GilkImage *kernel, const GilkWant *want, gboolean stays);

G_END_DECLS
