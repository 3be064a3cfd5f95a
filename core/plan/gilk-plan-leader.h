/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-leader.h - makes hooks follow other hooks, and converts times of hooks to text and back
 *
 * If a hook starts when another hook, its leader, stops, then @leader is the leader's label, and
 * @leader_delay_ns the delay after its stop. The hook's start_ns and stop_ns are times of the run,
 * as for any hook, but they are computed; if the leader's stop moves, the hook keeps its length. As
 * text, the hook's start is "after LEADER" or "after LEADER + TIME", and its stop is "+TIME",
 * counted from its start.
 *
 * Threads: any, each with its own plan. On failure outputs are untouched.
 */
#pragma once

#include "core/plan/gilk-plan.h"

G_BEGIN_DECLS

/**
 * gilk_plan_parse_times:
 * @start: (nullable): text as above, or a time of the run; NULL: at once
 * @stop: (nullable): text as above, or a time of the run; NULL: when the run ends
 *
 * Sets the hook's times. Call gilk_plan_compute_starts() afterwards if it follows another hook.
 */
gboolean gilk_plan_parse_times (GilkPlanHook *hook, const char *start, const char *stop, GError **error);
/* Return a time as text, in the form above; NULL: none. (transfer full) (nullable) */
char    *gilk_plan_start_text  (const GilkPlanHook *hook);
char    *gilk_plan_stop_text   (const GilkPlanHook *hook);

/* Makes the hook follow the hook called @label; if @label is NULL, the hook follows no other and
 * keeps its start time. Call gilk_plan_compute_or_detach() afterwards. */
void     gilk_plan_hook_set_leader (GilkPlanHook *hook, const char *label, uint64_t later_ns);
/* Returns, for each hook, 1 if it is the leader of another, else 0; NULL: no leaders in the plan.
 * (transfer full) */
uint8_t *gilk_plan_leader_flags    (const GilkPlan *plan);
/* Returns the index of each hook's leader, or G_MAXUINT; NULL: no leaders in the plan.
 * (transfer full) (element-type guint) */
GArray  *gilk_plan_leader_indices  (const GilkPlan *plan);

/* ---- gilk-plan-follow.c: start times ---- */

/**
 * gilk_plan_compute_starts:
 *
 * Computes the start times of hooks that follow others, in linear time.
 * Fails for unknown leaders, leaders without a stop time, and cycles; then some hooks may
 * still have old times.
 */
gboolean gilk_plan_compute_starts    (GilkPlan *plan, GError **error);
/* Works like gilk_plan_compute_starts(), but hooks that can no longer follow their leaders are
 * detached and keep their start times. */
void     gilk_plan_compute_or_detach (GilkPlan *plan);

G_END_DECLS
