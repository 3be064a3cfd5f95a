/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-rows.h - models, cells and menus of rows
 */
#pragma once

#include <gtk/gtk.h>

#include "core/splice/gilk-splice.h"

/*
 * Flat tree model without storage: a row is its index
 *
 * A derived class supplies the number of rows and the content of cells on demand, so that a long
 * list costs no more than a short one until it is shown.
 */

#define GILK_TYPE_ROW_MODEL (gilk_row_model_get_type ())
G_DECLARE_DERIVABLE_TYPE (GilkRowModel, gilk_row_model, GILK, ROW_MODEL, GObject)

/**
 * GilkRowModelClass:
 * @n_columns: number of columns, the same for all instances
 * @column_type: NULL: all columns are strings
 * @n_rows: number of rows announced to views
 * @get_cell: fills @value, which is initialised with the column's type
 */
struct _GilkRowModelClass {
  GObjectClass parent_class;

  int   n_columns;
  GType (*column_type) (int column);
  guint (*n_rows)      (GilkRowModel *self);
  void  (*get_cell)    (GilkRowModel *self, guint row, int column, GValue *value);
};

guint gilk_row_model_row      (const GtkTreeIter *iter);
/* These functions notify views that @row was inserted, deleted or changed. Call them after the
 * change, when the class's n_rows() returns the new number of rows. */
void  gilk_row_model_inserted (GilkRowModel *self, guint row);
void  gilk_row_model_deleted  (GilkRowModel *self, guint row);
void  gilk_row_model_changed  (GilkRowModel *self, guint row);

/* ---- context menu of a row, at the pointer and with the menu key ---- */

/* Opens the menu at the pointer of @event; if @event is NULL, below @at, in coordinates of
 * @widget. Actions are looked up from @widget. */
void gilk_row_menu_popup (GtkWidget *widget, GMenuModel *menu, const GdkEvent *event, const GdkRectangle *at);
/* Gives all rows of @tree a context menu (transfer full); a right click first selects the row under
 * the pointer. */
void gilk_row_menu_add   (GtkTreeView *tree, GMenuModel *menu);
/* Appends an item. @accel: (nullable): key to show beside the item. The widget handles the key
 * itself, so the menu only shows it. */
void gilk_row_menu_append_item  (GMenu *menu, const char *label, const char *action, const char *accel);
/* Returns the menu of a planned hook: "row.open" and "row.remove". (transfer full) */
GMenuModel *gilk_plan_row_menu (void);

/* ---- tree model of hook indices, with one column: the index of the hook (guint) ---- */

#define GILK_TYPE_PLAN_LIST (gilk_plan_list_get_type ())
G_DECLARE_FINAL_TYPE (GilkPlanList, gilk_plan_list, GILK, PLAN_LIST, GilkRowModel)

/* Creates a list of @hooks (transfer full) (element-type guint), which are indices. */
GilkPlanList *gilk_plan_list_new      (GArray *hooks);
guint         gilk_plan_list_length   (GilkPlanList *self);
guint         gilk_plan_list_hook     (GilkPlanList *self, guint row);
/**
 * gilk_plan_list_set_rows:
 * @hooks: (element-type guint): all rows
 * @limit: maximum number of rows to add; call again for the rest.
 *
 * Replaces the rows. If the number of rows differs from before, views are notified of rows removed
 * or inserted at the end.
 */
void          gilk_plan_list_set_rows (GilkPlanList *self, const GArray *hooks, guint limit);

/* ---- cell renderers ---- */

/*
 * Cell with two lines of text and a bar that shows how much of a function is hookable
 *
 * In the bar, the part for points that need a trap (int3) has half the height of the part for
 * points that can be hooked by a jump.
 */

#define GILK_TYPE_HOOKABLE_CELL (gilk_hookable_cell_get_type ())
G_DECLARE_FINAL_TYPE (GilkHookableCell, gilk_hookable_cell, GILK, HOOKABLE_CELL, GtkCellRendererText)

/* Shows @share as a bar; NULL: shows no bar. */
void gilk_hookable_cell_set (GilkHookableCell *self, const GilkHookShare *share);

/* ---- text cell with a background bar that shows a fraction of a total ---- */

#define GILK_TYPE_SHARE_CELL (gilk_share_cell_get_type ())
G_DECLARE_FINAL_TYPE (GilkShareCell, gilk_share_cell, GILK, SHARE_CELL, GtkCellRendererText)

/* Sets the length of the bar. @share: fraction of the total, 0 to 1 */
void gilk_share_cell_set (GilkShareCell *self, double share);
