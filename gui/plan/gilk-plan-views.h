/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-views.h - the plan as a table and as a schedule
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/plan/gilk-plan-model.h"
#include "gui/run/gilk-connection.h"

/*
 * The plan as a table; instrument and times are edited in place
 *
 * Signals: "opened" (int index: show that hook in the graph), "selected" (int index), "failed"
 * (GError).
 */

#define GILK_TYPE_PLAN_TABLE (gilk_plan_table_get_type ())
G_DECLARE_FINAL_TYPE (GilkPlanTable, gilk_plan_table, GILK, PLAN_TABLE, GtkBox)

void gilk_plan_table_set_model (GilkPlanTable *self, GilkPlanModel *model, GilkConnection *connection);
/* Shows only hooks that match all words of @text; "" shows all. */
void gilk_plan_table_search    (GilkPlanTable *self, const char *text);
/* Selects the row of @hook, an index in the plan, without emitting the signal "selected", which
 * reports selections by the user. */
void gilk_plan_table_select    (GilkPlanTable *self, int hook);
/* Removes the selected hook from the plan. */
void gilk_plan_table_remove_selected (GilkPlanTable *self);

/*
 * The schedule: a bar per hook, moved by pointer and keys
 *
 * Hooks are grouped by function, and groups can be collapsed. For screen readers, the plan table is
 * the equivalent of the schedule; both edit the same model. The schedule scrolls by itself: put it
 * into a GtkScrolledWindow without a viewport.
 *
 * Signals: "opened" (int index: show that hook in the graph), "chosen" (int index), "failed"
 * (GError).
 */

#define GILK_TYPE_SCHEDULE_VIEW (gilk_schedule_view_get_type ())
G_DECLARE_FINAL_TYPE (GilkScheduleView, gilk_schedule_view, GILK, SCHEDULE_VIEW, GtkDrawingArea)

void gilk_schedule_view_set_model (GilkScheduleView *self, GilkPlanModel *model);
/* Sets the times to show. @duration_ns: planned length of the run, 0: until stopped; @elapsed:
 * seconds since the run started, negative while no run is active */
void gilk_schedule_view_set_time  (GilkScheduleView *self, uint64_t duration_ns, double elapsed);
/* Shows only hooks that match all words of @text; "" shows all. */
void gilk_schedule_view_search    (GilkScheduleView *self, const char *text);
/* Selects the bar of @hook, an index in the plan, without emitting the signal "chosen", which
 * reports selections by the user. */
void gilk_schedule_view_select_hook (GilkScheduleView *self, int hook);
/* Makes @self and @table always have the same hook selected. */
void gilk_schedule_view_share_selection (GilkScheduleView *self, GilkPlanTable *table);
void gilk_schedule_view_fold_all  (GilkScheduleView *self, gboolean folded);
