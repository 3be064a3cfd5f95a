/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-service.h - driver services that programs use: event counters and crashes
 *
 * Threads: that of the plan.
 */
#pragma once

#include "core/bind/gilk-bound-plan.h"
#include "core/link/gilk-target.h"

G_BEGIN_DECLS

/* Sets errors of hooks whose programs need a service that the target lacks. @target: (nullable).
 * FALSE: the target failed */
gboolean gilk_bound_services_check (GilkBoundPlan *bound, GilkTarget *target, GCancellable *cancellable, GError **error);

/* Returns the ILK_CRASH_* flags for hooks of the plan. */
uint32_t gilk_plan_crash_flags     (const GilkPlan *plan);

G_END_DECLS
