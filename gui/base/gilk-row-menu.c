/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-row-menu.c - context menu of a row, at the pointer and with the menu key
 */
#include "gui/base/gilk-rows.h"

#include <glib/gi18n.h>

void
gilk_row_menu_popup (GtkWidget          *widget,
                     GMenuModel         *menu,
                     const GdkEvent     *event,
                     const GdkRectangle *at)
{
  GtkWidget *popup = gtk_menu_new_from_model (menu);

  gtk_menu_attach_to_widget (GTK_MENU (popup), widget, NULL);
  g_signal_connect (popup, "selection-done", G_CALLBACK (gtk_widget_destroy), NULL);
  if (event != NULL)
    gtk_menu_popup_at_pointer (GTK_MENU (popup), event);
  else
    gtk_menu_popup_at_rect (GTK_MENU (popup), gtk_widget_get_window (widget), at, GDK_GRAVITY_SOUTH_WEST, GDK_GRAVITY_NORTH_WEST,
                            NULL);
}

void
gilk_row_menu_append_item (GMenu      *menu,
                           const char *label,
                           const char *action,
                           const char *accel)
{
  g_autoptr(GMenuItem) item = g_menu_item_new (label, action);

  if (accel != NULL)
    g_menu_item_set_attribute (item, "accel", "s", accel);
  g_menu_append_item (menu, item);
}

GMenuModel *
gilk_plan_row_menu (void)
{
  GMenu *menu = g_menu_new ();

  gilk_row_menu_append_item (menu, _("_Show in Graph"), "row.open", "Return");
  gilk_row_menu_append_item (menu, _("_Remove from Plan"), "row.remove", "Delete");
  gilk_row_menu_append_item (menu, _("_Undo"), "win.undo", NULL);

  return G_MENU_MODEL (menu);
}

static gboolean
handle_press (GtkTreeView    *tree,
              GdkEventButton *event,
              gpointer        menu)
{
  g_autoptr(GtkTreePath) path = NULL;

  if (!gdk_event_triggers_context_menu ((const GdkEvent *) event) || event->window != gtk_tree_view_get_bin_window (tree) ||
      !gtk_tree_view_get_path_at_pos (tree, (int) event->x, (int) event->y, &path, NULL, NULL, NULL))
    return GDK_EVENT_PROPAGATE;
  gtk_widget_grab_focus (GTK_WIDGET (tree));
  gtk_tree_view_set_cursor (tree, path, NULL, FALSE);
  gilk_row_menu_popup (GTK_WIDGET (tree), menu, (const GdkEvent *) event, NULL);

  return GDK_EVENT_STOP;
}

static gboolean
handle_menu_key (GtkTreeView *tree,
                 gpointer     menu)
{
  g_autoptr(GtkTreePath) path = NULL;
  GdkRectangle cell;

  gtk_tree_view_get_cursor (tree, &path, NULL);
  if (path == NULL)
    return FALSE;
  gtk_tree_view_get_cell_area (tree, path, gtk_tree_view_get_column (tree, 0), &cell);
  gtk_tree_view_convert_bin_window_to_widget_coords (tree, cell.x, cell.y, &cell.x, &cell.y);
  gilk_row_menu_popup (GTK_WIDGET (tree), menu, NULL, &cell);

  return TRUE;
}

void
gilk_row_menu_add (GtkTreeView *tree,
                   GMenuModel  *menu)
{
  g_object_set_data_full (G_OBJECT (tree), "gilk-row-menu", menu, g_object_unref);
  g_signal_connect (tree, "button-press-event", G_CALLBACK (handle_press), menu);
  g_signal_connect (tree, "popup-menu", G_CALLBACK (handle_menu_key), menu);
}
