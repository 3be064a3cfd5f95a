/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-list.h - numbers of hooks as rows for GTK, with one column, the index of the hook (guint)
 */
#pragma once

#include "gui/gilk-row-model.h"

G_BEGIN_DECLS

#define GILK_TYPE_PLAN_LIST (gilk_plan_list_get_type ())
G_DECLARE_FINAL_TYPE (GilkPlanList, gilk_plan_list, GILK, PLAN_LIST, GilkRowModel)

/* @hooks: (transfer full) (element-type guint) */
GilkPlanList *gilk_plan_list_new    (GArray *hooks);
guint         gilk_plan_list_length (GilkPlanList *self);
guint         gilk_plan_list_hook   (GilkPlanList *self, guint row);
/**
 * gilk_plan_list_take:
 * @hooks: (element-type guint): all rows
 * @most: so many are added at most; the rest when this is called again
 *
 * Rows that differ in number are told to have come or gone at the end.
 */
void          gilk_plan_list_take   (GilkPlanList *self, const GArray *hooks, guint most);

G_END_DECLS
