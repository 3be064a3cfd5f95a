/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-table.h - the plan as a table; instrument and times are edited in place
 *
 * Signals: "opened" (int index: show that hook in the graph), "selected" (int index), "failed"
 * (GError).
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/run/gilk-connection.h"
#include "gui/plan/gilk-plan-model.h"

G_BEGIN_DECLS

#define GILK_TYPE_PLAN_TABLE (gilk_plan_table_get_type ())
G_DECLARE_FINAL_TYPE (GilkPlanTable, gilk_plan_table, GILK, PLAN_TABLE, GtkBox)

void gilk_plan_table_set_model (GilkPlanTable *self, GilkPlanModel *model, GilkConnection *connection);
/* Shows only hooks that match all words of @text; "" shows all. */
void gilk_plan_table_search    (GilkPlanTable *self, const char *text);
/* Selects the row of @hook, an index of the plan. The signal "selected" reports the
 * user's own selections. */
void gilk_plan_table_select    (GilkPlanTable *self, int hook);
/* Removes the selected hook from the plan. */
void gilk_plan_table_remove_selected (GilkPlanTable *self);

G_END_DECLS
