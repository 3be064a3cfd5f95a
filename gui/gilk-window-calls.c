/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window-calls.c - moves between functions and inside one: callers, callees, and the path above the graph
 */
#include "gui/gilk-window-private.h"

#include <glib/gi18n.h>

#include "gui/gilk-breadcrumb.h"
#include "gui/gilk-calls-popover.h"

static void
show_calls (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       user_data)
{
  GilkWindow *self = user_data;
  GilkImage *image = gilk_connection_image (self->connection);

  if (self->function == NULL || self->functions == NULL || image == NULL)
    {
      gilk_window_message (self, GTK_MESSAGE_INFO, _("There is no function in view yet: choose one."), NULL, NULL);
      return;
    }
  gtk_stack_set_visible_child_name (self->mode_stack, "explore");
  gilk_calls_popover_show (self->calls, self->functions, image, self->function);
}

static gboolean
link_activated (GilkWindow *self,
                const char *uri)
{
  GilkGraphData *data = gilk_graph_view_data (self->graph_view);
  int block = gilk_breadcrumb_block (uri);

  if (data == NULL || block < 0 || block >= (int) data->cfg->n_blocks)
    return GDK_EVENT_PROPAGATE;
  gilk_graph_view_select (self->graph_view, 2 * block, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->graph_view));

  return GDK_EVENT_STOP;
}

void
gilk_window_calls_init (GilkWindow *self)
{
  const GActionEntry entries[] = { { "calls", show_calls } };
  GtkWidget *button = gtk_button_new_from_icon_name ("emblem-shared-symbolic", GTK_ICON_SIZE_BUTTON);

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.calls");
  gtk_button_set_relief (GTK_BUTTON (button), GTK_RELIEF_NONE);
  gtk_widget_set_tooltip_text (button, _("Callers and callees (Alt+Down)"));
  atk_object_set_name (gtk_widget_get_accessible (button), _("Callers and callees"));
  gtk_widget_show (button);
  gtk_box_pack_end (GTK_BOX (self->canvas_bar), button, FALSE, FALSE, 0);
  self->calls = gilk_calls_popover_new (button);
  g_signal_connect_object (self->calls, "open", G_CALLBACK (gilk_window_function_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->function_label, "activate-link", G_CALLBACK (link_activated), self, G_CONNECT_SWAPPED);
}
