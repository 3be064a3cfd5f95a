/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-private.h - the steps of gilk_bound_plan_new() that have files of their own
 *
 * Threads: only the plan's thread.
 */
#pragma once

#include "core/bind/gilk-bound-plan.h"
#include "core/link/gilk-target.h"

G_BEGIN_DECLS

/* ---- gilk-bound-match.c: matching the live plan ---- */

/* Sets @live_index of each hook that is live already. */
void  gilk_bound_match_live (GilkBoundPlan *bound, const GilkBoundPlan *live);
/* Returns the index in @live (nullable) of the splice plan for @cfg's function; G_MAXUINT: none. */
guint gilk_bound_live_plan  (const GilkBoundPlan *live, const GilkCfg *cfg);
/* Returns the index of the hook's GilkWant in its splice plan in @live (nullable); G_MAXUINT: the
 * hook is new. */
guint gilk_bound_live_want  (const GilkBoundPlan *live, const GilkBoundHook *hook);

/* ---- gilk-bound-service.c: event counters and crashes ---- */

/* Sets the error of each hook whose program needs a service that the target lacks. Returns FALSE if
 * the target fails. @target: (nullable) */
gboolean gilk_bound_services_check (GilkBoundPlan *bound, GilkTarget *target, GCancellable *cancellable, GError **error);

G_END_DECLS
