/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window-run.c - what the window shows of runs: the Run button, the schedule's time, results
 */
#include "gui/window/gilk-window-private.h"

static gboolean
is_results_mode (GilkWindow *self)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (self->mode_stack), "results") == 0;
}

/* Shows why no run can start beside the button if there is room, otherwise in the status bar. */
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

/* Hides the offer to show results once they are shown. */
static void
mode_changed (GilkWindow *self)
{
  if (is_results_mode (self))
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
  gilk_run_control_report (self->run, is_results_mode (self));
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
  /* After those of the parts: the Run button shows what they found. */
  g_signal_connect_object (self->model, "changed", G_CALLBACK (plan_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->schedule_page, "checked", G_CALLBACK (update_run_and_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gilk_plan_panel_length (self->plan_panel), "changed", G_CALLBACK (gilk_window_update_run), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->run, "changed", G_CALLBACK (gilk_window_update_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->run, "finished", G_CALLBACK (runs_finished), self, G_CONNECT_SWAPPED);
}
