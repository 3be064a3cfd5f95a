/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-leader.h - which hook a hook follows, and its times as text
 *
 * Of a hook that starts when another stops @follows is the label of the other, its leader, and @follows_ns how much
 * later it starts. Its start_ns and stop_ns are times of the run as any hook's, worked out; when its leader's stop moves, how long it works stays.
 * As text its start is "after LEADER" or "after LEADER + TIME", and its stop "+TIME": so long behind its start.
 *
 * Threads: any, with a plan of their own. On failure outputs are untouched.
 */
#pragma once

#include "core/run/gilk-plan.h"

G_BEGIN_DECLS

/**
 * gilk_plan_parse_times:
 * @start: (nullable): as above, or a time of the run; NULL: at once
 * @stop: (nullable): as above, or a time of the run; NULL: when the run ends
 *
 * Gives the hook these. What it follows is to be worked out.
 */
gboolean gilk_plan_parse_times (GilkPlanHook *hook, const char *start, const char *stop, GError **error);
/* (transfer full) (nullable): as above; NULL: none */
char    *gilk_plan_start_text  (const GilkPlanHook *hook);
char    *gilk_plan_stop_text   (const GilkPlanHook *hook);

/* Lets the hook follow another, or with @label NULL none: then it starts when it did. To be settled. */
void     gilk_plan_hook_follow (GilkPlanHook *hook, const char *label, uint64_t later_ns);
/* (transfer full): which hooks are the leader of others, each 1, else 0; NULL: no hook follows another */
uint8_t *gilk_plan_leaders     (const GilkPlan *plan);
/* (transfer full) (element-type guint): of each hook the index of its leader, or G_MAXUINT; NULL: none has one */
GArray  *gilk_plan_leader_of   (const GilkPlan *plan);

G_END_DECLS
