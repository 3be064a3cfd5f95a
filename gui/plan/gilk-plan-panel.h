/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-panel.h - the plan below the graph: table, schedule, and the settings of its runs
 *
 * For an empty plan it is one line high. It must be a child of a GtkPaned. Signal "opened" (int index): show
 * that hook in the graph.
 */
#pragma once

#include "gui/base/gilk-banner.h"
#include "gui/plan/gilk-length-entry.h"
#include "gui/plan/gilk-plan-model.h"
#include "gui/run/gilk-connection.h"

G_BEGIN_DECLS

#define GILK_TYPE_PLAN_PANEL (gilk_plan_panel_get_type ())
G_DECLARE_FINAL_TYPE (GilkPlanPanel, gilk_plan_panel, GILK, PLAN_PANEL, GtkBox)

/* @window: its width decides which buttons have labels; must have been given to gilk_panes_attach() */
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

G_END_DECLS
