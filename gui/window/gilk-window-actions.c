/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window-actions.c - actions of the window's menu, keys and buttons
 *
 * Keys are bound in gilk-actions.c; gilk-window-state.c decides which actions are enabled.
 */
#include "gui/window/gilk-window-private.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "gui/base/gilk-actions.h"
#include "gui/base/gilk-files.h"
#include "gui/base/gilk-panes.h"
#include "gui/base/gilk-settings.h"
#include "gui/base/gilk-windows.h"
#include "gui/fleet/gilk-fleet-window.h"
#include "gui/graph/gilk-graph-selection.h"
#include "gui/plan/gilk-plan-dialogs.h"
#include "gui/run/gilk-recorder.h"
#include "gui/window/gilk-menu-windows.h"

#define ACTION(name) static void name (GSimpleAction *action, GVariant *parameter, gpointer user_data)

/* ---- actions for search and navigation ---- */

ACTION (start_search)
{
  GilkWindow *self = user_data;

  gtk_stack_set_visible_child_name (self->mode_stack, "explore");
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
}

ACTION (find_action)
{
  GilkWindow *self = user_data;

  gtk_widget_grab_focus (GTK_WIDGET (self->search));
  gtk_entry_set_text (self->search, ">");
  gtk_editable_set_position (GTK_EDITABLE (self->search), -1);
}

ACTION (show_named_function)
{
  gilk_window_show_function (user_data, g_variant_get_string (parameter, NULL));
}

ACTION (go_back)
{
  GilkWindow *self = user_data;

  GilkGraphView *view = gilk_function_view_graph (self->function_view);

  if (gilk_graph_view_can_back (view))
    gilk_graph_view_back (view);
  else
    gilk_navigator_step (self->navigator, -1);
}

ACTION (go_forward)
{
  GilkWindow *self = user_data;

  gilk_navigator_step (self->navigator, 1);
}

ACTION (set_mode)
{
  GilkWindow *self = user_data;

  gtk_stack_set_visible_child_name (self->mode_stack, g_variant_get_string (parameter, NULL));
}

/* Opens the folder that contains a file just written. */
ACTION (open_folder)
{
  GilkWindow *self = user_data;
  g_autoptr(GFile) file = g_file_new_for_path (g_variant_get_string (parameter, NULL));
  g_autoptr(GFile) folder = g_file_get_parent (file);
  g_autofree char *uri = g_file_get_uri (folder), *text = NULL;
  g_autoptr(GError) error = NULL;

  if (gtk_show_uri_on_window (GTK_WINDOW (self), uri, gtk_get_current_event_time (), &error))
    return;
  text = g_strdup_printf (_("Cannot open the folder: %s. The file is %s."), error->message, g_variant_get_string (parameter, NULL));
  gilk_banner_remark (self->banner, GTK_MESSAGE_WARNING, text, NULL, NULL);
}

ACTION (show_results)
{
  GilkWindow *self = user_data;
  const char *path = gilk_recorder_path (self->recorder);

  gilk_banner_withdraw (self->banner, "results");
  if (path != NULL && gilk_recorder_state (self->recorder) == GILK_RECORDER_IDLE &&
      g_strcmp0 (path, gilk_results_view_path (self->results)) != 0)
    gilk_results_view_open (self->results, path);
  gtk_stack_set_visible_child_name (self->mode_stack, "results");
}

/* ---- actions on the target and the run ---- */

ACTION (connect_target)
{
  gilk_window_connect_target (user_data, g_variant_get_string (parameter, NULL));
}

ACTION (reconnect_target)
{
  gilk_window_reconnect (user_data);
}

ACTION (disconnect_target)
{
  GilkWindow *self = user_data;

  gilk_target_button_popdown (self->target_button);
  gilk_connection_close (self->connection);
}

static void
way_chosen (GSimpleAction *action,
            GVariant      *state,
            gpointer       user_data)
{
  gilk_window_choose_way (user_data, g_str_equal (g_variant_get_string (state, NULL), gilk_way_name (GILK_WAY_BPF))
                                     ? GILK_WAY_BPF : GILK_WAY_ILK);
}

ACTION (resume_last)
{
  gilk_window_resume (user_data);
}

ACTION (show_doctor)
{
  GilkWindow *self = user_data;

  gilk_doctor_window_show (GTK_WINDOW (self), self->connection);
}

ACTION (show_sessions)
{
  GilkWindow *self = user_data;
  g_autoptr(GError) error = NULL;
  g_autofree char *folder = gilk_settings_session_folder (self->settings, &error);

  if (folder == NULL)
    gilk_banner_show_error (self->banner, error);
  else
    gilk_sessions_window_show (GTK_WINDOW (self), folder, "open-path");
}

ACTION (choose_comparison)
{
  GilkWindow *self = user_data;

  gtk_stack_set_visible_child_name (self->mode_stack, "results");
  gilk_results_view_choose_comparison (self->results);
}

ACTION (open_comparison)
{
  GilkWindow *self = user_data;

  gilk_results_view_open_comparison (self->results, g_variant_get_string (parameter, NULL));
  gtk_stack_set_visible_child_name (self->mode_stack, "results");
}

ACTION (open_path)
{
  gilk_window_open_file (user_data, g_variant_get_string (parameter, NULL));
}

/* Returns the command that runs the current plan. Saves the plan to a file that later edits do not
 * change, so that a command pasted later still runs the same plan. */
static char *
make_command (GilkWindow *self,
              GError    **error)
{
  const char *target = gilk_connection_spec (self->connection);
  const GilkFunction *function = gilk_navigator_function (self->navigator);
  g_autoptr(GilkPlan) plan = gilk_plan_copy (gilk_plan_model_plan (self->model));
  g_autofree char *path = NULL, *session = NULL;

  if (gilk_plan_model_n_hooks (self->model) == 0)
    return gilk_workbench_command (target, function != NULL ? function->name : NULL);
  gilk_plan_set_origin (plan, gilk_connection_release (self->connection), gilk_connection_build_id (self->connection));
  path = gilk_run_command_save_plan (plan, error);
  session = path != NULL ? gilk_settings_new_session_path (self->settings, error) : NULL;

  return session != NULL ? gilk_run_command (path, target, gilk_connection_way (self->connection),
                                               gtk_entry_get_text (GTK_ENTRY (gilk_plan_panel_length (self->plan_panel))), session) : NULL;
}

ACTION (copy_command)
{
  GilkWindow *self = user_data;
  g_autoptr(GError) error = NULL;
  g_autofree char *command = make_command (self, &error);
  g_autofree char *text = NULL;

  if (command == NULL)
    {
      gilk_banner_show_error (self->banner, error);
      return;
    }
  gtk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self), GDK_SELECTION_CLIPBOARD), command, -1);
  text = g_strdup_printf (_("Copied: %s"), command);
  gilk_banner_remark (self->banner, GTK_MESSAGE_INFO, text, NULL, NULL);
}

ACTION (show_console_tail)
{
  gilk_window_show_console_tail (user_data);
}

ACTION (stop_lab)
{
  gilk_window_stop_lab (user_data, g_variant_get_string (parameter, NULL));
}

/* Runs the plan on several targets at once. */
ACTION (show_fleet)
{
  GilkWindow *self = user_data;

  gilk_fleet_window_show (GTK_WINDOW (self), self->settings, gilk_plan_model_plan (self->model),
                          gilk_connection_spec (self->connection),
                          gtk_entry_get_text (GTK_ENTRY (gilk_plan_panel_length (self->plan_panel))));
}

ACTION (toggle_run)
{
  GilkWindow *self = user_data;

  gilk_run_control_toggle (self->run);
}

ACTION (apply_plan)
{
  GilkWindow *self = user_data;

  gilk_run_control_apply (self->run);
}

ACTION (disarm_all)
{
  GilkWindow *self = user_data;

  gilk_disarm_button_disarm (self->disarm_button);
  gilk_run_control_stop (self->run);
}

ACTION (cancel_work)
{
  GilkWindow *self = user_data;

  if (gilk_connection_state (self->connection) == GILK_CONNECTION_CONNECTING)
    gilk_connection_cancel (self->connection);
  else if (gilk_recorder_state (self->recorder) == GILK_RECORDER_PREPARING)
    gilk_recorder_stop (self->recorder);
  else
    gilk_navigator_cancel (self->navigator);
  gilk_window_update_actions (self);
}

/* ---- actions on the graph ---- */

ACTION (zoom_in)
{
  GilkWindow *self = user_data;

  if (!gilk_function_view_zoom_calls (self->function_view, 1.25))
    gilk_graph_view_zoom (gilk_window_graph_in_view (self), 1.25);
}

ACTION (zoom_out)
{
  GilkWindow *self = user_data;

  if (!gilk_function_view_zoom_calls (self->function_view, 1 / 1.25))
    gilk_graph_view_zoom (gilk_window_graph_in_view (self), 1 / 1.25);
}

ACTION (zoom_one)
{
  GilkWindow *self = user_data;

  if (!gilk_function_view_zoom_calls (self->function_view, GILK_CALLS_ZOOM_ONE))
    gilk_graph_view_zoom_one (gilk_window_graph_in_view (self));
}

ACTION (zoom_fit)
{
  GilkWindow *self = user_data;

  if (!gilk_function_view_zoom_calls (self->function_view, GILK_CALLS_ZOOM_FIT))
    gilk_graph_view_fit (gilk_window_graph_in_view (self));
}

/* Resets the action "dim" when a graph is shown, because a new graph is not dimmed. */
static void
clear_dim (GilkWindow *self)
{
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), "dim")), g_variant_new_string ("none"));
}

static void
dim_changed (GSimpleAction *action,
             GVariant      *state,
             gpointer       user_data)
{
  GilkWindow *self = user_data;
  const char *word = g_variant_get_string (state, NULL);

  if (!gilk_graph_dim_set (gilk_window_graph_in_view (self), word) && !g_str_equal (word, "none"))
    gilk_banner_remark (self->banner, GTK_MESSAGE_INFO, _("Nothing to dim: every block matches."), NULL, NULL);
  g_simple_action_set_state (action, state);
}

ACTION (plan_callees)
{
  GilkWindow *self = user_data;
  const GilkFunction *function = gilk_navigator_function (self->navigator);
  g_autofree char *name = NULL;

  if (function == NULL)
    {
      gilk_banner_remark (self->banner, GTK_MESSAGE_INFO, _("No function is shown yet: choose one."), NULL, NULL);
      return;
    }
  name = gilk_functions_name (gilk_navigator_functions (self->navigator), function);
  gilk_callees_dialog_show (GTK_WINDOW (self), self->connection, self->model, name);
}

/* ---- actions on the plan ---- */

/* Undoes changes of notes while results are shown, otherwise changes of the plan. */
ACTION (undo_change)
{
  GilkWindow *self = user_data;

  if (gilk_window_is_results_mode (self))
    gilk_results_view_undo (self->results);
  else
    gilk_plan_model_undo (self->model);
}

ACTION (redo_change)
{
  GilkWindow *self = user_data;

  if (gilk_window_is_results_mode (self))
    gilk_results_view_redo (self->results);
  else
    gilk_plan_model_redo (self->model);
}

ACTION (remove_hook)
{
  GilkWindow *self = user_data;

  gilk_plan_panel_remove_selected (self->plan_panel);
}

ACTION (add_watchpoint)
{
  gilk_window_edit_watchpoint (user_data, -1);
}

ACTION (add_event)
{
  GilkWindow *self = user_data;

  gilk_event_dialog_show (GTK_WINDOW (self), self->model, -1);
}

/* ---- actions on files ---- */

static gboolean
is_session (const char *path)
{
  g_autoptr(GFile) file = g_file_new_for_path (path);
  g_autoptr(GFileInputStream) stream = g_file_read (file, NULL, NULL);
  char magic[16] = "";
  gsize length = 0;

  if (stream == NULL ||
      !g_input_stream_read_all (G_INPUT_STREAM (stream), magic, sizeof magic, &length, NULL, NULL))
    return TRUE;                 /* treat @path as a session, because opening it as one will report
                                  * why it cannot be read */

  return length == 0 || memcmp (magic, "SQLite format 3", MIN (length, 15)) == 0 ||
         g_str_has_suffix (path, ".gilk");
}

void
gilk_window_open_file (GilkWindow *self,
                       const char *path)
{
  gilk_recent_files_add (self->settings, path);
  if (is_session (path))
    {
      gilk_results_view_open (self->results, path);
      gtk_stack_set_visible_child_name (self->mode_stack, "results");
      return;
    }
  gilk_plan_file_open (self->plan_file, path);
}

static void
open_chosen (gpointer    object,
             const char *path,
             const char *word)
{
  gilk_window_open_file (object, path);
}

ACTION (open_file)
{
  GilkWindow *self = user_data;
  g_autofree char *folder = gilk_settings_session_folder (self->settings, NULL);

  gilk_file_dialog_open (GTK_WINDOW (self), _("Open a session or a plan"), folder, open_chosen, self);
}

static void
connect_file (gpointer    object,
              const char *path,
              const char *word)
{
  g_autofree char *spec = g_strconcat ("file:", path, NULL);

  gilk_window_connect_target (object, spec);
}

ACTION (open_kernel)
{
  gilk_target_button_popdown (((GilkWindow *) user_data)->target_button);
  gilk_file_dialog_open (user_data, _("Open the file of a kernel (vmlinux)"), "/usr/lib/debug/boot", connect_file, user_data);
}

ACTION (export_view)
{
  GilkWindow *self = user_data;
  const char *format = g_variant_get_string (parameter, NULL);

  if (gilk_window_is_results_mode (self))
    gilk_results_view_export (self->results, format);
  else
    gilk_function_view_export (self->function_view, format);
}

/* ---- actions of the window ---- */

ACTION (show_shortcuts)
{
  gilk_keys_window_show (user_data);
}

ACTION (focus_next_pane)
{
  GilkWindow *self = user_data;
  GtkWidget *lists, *picture, *figures, *schedule, *table, *graph, *listing, *calls;

  gilk_results_view_panels (self->results, &lists, &picture, &figures);
  gilk_schedule_page_panes (self->schedule_page, &schedule, &table);
  gilk_function_view_panes (self->function_view, &graph, &listing, &calls);
  {
    GtkWidget *const panes[] = {
      GTK_WIDGET (self->search), GTK_WIDGET (self->function_list), graph, listing, calls,
      GTK_WIDGET (self->inspector), GTK_WIDGET (self->plan_panel), schedule, table, lists, picture, figures,
      GTK_WIDGET (self->live), gilk_live_view_plot (self->live),
    };

    gilk_panes_focus_next (GTK_WINDOW (self), panes, G_N_ELEMENTS (panes));
  }
}

/* Returns the guide's page on the current view. */
static const char *
choose_help_page (GilkWindow *self)
{
  const char *mode = gtk_stack_get_visible_child_name (self->mode_stack);

  if (gilk_window_is_results_mode (self))
    return gilk_results_view_path (self->results) != NULL ? "plots" : "workbench";
  if (g_strcmp0 (mode, "schedule") == 0)
    return "schedule";
  return gilk_graph_view_data (gilk_window_graph_in_view (self)) != NULL ? "graph" : "workbench";
}

static void
help_shown (GObject      *object,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr(GError) error = NULL;

  if (!gilk_guide_show_finish (result, &error))
    gilk_banner_show_error (((GilkWindow *) object)->banner, error);
}

ACTION (show_help)
{
  gilk_guide_show (user_data, choose_help_page (user_data), help_shown, NULL);
}

ACTION (close_window)
{
  gtk_window_close (user_data);
}

static void
add_settings_actions (GilkWindow *self)
{
  static const char *const keys[] = {
    "colour-scheme", "graph-layer", "log-heat", "minimap", "plan-panel",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autoptr(GAction) action = g_settings_create_action (self->settings, keys[i]);

      g_action_map_add_action (G_ACTION_MAP (self), action);
    }
}

static void
minimap_changed (GilkWindow *self)
{
  gboolean shown = g_settings_get_boolean (self->settings, "minimap");

  gilk_graph_view_set_minimap (gilk_function_view_graph (self->function_view), shown);
  gilk_results_view_set_minimap (self->results, shown);
}

static void
log_heat_changed (GilkWindow *self)
{
  gilk_results_view_set_log_heat (self->results, g_settings_get_boolean (self->settings, "log-heat"));
}

static void
layer_changed (GilkWindow *self)
{
  g_autofree char *layer = g_settings_get_string (self->settings, "graph-layer");

  gilk_graph_view_set_layer (gilk_function_view_graph (self->function_view), layer);
}

void
gilk_window_actions_init (GilkWindow *self)
{
  static const GActionEntry entries[] = {
    { "find", start_search }, { "find-action", find_action }, { "function", show_named_function, "s" },
    { "back", go_back }, { "forward", go_forward }, { "mode", set_mode, "s" },
    { "show-results", show_results }, { "open-folder", open_folder, "s" },
    { "connect", connect_target, "s" }, { "disconnect", disconnect_target }, { "reconnect", reconnect_target },
    { "way", NULL, "s", "'ilk'", way_chosen },
    { "resume", resume_last }, { "preflight", show_doctor }, { "sessions", show_sessions }, { "open-path", open_path, "s" },
    { "open-beside", open_comparison, "s" }, { "beside", choose_comparison },
    { "copy-command", copy_command },
    { "last-words", show_console_tail }, { "stop-lab", stop_lab, "s" },
    { "fleet", show_fleet }, { "run", toggle_run }, { "apply-plan", apply_plan },
    { "disarm-all", disarm_all }, { "cancel", cancel_work },
    { "zoom-in", zoom_in }, { "zoom-out", zoom_out }, { "zoom-one", zoom_one }, { "zoom-fit", zoom_fit },
    { "undo", undo_change }, { "redo", redo_change }, { "remove-hook", remove_hook }, { "watch", add_watchpoint },
    { "event", add_event },
    { "open", open_file }, { "open-kernel", open_kernel }, { "export", export_view, "s" }, { "dim", NULL, "s", "'none'", dim_changed }, { "plan-reached", plan_callees },
    { "help", show_help }, { "next-pane", focus_next_pane }, { "shortcuts", show_shortcuts }, { "close", close_window },
  };
  g_autoptr(GtkBuilder) builder = gtk_builder_new_from_resource ("/org/gilk/Workbench/ui/menu.ui");

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  add_settings_actions (self);
  g_signal_connect_object (self->settings, "changed::minimap", G_CALLBACK (minimap_changed), self, G_CONNECT_SWAPPED);
  minimap_changed (self);
  g_signal_connect_object (self->settings, "changed::log-heat", G_CALLBACK (log_heat_changed), self, G_CONNECT_SWAPPED);
  log_heat_changed (self);
  g_signal_connect_object (self->settings, "changed::graph-layer", G_CALLBACK (layer_changed), self, G_CONNECT_SWAPPED);
  layer_changed (self);
  gilk_start_page_set_settings (gilk_function_view_start_page (self->function_view), self->settings,
                                G_MENU (gtk_builder_get_object (builder, "recent")));
  gtk_menu_button_set_menu_model (self->menu_button, G_MENU_MODEL (gtk_builder_get_object (builder, "menu")));
  self->palette = gilk_palette_new (GTK_WIDGET (self->search), G_MENU_MODEL (gtk_builder_get_object (builder, "menu")),
                                    self->settings);
  g_signal_connect_object (gilk_function_view_graph (self->function_view), "shown", G_CALLBACK (clear_dim), self, G_CONNECT_SWAPPED);
  gilk_window_update_run (self);
  gilk_window_update_actions (self);
}
