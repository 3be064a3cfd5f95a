/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-binder.h - binds the edited plan to the connected kernel in the background
 *
 * Binds the plan shortly after each edit and on request, so that the tactic, cost or refusal of
 * every hook is known before a run starts. Does not bind during a run, because the plan of the run
 * is bound already. Signal "bound" (const GilkBoundPlan *): the plan was bound, and the model has
 * the result.
 */
#pragma once

#include "gui/base/gilk-banner.h"
#include "gui/plan/gilk-plan-model.h"
#include "gui/run/gilk-recorder.h"

G_BEGIN_DECLS

#define GILK_TYPE_PLAN_BINDER (gilk_plan_binder_get_type ())
G_DECLARE_FINAL_TYPE (GilkPlanBinder, gilk_plan_binder, GILK, PLAN_BINDER, GObject)

/* @banner: shows errors, and under the owner "moved" reports hooks whose location has moved in the
 * kernel */
GilkPlanBinder *gilk_plan_binder_new      (GilkPlanModel *model, GilkConnection *connection, GilkRecorder *recorder,
                                           GilkBanner *banner);
/* Must be called after the kernel, or other clients' hooks in it, changed. */
void            gilk_plan_binder_schedule (GilkPlanBinder *self);

G_END_DECLS
