/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window-plan.c - the window's parts that show and bind the plan
 */
#include "gui/window/gilk-window-private.h"

#include "gui/plan/gilk-watchpoint-dialog.h"

static void
hook_opened (GilkWindow *self,
             int         index)
{
  const GilkPlanHook *hook = gilk_plan_model_hook (self->model, index);
  GilkGraphData *data = gilk_graph_view_data (self->graph_view);

  if (hook->watch != NULL)        /* data has no graph */
    {
      gilk_window_edit_watchpoint (self, index);
      return;
    }
  gtk_stack_set_visible_child_name (self->mode_stack, "explore");
  if (data != NULL && gilk_function_is_named (hook->function, data->name))
    {
      gilk_graph_planner_select_hook (self->planner, hook->label);
      return;
    }
  g_free (self->wanted_hook);
  self->wanted_hook = g_strdup (hook->label);
  gilk_window_show_function (self, hook->function);
}

void
gilk_window_edit_watchpoint (GilkWindow *self,
                             int         index)
{
  gilk_watchpoint_dialog_show (GTK_WINDOW (self), self->connection, self->model, index);
}

static void
intervals_checked (GilkWindow *self)
{
  gilk_window_update_run (self);
  gilk_window_update_actions (self);
}

static void
plan_changed (GilkWindow *self)
{
  gilk_banner_clear_old_remark (self->banner);
  gilk_window_offer_plan (self);
  gilk_window_update_run (self);
  gilk_window_update_actions (self);
}

static void
plan_bound (GilkWindow          *self,
            const GilkBoundPlan *bound)
{
  gilk_schedule_page_set_bound (self->schedule_page, bound);
  gilk_window_show_module_changes (self);
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
  self->planner = gilk_graph_planner_new (self->graph_view, self->inspector, self->model, self->connection, self->recorder,
                                          self->target_poll, self->settings, self->banner, G_ACTION_MAP (self));
  self->binder = gilk_plan_binder_new (self->model, self->connection, self->recorder, self->banner);
  self->plan_file = gilk_plan_file_new (GTK_APPLICATION_WINDOW (self), autosave, self->model, self->connection, self->settings,
                                        self->banner, length);
  g_signal_connect_object (self->plan_panel, "opened", G_CALLBACK (hook_opened), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->schedule_page, "opened", G_CALLBACK (hook_opened), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->schedule_page, "checked", G_CALLBACK (intervals_checked), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (length, "changed", G_CALLBACK (gilk_window_update_run), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->binder, "bound", G_CALLBACK (plan_bound), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->plan_file, "opened", G_CALLBACK (plan_opened), self, G_CONNECT_SWAPPED);
  /* After the parts: the run button shows what they found. */
  g_signal_connect_object (self->model, "changed", G_CALLBACK (plan_changed), self, G_CONNECT_SWAPPED);
  gilk_plan_autosave_restore (autosave);
  self->measures = gilk_cost_loader_new (self->model, self->connection, self->recorder, self->settings);
}
