/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-follow.h - start times of hooks that follow others (gilk-plan-leader.h)
 *
 * Threads: any, each with its own plan. On failure outputs are untouched.
 */
#pragma once

#include "core/plan/gilk-plan-leader.h"

G_BEGIN_DECLS

/**
 * gilk_plan_compute_starts:
 *
 * Computes the start times of hooks that follow others, in linear time.
 * Refuses unknown leaders, leaders that work until the run ends, and cycles; then some hooks may
 * still have old times.
 */
gboolean gilk_plan_compute_starts    (GilkPlan *plan, GError **error);
/* Does the same, but hooks that can no longer follow keep the start times that they had. */
void     gilk_plan_compute_or_detach (GilkPlan *plan);

G_END_DECLS
