/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-binder.h - binds the edited plan to the connected kernel, and loads its measured
 * costs, in the background
 *
 * Binds the plan shortly after each edit and on request, so that the tactic, cost or refusal of
 * every hook is known before a run starts. Does not bind during a run, because the plan of the run
 * is bound already. Signal "bound" (const GilkBoundPlan *): the plan was bound, and the model has
 * the result.
 */
#pragma once

#include "gui/base/gilk-banner.h"
#include "gui/plan/gilk-plan-model.h"
#include "gui/run/gilk-connection.h"
#include "gui/run/gilk-recorder.h"

#define GILK_TYPE_PLAN_BINDER (gilk_plan_binder_get_type ())
G_DECLARE_FINAL_TYPE (GilkPlanBinder, gilk_plan_binder, GILK, PLAN_BINDER, GObject)

/* Creates an object that binds the plan of @model after each edit. @banner: shows errors, and under
 * the owner "moved" a message about hooks whose code has moved in the kernel */
GilkPlanBinder *gilk_plan_binder_new      (GilkPlanModel *model, GilkConnection *connection, GilkRecorder *recorder,
                                           GilkBanner *banner);
/* Binds the plan again soon. Must be called after the kernel, or other clients' hooks in it,
 * changed. */
void            gilk_plan_binder_schedule (GilkPlanBinder *self);

/*
 * Loads measured costs of earlier runs on the target to forecast the plan's costs.
 *
 * The costs are those of the last run or, before the first run, those in the newest session of the
 * user's folder that was recorded on the same kernel and machine. For the main thread; worker
 * threads read sessions.
 */

#define GILK_TYPE_COST_LOADER (gilk_cost_loader_get_type ())
G_DECLARE_FINAL_TYPE (GilkCostLoader, gilk_cost_loader, GILK, COST_LOADER, GObject)

/* Keeps the costs in @model up to date from now on. */
GilkCostLoader *gilk_cost_loader_new (GilkPlanModel *model, GilkConnection *connection, GilkRecorder *recorder,
                                      GSettings *settings);
