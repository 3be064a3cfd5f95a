/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window-function.c - connects the search for functions and the parts that show a function
 */
#include "gui/window/gilk-window-private.h"

#include <glib/gi18n.h>

/* ---- search ---- */

void
gilk_window_search_changed (GilkWindow *self)
{
  const char *typed = gtk_entry_get_text (self->search);

  gilk_palette_show (self->palette, *typed == '>' ? typed + 1 : NULL);
  if (*typed == '>')
    return;
  gilk_function_list_set_pattern (self->function_list, typed);
  g_action_group_change_action_state (G_ACTION_GROUP (self), "function-list", g_variant_new_boolean (TRUE));
  gtk_stack_set_visible_child_name (self->mode_stack, "explore");
}

void
gilk_window_search_activated (GilkWindow *self)
{
  if (*gtk_entry_get_text (self->search) == '>')
    gilk_palette_activate (self->palette);
  else if (gilk_connection_functions (self->connection) == NULL)
    gilk_banner_remark (self->banner, GTK_MESSAGE_INFO, _("No kernel is connected: choose a target first."), NULL, NULL);
  else
    gilk_function_list_activate_first (self->function_list);
}

void
gilk_window_search_stopped (GilkWindow *self)
{
  GtkWidget *graph = GTK_WIDGET (gilk_function_view_graph (self->function_view));

  gtk_entry_set_text (self->search, "");
  if (gtk_widget_get_mapped (graph))
    gtk_widget_grab_focus (graph);
}

gboolean
gilk_window_search_key (GilkWindow  *self,
                        GdkEventKey *event)
{
  gboolean down = event->keyval == GDK_KEY_Down || event->keyval == GDK_KEY_KP_Down;
  gboolean up = event->keyval == GDK_KEY_Up || event->keyval == GDK_KEY_KP_Up;

  if ((down || up) && gilk_palette_is_shown (self->palette))
    {
      gilk_palette_move_selection (self->palette, down ? 1 : -1);
      return GDK_EVENT_STOP;
    }
  if (!down)
    return GDK_EVENT_PROPAGATE;
  gilk_function_list_focus (self->function_list);

  return GDK_EVENT_STOP;
}

/* ---- shown function ---- */

void
gilk_window_function_activated (GilkWindow *self,
                                gpointer    function,
                                uint64_t    addr)
{
  gilk_navigator_open (self->navigator, function, addr);
}

void
gilk_window_show_function (GilkWindow *self,
                           const char *name)
{
  gilk_navigator_open_name (self->navigator, name);
}

static void
function_opened (GilkWindow         *self,
                 const GilkFunction *function,
                 gboolean            asked)
{
  gilk_function_list_set_current (self->function_list, function);
  if (!asked)
    return;
  gilk_banner_clear_remark (self->banner);
  gtk_stack_set_visible_child_name (self->mode_stack, "explore");
}

static void
navigator_changed (GilkWindow *self)
{
  gilk_progress_box_set_loading (self->progress, gilk_navigator_is_loading (self->navigator));
  gilk_window_update_actions (self);
}

static void
show_point (GilkWindow *self)
{
  GilkGraphView *view = gilk_function_view_graph (self->function_view);

  gilk_inspector_show (self->inspector, gilk_graph_view_data (view), gilk_graph_view_point (view));
  gilk_window_update_actions (self);
}

static void
show_inspector (GilkWindow *self)
{
  gtk_widget_show (GTK_WIDGET (self->inspector));
  gtk_widget_child_focus (GTK_WIDGET (self->inspector), GTK_DIR_TAB_FORWARD);
}

void
gilk_window_function_init (GilkWindow *self)
{
  GilkGraphView *view = gilk_function_view_graph (self->function_view);

  self->navigator = gilk_navigator_new (view, self->planner, self->model, self->connection, self->settings, self->banner);
  gilk_function_view_set_model (self->function_view, GTK_APPLICATION_WINDOW (self), self->navigator, self->model,
                                self->connection, self->results, self->settings, self->banner);
  self->module_notices = gilk_module_notices_new (self->model, self->connection, self->target_poll, self->navigator, self->binder,
                                                  self->banner);
  g_signal_connect_object (view, "selected", G_CALLBACK (show_point), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "shown", G_CALLBACK (show_point), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "open", G_CALLBACK (show_inspector), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->navigator, "opened", G_CALLBACK (function_opened), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->navigator, "changed", G_CALLBACK (navigator_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->navigator, "source-read", G_CALLBACK (show_point), self, G_CONNECT_SWAPPED);
}
