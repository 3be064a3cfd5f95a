/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-list.h - numbers of hooks as the rows of a GtkTreeModel
 *
 * One column, the index of the hook (guint). Nothing is kept for a row: a list of fifty thousand is as cheap as one
 * of ten until it is shown.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GILK_TYPE_PLAN_LIST (gilk_plan_list_get_type ())
G_DECLARE_FINAL_TYPE (GilkPlanList, gilk_plan_list, GILK, PLAN_LIST, GObject)

GilkPlanList *gilk_plan_list_new    (void);
guint         gilk_plan_list_length (GilkPlanList *self);
guint         gilk_plan_list_hook   (GilkPlanList *self, guint row);
/**
 * gilk_plan_list_take:
 * @hooks: (transfer full) (element-type guint): all rows
 *
 * Rows that differ in number are told to have come or gone at the end. Where these are many it is better to have no
 * view look while it is done.
 */
void          gilk_plan_list_take   (GilkPlanList *self, GArray *hooks);

G_END_DECLS
