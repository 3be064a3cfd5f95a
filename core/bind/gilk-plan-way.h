/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-way.h - chooses the way by which a plan hooks, the driver or BPF, and prepares plans for BPF
 *
 * Threads: any.
 */
#pragma once

#include <gio/gio.h>

#include "core/link/gilk-target.h"
#include "core/plan/gilk-plan.h"

G_BEGIN_DECLS

/* Returns whether a hook is at a tracepoint, a timer or a point in a program, or its program reads an
 * event counter. */
gboolean gilk_plan_hook_needs_bpf (const GilkPlan *plan, const GilkPlanHook *hook);
/* Returns whether a hook of the plan needs BPF, so that all of its hooks are BPF programs, whatever way
 * the target uses. */
gboolean gilk_plan_needs_bpf  (const GilkPlan *plan);
/**
 * gilk_plan_choose_way:
 * @why: (out) (nullable): a sentence for the user, if the way is not the driver; free with g_free()
 *
 * Makes the target use the way that the plan needs, or else gilk_target_choose_way().
 */
gboolean gilk_plan_choose_way (const GilkPlan *plan, GilkTarget *target, char **why, GCancellable *cancellable,
                               GError **error);

/* Does so again once hooks were left out of a plan: @rest goes by the driver if only these needed BPF. */
gboolean gilk_plan_choose_way_again (const GilkPlan *before, const GilkPlan *rest, GilkTarget *target,
                                     GCancellable *cancellable, GError **error);
/* Returns the plan with programs in the place of the kernel modules that have one of the same name and
 * fields, as BPF can call no module. (transfer full): @plan itself if it has none of them */
GilkPlan *gilk_plan_without_modules (GilkPlan *plan);

G_END_DECLS
