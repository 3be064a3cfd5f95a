/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window-fleet.c - runs the window's plan on several targets at once
 */
#include "gui/window/gilk-window-private.h"

#include "gui/fleet/gilk-fleet-window.h"

static void
show_fleet (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       user_data)
{
  GilkWindow *self = user_data;

  gilk_fleet_window_show (GTK_WINDOW (self), self->settings, gilk_plan_model_plan (self->model),
                          gilk_connection_spec (self->connection), gtk_entry_get_text (GTK_ENTRY (gilk_plan_panel_length (self->plan_panel))));
}

void
gilk_window_fleet_init (GilkWindow *self)
{
  static const GActionEntry entries[] = { { "fleet", show_fleet } };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
