/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-service.h - what programs ask of the driver by name: counters of events, and crashes
 *
 * Threads: that of the plan.
 */
#pragma once

#include "core/run/gilk-bound-plan.h"
#include "core/target/gilk-target.h"

G_BEGIN_DECLS

/* Hooks whose programs ask for what the target has not get their error. @target: (nullable). FALSE: it failed. */
gboolean gilk_bound_services_check (GilkBoundPlan *bound, GilkTarget *target, GCancellable *cancellable, GError **error);

/* ILK_CRASH_*, for hooks of the plan. */
uint32_t gilk_plan_crash_flags     (const GilkPlan *plan);

G_END_DECLS
