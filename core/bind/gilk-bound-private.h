/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-private.h - the steps of gilk_bound_plan_new() that have files of their own
 *
 * Threads: only that of the plan.
 */
#pragma once

#include "core/bind/gilk-bound-plan.h"
#include "core/link/gilk-target.h"

G_BEGIN_DECLS

/* ---- gilk-bound-match.c: the live plan that it follows ---- */

/* Sets @live_index of each hook that is live already. */
void  gilk_bound_match_live (GilkBoundPlan *bound, const GilkBoundPlan *live);
/* Returns the index of the splice plan of @cfg's function; G_MAXUINT: none. @live is nullable. */
guint gilk_bound_live_plan  (const GilkBoundPlan *live, const GilkCfg *cfg);
/* Returns the index of the hook's want in the live splice plan; G_MAXUINT: new.
 * @live is nullable. */
guint gilk_bound_live_want  (const GilkBoundPlan *live, const GilkBoundHook *hook);

/* ---- gilk-bound-service.c: event counters and crashes ---- */

/* Sets errors of hooks whose programs need a service that the target lacks. @target: (nullable).
 * FALSE: the target failed */
gboolean gilk_bound_services_check (GilkBoundPlan *bound, GilkTarget *target, GCancellable *cancellable, GError **error);

G_END_DECLS
