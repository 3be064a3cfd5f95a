/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-follow.h - when hooks start that follow others (gilk-plan-leader.h)
 *
 * Threads: any, with a plan of their own. On failure outputs are untouched.
 */
#pragma once

#include "core/run/gilk-plan-leader.h"

G_BEGIN_DECLS

/**
 * gilk_plan_work_out:
 *
 * Works out when hooks start that follow others, in time that grows as the number of hooks.
 * Refuses leaders that are not there, those that work until the run ends, and circles; then some times may be old ones.
 */
gboolean gilk_plan_work_out (GilkPlan *plan, GError **error);
/* The same; but hooks that cannot follow any more start at the times that they had. */
void     gilk_plan_settle   (GilkPlan *plan);

G_END_DECLS
