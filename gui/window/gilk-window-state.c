/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window-state.c - enables what the window's state permits: the Run button and the actions
 *
 * gilk_window_update_run() enables or disables the action "run", and gilk_window_update_actions()
 * all other actions.
 */
#include "gui/window/gilk-window-private.h"

gboolean
gilk_window_is_results_mode (GilkWindow *self)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (self->mode_stack), "results") == 0;
}

GilkGraphView *
gilk_window_graph_in_view (GilkWindow *self)
{
  return gilk_window_is_results_mode (self) ? gilk_results_view_graph (self->results) : gilk_function_view_graph (self->function_view);
}

/* Shows why no run can start: beside the button in a wide window, otherwise in the status bar. */
static void
show_button (GilkWindow *self)
{
  GilkRecorderState state = gilk_recorder_state (self->recorder);
  g_autofree char *why = state == GILK_RECORDER_IDLE ? gilk_run_control_obstacle (self->run) : NULL;
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "run");

  gilk_run_button_set_state (self->run_button, state, why);
  gtk_label_set_text (self->run_why, why != NULL ? why : "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->run_why), why);
  gilk_status_bar_set_obstacle (self->status_bar, why);
  if (action != NULL)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (action), why == NULL && state != GILK_RECORDER_STOPPING);
}

void
gilk_window_update_run (GilkWindow *self)
{
  gboolean running = gilk_recorder_state (self->recorder) == GILK_RECORDER_RUNNING;
  const GilkRunFigures *figures = gilk_recorder_figures (self->recorder);
  double elapsed = running && figures != NULL ? figures->elapsed : -1;
  uint64_t length = 0;

  show_button (self);
  gilk_length_entry_get (gilk_plan_panel_length (self->plan_panel), &length, NULL);
  gilk_plan_panel_set_time (self->plan_panel, length, elapsed);
  gilk_schedule_page_set_time (self->schedule_page, length, elapsed);
}

static void
set_enabled (GilkWindow *self,
             const char *name,
             gboolean    enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  if (action != NULL)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

/* Sets the action "way" to the way to hook the kernel. Disables the action while hooks are live,
 * because hooks must be removed by the driver or BPF, whichever has armed them. */
static void
show_way (GilkWindow *self)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "way");

  if (action == NULL)
    return;
  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_string (gilk_way_name (gilk_connection_way (self->connection))));
  set_enabled (self, "way", gilk_connection_state (self->connection) == GILK_CONNECTION_READY &&
               gilk_recorder_state (self->recorder) == GILK_RECORDER_IDLE && !gilk_connection_is_switching (self->connection));
}

void
gilk_window_update_actions (GilkWindow *self)
{
  GilkConnectionState state = gilk_connection_state (self->connection);
  GilkRecorderState recording = gilk_recorder_state (self->recorder);
  GilkGraphView *view = gilk_function_view_graph (self->function_view);
  gboolean results = gilk_window_is_results_mode (self), graph = results || gilk_graph_view_data (view) != NULL;
  gboolean valid = gilk_plan_model_n_hooks (self->model) > 0 && gilk_schedule_page_conflict (self->schedule_page) == NULL;

  show_way (self);
  set_enabled (self, "undo", results ? gilk_results_view_can_undo (self->results) : gilk_plan_model_can_undo (self->model));
  set_enabled (self, "redo", results ? gilk_results_view_can_redo (self->results) : gilk_plan_model_can_redo (self->model));
  set_enabled (self, "remove-hook", gilk_plan_model_n_hooks (self->model) > 0);
  set_enabled (self, "new-plan", gilk_plan_model_n_hooks (self->model) > 0);
  set_enabled (self, "save-plan-as", valid);
  set_enabled (self, "save-plan", valid);
  set_enabled (self, "apply-plan", gilk_run_control_may_apply (self->run));
  set_enabled (self, "disarm-all", state == GILK_CONNECTION_READY && gilk_connection_has_driver (self->connection));
  set_enabled (self, "disconnect", state != GILK_CONNECTION_NONE && recording == GILK_RECORDER_IDLE);
  set_enabled (self, "cancel", state == GILK_CONNECTION_CONNECTING || gilk_navigator_is_loading (self->navigator) ||
               recording == GILK_RECORDER_PREPARING);
  set_enabled (self, "back", gilk_navigator_can_step (self->navigator, -1) || gilk_graph_view_can_back (view));
  set_enabled (self, "forward", gilk_navigator_can_step (self->navigator, 1));
  set_enabled (self, "zoom-in", graph);
  set_enabled (self, "zoom-out", graph);
  set_enabled (self, "zoom-one", graph);
  set_enabled (self, "zoom-fit", graph);
  set_enabled (self, "beside", gilk_results_view_path (self->results) != NULL);
}
