/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-planner.h - plans hooks at points of the shown graph, and marks them in it
 *
 * Adding or removing the hooks of several blocks is one edit of the plan, and so one undo step.
 * While the user types a program for a point, it is checked by binding a temporary plan with only
 * the hook at that point. It is not checked during a run, because the kernel text then contains the
 * jumps to the run's hooks.
 */
#pragma once

#include "gui/base/gilk-banner.h"
#include "gui/graph/gilk-graph-view.h"
#include "gui/inspector/gilk-inspector.h"
#include "gui/run/gilk-recorder.h"

#define GILK_TYPE_GRAPH_PLANNER (gilk_graph_planner_get_type ())
G_DECLARE_FINAL_TYPE (GilkGraphPlanner, gilk_graph_planner, GILK, GRAPH_PLANNER, GObject)

/* Adds "plan-chosen" and "unplan-chosen" to @actions. @inspector: source of the settings of new
 * hooks. @settings: contains "log-heat" */
GilkGraphPlanner *gilk_graph_planner_new         (GilkGraphView *view, GilkInspector *inspector, GilkPlanModel *model,
                                                  GilkConnection *connection, GilkRecorder *recorder,
                                                  GilkTargetPoll *poll, GSettings *settings, GilkBanner *banner,
                                                  GActionMap *actions);
/* Selects the point at which the hook @label is, if the point is in the shown graph. */
void              gilk_graph_planner_select_hook (GilkGraphPlanner *self, const char *label);
