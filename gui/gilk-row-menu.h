/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-row-menu.h - the menu of a row: where one points, and with the menu key
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* At the pointer of @event; without one below @at, in @widget's coordinates. Its actions are those of @widget. */
void gilk_row_menu_popup (GtkWidget *widget, GMenuModel *menu, const GdkEvent *event, const GdkRectangle *at);
/* Rows of @tree have @menu (transfer full): the one that is pointed at is selected first. */
void gilk_row_menu_add   (GtkTreeView *tree, GMenuModel *menu);
/* Appends an item whose key, handled by the widget itself, is shown beside it. @accel: (nullable) */
void gilk_row_menu_item  (GMenu *menu, const char *label, const char *action, const char *accel);
/* Of a hook of the plan: "row.open" and "row.remove". (transfer full) */
GMenuModel *gilk_plan_row_menu (void);

G_END_DECLS
