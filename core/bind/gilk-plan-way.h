/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-way.h - chooses whether the driver or BPF serves a plan's hooks, and prepares plans for
 * BPF
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

#include "core/base/gilk-cancellable.h"
#include "core/link/gilk-target.h"
#include "core/plan/gilk-plan.h"

G_BEGIN_DECLS

/* Returns whether only BPF can serve the hook: it is at a tracepoint, at a timer or in a user
 * program, or its probe program reads an event counter. */
gboolean gilk_plan_hook_needs_bpf (const GilkPlan *plan, const GilkPlanHook *hook);
/* Returns whether at least one hook of the plan needs BPF. Then all hooks of the plan are BPF
 * programs, even if the target uses the driver now. */
gboolean gilk_plan_needs_bpf  (const GilkPlan *plan);
/**
 * gilk_plan_choose_way:
 * @why: (out) (nullable): if BPF is used: a sentence for the user with the reason; free with
 *   g_free()
 *
 * Makes the target use BPF if the plan needs it; otherwise calls gilk_target_choose_way().
 */
gboolean gilk_plan_choose_way (const GilkPlan *plan, GilkTarget *target, char **why, GCancellable *cancellable,
                               GError **error);

/*
 * Chooses again between the driver and BPF after hooks were left out. @before: the plan with these
 * hooks; @rest: the plan without them, which uses the driver if possible, unless one of its own
 * hooks needs BPF
 */
gboolean gilk_plan_choose_way_again (const GilkPlan *before, const GilkPlan *rest, GilkTarget *target,
                                     GCancellable *cancellable, GError **error);
/*
 * Prepares a plan for BPF, which cannot call instruments that are kernel modules: returns the plan
 * with these replaced by programs that record the same fields, as far as there are such programs.
 * (transfer full): @plan itself if nothing is replaced
 */
GilkPlan *gilk_plan_without_modules (GilkPlan *plan);

G_END_DECLS
