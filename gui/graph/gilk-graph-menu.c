/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-menu.c - context menu of the graph, and its actions that need only the graph
 */
#include "gui/graph/gilk-graph-menu.h"

#include <glib/gi18n.h>

#define MENUS "/org/gilk/Workbench/ui/canvas-menu.ui"

typedef struct {
  GilkGraphView *view;
  GMenuModel  *(*menu) (void);
  GilkGraphReportFunc  report;
  gpointer       object;
} Menu;

static void
menu_free (gpointer  data,
           GClosure *closure)
{
  g_free (data);
}

static void
activate_fold (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       user_data)
{
  static const struct { const char *name; GilkFoldAction act; const char *why_not; } acts[] = {
    { "toggle", GILK_FOLD_TOGGLE, N_("Nothing to fold here: this block is in no loop and dominates no other block.") },
    { "loop", GILK_FOLD_LOOP, N_("This block is not in an unfolded loop.") },
    { "dominated", GILK_FOLD_DOMINATED, N_("This block dominates no other block.") },
    { "chosen", GILK_FOLD_SELECTED, N_("Select some blocks to fold, but not all: Shift+click them, or Shift+drag around them.") },
    { "loops", GILK_FOLD_LOOPS, N_("There is no unfolded loop.") },
    { "open-all", GILK_FOLD_OPEN_ALL, N_("Nothing is folded.") },
  };
  const Menu *self = user_data;

  for (gsize i = 0; i < G_N_ELEMENTS (acts); i++)
    if (g_str_equal (g_variant_get_string (parameter, NULL), acts[i].name) && !gilk_graph_view_fold (self->view, acts[i].act))
      self->report (self->object, _(acts[i].why_not));
}

static void
popup_menu (GilkGraphView *view,
            GdkEvent      *event,
            const Menu    *self)
{
  g_autoptr(GMenuModel) model = self->menu ();
  GtkWidget *menu = gtk_menu_new_from_model (model);
  GdkRectangle box = { 0, 0, 1, 1 };

  gtk_menu_attach_to_widget (GTK_MENU (menu), GTK_WIDGET (view), NULL);
  g_signal_connect (menu, "selection-done", G_CALLBACK (gtk_widget_destroy), NULL);
  if (event != NULL)
    {
      gtk_menu_popup_at_pointer (GTK_MENU (menu), event);
      return;
    }
  if (gilk_graph_view_point (view) >= 0)
    gilk_graph_view_block_extents (view, gilk_graph_view_point (view) / 2, &box);
  gtk_menu_popup_at_rect (GTK_MENU (menu), gtk_widget_get_window (GTK_WIDGET (view)), &box, GDK_GRAVITY_SOUTH_WEST,
                          GDK_GRAVITY_NORTH_WEST, NULL);
}

void
gilk_graph_menu_add (GilkGraphView *view,
                     GMenuModel   *(*menu) (void),
                     GilkGraphReportFunc  report,
                     gpointer       object)
{
  static const GActionEntry entries[] = { { "fold", activate_fold, "s" } };
  g_autoptr(GSimpleActionGroup) group = g_simple_action_group_new ();
  Menu *self = g_new (Menu, 1);

  *self = (Menu) { view, menu, report, object };
  g_action_map_add_action_entries (G_ACTION_MAP (group), entries, G_N_ELEMENTS (entries), self);
  gtk_widget_insert_action_group (GTK_WIDGET (view), "canvas", G_ACTION_GROUP (group));
  g_signal_connect_data (view, "menu", G_CALLBACK (popup_menu), self, menu_free, 0);
}

GMenuModel *
gilk_graph_menu_load (const char *name)
{
  g_autoptr(GtkBuilder) builder = gtk_builder_new_from_resource (MENUS);

  return g_object_ref (G_MENU_MODEL (gtk_builder_get_object (builder, name)));
}

static GMenuModel *
load_recorded_menu (void)
{
  return gilk_graph_menu_load ("recorded");
}

static void
show_in_label (gpointer    object,
               const char *text)
{
  gtk_label_set_text (object, text);
}

void
gilk_graph_menu_add_recorded (GilkGraphView *view,
                              GtkLabel      *label)
{
  gilk_graph_menu_add (view, load_recorded_menu, show_in_label, label);
}
