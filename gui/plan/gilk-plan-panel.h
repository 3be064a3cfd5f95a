/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-panel.h - the plan in the window: panel below the graph, and page of the schedule
 */
#pragma once

#include "gui/base/gilk-banner.h"
#include "gui/plan/gilk-plan-model.h"
#include "gui/plan/gilk-time-entries.h"
#include "gui/run/gilk-connection.h"

/*
 * Panel below the graph.
 *
 * For an empty plan it is one line high. It must be a child of a GtkPaned. Signal "opened" (int
 * index): show that hook in the graph.
 */

#define GILK_TYPE_PLAN_PANEL (gilk_plan_panel_get_type ())
G_DECLARE_FINAL_TYPE (GilkPlanPanel, gilk_plan_panel, GILK, PLAN_PANEL, GtkBox)

/* Sets the plan that the panel shows. @window: its width decides which buttons have labels; it must
 * have been given to gilk_panes_attach() */
void             gilk_plan_panel_set_model       (GilkPlanPanel *self, GtkWindow *window, GilkPlanModel *model,
                                                  GilkPlanAutosave *autosave, GilkConnection *connection,
                                                  GilkBanner *banner);
/* Returns the entry for the length of runs. (transfer none) */
GilkLengthEntry *gilk_plan_panel_length          (GilkPlanPanel *self);
/* Returns the number of consecutive runs, at least 1. */
guint            gilk_plan_panel_n_runs          (GilkPlanPanel *self);
/* Sets the times that the schedule shows, see gilk_schedule_view_set_time(). */
void             gilk_plan_panel_set_time        (GilkPlanPanel *self, uint64_t duration_ns, double elapsed);
void             gilk_plan_panel_remove_selected (GilkPlanPanel *self);

/*
 * Page of the window: the plan's schedule in full size, and its settings.
 *
 * Signals: "opened" (int index): show that hook in the graph; "checked": the text of the A/B
 * intervals, in which hooks are switched off and on, was checked. If it is valid, it was set in the
 * plan, even if it conflicts with the rest of the plan, see gilk_schedule_page_conflict().
 */

#define GILK_TYPE_SCHEDULE_PAGE (gilk_schedule_page_get_type ())
G_DECLARE_FINAL_TYPE (GilkSchedulePage, gilk_schedule_page, GILK, SCHEDULE_PAGE, GtkPaned)

/* Sets the plan that the page shows, and adds "stop-when" to @actions. @length: text of the entry
 * for the length of runs, shared with another entry. @banner: shows errors, and under the owner
 * "conflict" a conflict of the A/B intervals with the plan */
void        gilk_schedule_page_set_model       (GilkSchedulePage *self, GActionMap *actions, GilkPlanModel *model,
                                                GilkPlanAutosave *autosave, GilkConnection *connection,
                                                GilkBanner *banner, GtkEntryBuffer *length);
/* Sets the fields that stop conditions may use. These are the numeric quantities in the samples of
 * @bound's hooks. */
void        gilk_schedule_page_set_bound       (GilkSchedulePage *self, const GilkBoundPlan *bound);
/* Sets the times that the schedule shows, see gilk_schedule_view_set_time(). */
void        gilk_schedule_page_set_time        (GilkSchedulePage *self, uint64_t duration_ns, double elapsed);
/* Sets the entered A/B intervals, in which hooks are switched off and on, in the plan. */
void        gilk_schedule_page_enter_intervals (GilkSchedulePage *self);
/* Returns why hooks cannot be switched off and on in the entered or planned intervals; NULL: they
 * can. No run may start, and the plan must not be saved, until the conflict is resolved. */
const char *gilk_schedule_page_conflict        (GilkSchedulePage *self);
/* Sets @schedule and @table to the page's two widgets that show the plan. (transfer none) */
void        gilk_schedule_page_panes           (GilkSchedulePage *self, GtkWidget **schedule, GtkWidget **table);
