/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window-plan.c - the window's parts that show and bind the plan
 */
#include "gui/window/gilk-window-private.h"

#include "gui/plan/gilk-plan-dialogs.h"

static void
hook_opened (GilkWindow *self,
             int         index)
{
  const GilkPlanHook *hook = gilk_plan_model_hook (self->model, index);

  if (hook->watch != NULL)        /* data has no graph */
    {
      gilk_window_edit_watchpoint (self, index);
      return;
    }
  gtk_stack_set_visible_child_name (self->mode_stack, "explore");
  gilk_navigator_open_hook (self->navigator, hook);
}

void
gilk_window_edit_watchpoint (GilkWindow *self,
                             int         index)
{
  gilk_watchpoint_dialog_show (GTK_WINDOW (self), self->connection, self->model, index);
}

static void
plan_opened (GilkWindow *self)
{
  gtk_stack_set_visible_child_name (self->mode_stack, "schedule");
}

void
gilk_window_plan_init (GilkWindow *self)
{
  g_autoptr(GilkPlanAutosave) autosave = gilk_plan_autosave_new (self->model);
  GtkEntry *length = GTK_ENTRY (gilk_plan_panel_length (self->plan_panel));

  gilk_inspector_set_model (self->inspector, self->model, self->connection, self->target_poll);
  gilk_plan_panel_set_model (self->plan_panel, GTK_WINDOW (self), self->model, autosave, self->connection, self->banner);
  gilk_schedule_page_set_model (self->schedule_page, G_ACTION_MAP (self), self->model, autosave, self->connection, self->banner,
                                gtk_entry_get_buffer (length));
  self->planner = gilk_graph_planner_new (gilk_function_view_graph (self->function_view), self->inspector, self->model,
                                          self->connection, self->recorder, self->target_poll, self->settings, self->banner,
                                          G_ACTION_MAP (self));
  self->binder = gilk_plan_binder_new (self->model, self->connection, self->recorder, self->banner);
  self->plan_file = gilk_plan_file_new (GTK_APPLICATION_WINDOW (self), autosave, self->model, self->connection, self->settings,
                                        self->banner, length);
  g_signal_connect_object (self->plan_panel, "opened", G_CALLBACK (hook_opened), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->schedule_page, "opened", G_CALLBACK (hook_opened), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->binder, "bound", G_CALLBACK (gilk_schedule_page_set_bound), self->schedule_page, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->plan_file, "opened", G_CALLBACK (plan_opened), self, G_CONNECT_SWAPPED);
  gilk_plan_autosave_restore (autosave);
  self->measures = gilk_cost_loader_new (self->model, self->connection, self->recorder, self->settings);
}
