/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cost-loader.h - loads measured costs of earlier runs on the target to forecast the plan's
 * costs
 *
 * Costs come from the last run or, before the first run, from the newest session in the user's
 * folder with the same kernel and machine. For the main thread; worker threads read sessions.
 */
#pragma once

#include "gui/run/gilk-connection.h"
#include "gui/plan/gilk-plan-model.h"
#include "gui/run/gilk-recorder.h"

G_BEGIN_DECLS

#define GILK_TYPE_COST_LOADER (gilk_cost_loader_get_type ())
G_DECLARE_FINAL_TYPE (GilkCostLoader, gilk_cost_loader, GILK, COST_LOADER, GObject)

/* Keeps the costs in @model up to date from now on. */
GilkCostLoader *gilk_cost_loader_new (GilkPlanModel *model, GilkConnection *connection, GilkRecorder *recorder,
                                      GSettings *settings);

G_END_DECLS
