/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-row-menu.h - context menu of a row, at the pointer and with the menu key
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Opens the menu at the pointer of @event, or without an event below @at, in coordinates of
 * @widget. Actions are looked up from @widget. */
void gilk_row_menu_popup (GtkWidget *widget, GMenuModel *menu, const GdkEvent *event, const GdkRectangle *at);
/* Gives all rows of @tree a context menu (transfer full); a right click selects its row first. */
void gilk_row_menu_add   (GtkTreeView *tree, GMenuModel *menu);
/* Appends an item and shows @accel beside it, a key that the widget handles
 * itself. @accel: (nullable) */
void gilk_row_menu_append_item  (GMenu *menu, const char *label, const char *action, const char *accel);
/* Returns the menu of a planned hook: "row.open" and "row.remove". (transfer full) */
GMenuModel *gilk_plan_row_menu (void);

G_END_DECLS
