/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-list.h - tree model of hook indices, with one column: the index of the hook (guint)
 */
#pragma once

#include "gui/base/gilk-row-model.h"

G_BEGIN_DECLS

#define GILK_TYPE_PLAN_LIST (gilk_plan_list_get_type ())
G_DECLARE_FINAL_TYPE (GilkPlanList, gilk_plan_list, GILK, PLAN_LIST, GilkRowModel)

/* @hooks: (transfer full) (element-type guint) */
GilkPlanList *gilk_plan_list_new      (GArray *hooks);
guint         gilk_plan_list_length   (GilkPlanList *self);
guint         gilk_plan_list_hook     (GilkPlanList *self, guint row);
/**
 * gilk_plan_list_set_rows:
 * @hooks: (element-type guint): all rows
 * @limit: maximum number of rows to add; call again for the rest
 *
 * Replaces the rows. A difference in length is signalled as rows removed or inserted at the end.
 */
void          gilk_plan_list_set_rows (GilkPlanList *self, const GArray *hooks, guint limit);

G_END_DECLS
