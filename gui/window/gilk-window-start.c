/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window-start.c - resumes the last window's target, function and block, or offers to
 */
#include "gui/window/gilk-window-private.h"

#include <glib/gi18n.h>

/* Saves the selected block and edge in the settings, such as "+0x77:0". */
void
gilk_window_save_location (GilkWindow *self)
{
  GilkGraphData *data = gilk_graph_view_data (self->graph_view);
  int point = gilk_graph_view_point (self->graph_view);
  g_autofree char *place = NULL;

  if (data == NULL || point < 0)
    return;
  place = g_strdup_printf ("%s:%d", data->graph->titles[point / 2], point % 2);
  g_settings_set_string (self->settings, "function", data->name);
  g_settings_set_string (self->settings, "place", place);
}

void
gilk_window_restore_location (GilkWindow *self)
{
  g_autofree char *place = g_steal_pointer (&self->wanted_place);
  GilkGraphData *data = gilk_graph_view_data (self->graph_view);
  g_auto(GStrv) parts = g_strsplit (place != NULL ? place : "", ":", 2);

  if (data == NULL || g_strv_length (parts) != 2)
    return;
  for (guint block = 0; block < data->cfg->n_blocks; block++)
    if (g_str_equal (data->graph->titles[block], parts[0]))
      {
        gilk_graph_view_select (self->graph_view, 2 * (int) block + (parts[1][0] == '1'), TRUE);
        return;
      }
}

void
gilk_window_resume (GilkWindow *self)
{
  g_autofree char *target = g_settings_get_string (self->settings, "target");
  g_autofree char *function = g_settings_get_string (self->settings, "function");

  if (target[0] == '\0')
    return;
  if (function[0] != '\0')
    {
      g_free (self->wanted_place);
      self->wanted_place = g_settings_get_string (self->settings, "place");
      g_free (self->requested_function);
      self->requested_function = g_strdup (function);
    }
  gilk_window_connect_target (self, target);
}

/* Shows the button of the start page, such as "Go on with lab:6.1, pipe_write". */
static void
offer_resume (GilkWindow *self,
              const char *target)
{
  g_autofree char *function = g_settings_get_string (self->settings, "function");
  g_autofree char *text = function[0] != '\0' ? g_strdup_printf (_("Continue with %s, %s"), target, function)
                                              : g_strdup_printf (_("Continue with %s"), target);

  gtk_button_set_label (self->resume_button, text);
  gtk_widget_show (GTK_WIDGET (self->resume_button));
  gtk_style_context_remove_class (gtk_widget_get_style_context (GTK_WIDGET (self->lab_button)), "suggested-action");
}

void
gilk_window_start_up (GilkWindow *self)
{
  g_autofree char *target = g_settings_get_string (self->settings, "target");
  g_autofree char *what = g_settings_get_string (self->settings, "at-start");

  if (gilk_connection_state (self->connection) != GILK_CONNECTION_NONE)
    return;
  if (target[0] != '\0' && g_str_equal (what, "connect"))
    gilk_window_resume (self);
  else if (target[0] != '\0' && g_str_equal (what, "offer"))
    offer_resume (self, target);
  /* Do not focus the search entry: there is nothing to find yet. */
  if (gtk_widget_get_visible (GTK_WIDGET (self->resume_button)))
    gtk_widget_grab_focus (GTK_WIDGET (self->resume_button));
  else if (gtk_widget_get_mapped (GTK_WIDGET (self->lab_button)))
    gtk_widget_grab_focus (GTK_WIDGET (self->lab_button));
}
