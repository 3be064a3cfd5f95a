/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window-parts.c - connects the parts that show a function, the plan, and its runs
 */
#include "gui/window/gilk-window-private.h"

#include <glib/gi18n.h>

#include "gui/plan/gilk-plan-dialogs.h"

/* ---- connecting the plan ---- */

static void
hook_opened (GilkWindow *self,
             int         index)
{
  const GilkPlanHook *hook = gilk_plan_model_hook (self->model, index);

  if (hook->watch != NULL)        /* a watchpoint on data does not have a graph */
    {
      gilk_window_edit_watchpoint (self, index);
      return;
    }
  if (hook->event.kind != 0)
    {
      gilk_event_dialog_show (GTK_WINDOW (self), self->model, index);
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

/* ---- connecting the runs ---- */

/* Hides the message that offers to show the results of a run, once the user sees them. */
static void
mode_changed (GilkWindow *self)
{
  if (gilk_window_is_results_mode (self))
    gilk_banner_withdraw (self->banner, "results");
  gilk_banner_clear_old_remark (self->banner);
  gilk_window_update_actions (self);
}

static void
update_run_and_actions (GilkWindow *self)
{
  gilk_window_update_run (self);
  gilk_window_update_actions (self);
}

static void
plan_changed (GilkWindow *self)
{
  gilk_banner_clear_old_remark (self->banner);
  update_run_and_actions (self);
}

static void
runs_finished (GilkWindow *self)
{
  if (self->closing)
    {
      gilk_window_tear_down (self);
      return;
    }
  gilk_results_view_open (self->results, gilk_recorder_path (self->recorder));
  gilk_run_control_report (self->run, gilk_window_is_results_mode (self));
  if (gilk_run_control_kept (self->run) != NULL && gilk_banner_has (self->banner, "target"))
    gilk_window_show_lost (self);
  gilk_plan_binder_schedule (self->binder);
}

void
gilk_window_run_init (GilkWindow *self)
{
  self->run = gilk_run_control_new (GTK_APPLICATION_WINDOW (self), self->model, self->connection, self->recorder, self->settings,
                                    self->plan_panel, self->schedule_page, self->status_bar, self->banner);
  gilk_live_view_follow (self->live, self->recorder, self->results_stack, self->live_switcher, G_ACTION_MAP (self));
  g_signal_connect_object (self->mode_stack, "notify::visible-child", G_CALLBACK (mode_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->recorder, "changed", G_CALLBACK (update_run_and_actions), self, G_CONNECT_SWAPPED);
  /* Connect the handlers that update the Run button last, because the button shows what the
   * handlers of the other parts have determined. */
  g_signal_connect_object (self->model, "changed", G_CALLBACK (plan_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->schedule_page, "checked", G_CALLBACK (update_run_and_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gilk_plan_panel_length (self->plan_panel), "changed", G_CALLBACK (gilk_window_update_run), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->run, "changed", G_CALLBACK (gilk_window_update_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->run, "finished", G_CALLBACK (runs_finished), self, G_CONNECT_SWAPPED);
}

/* ---- connecting the search for functions ---- */

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

/* ---- connecting the shown function ---- */

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
