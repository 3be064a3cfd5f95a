/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window.c - the workbench's main window
 *
 * Connects the parts: it receives signals of the connection, the plan and the recorder, and updates
 * the widgets. Nothing here waits for a kernel.
 */
#include "gui/window/gilk-window-private.h"

#include <glib/gi18n.h>

#include "gui/base/gilk-panes.h"

G_DEFINE_TYPE (GilkWindow, gilk_window, GTK_TYPE_APPLICATION_WINDOW)

static void
save_layout (GilkWindow *self)
{
  int width, height;

  gtk_window_get_size (GTK_WINDOW (self), &width, &height);
  g_settings_set_boolean (self->settings, "window-maximised", gtk_window_is_maximized (GTK_WINDOW (self)));
  if (!gtk_window_is_maximized (GTK_WINDOW (self)))
    g_settings_set (self->settings, "window-size", "(ii)", width, height);
}

static gboolean
gilk_window_configure_event (GtkWidget         *widget,
                             GdkEventConfigure *event)
{
  gboolean result = GTK_WIDGET_CLASS (gilk_window_parent_class)->configure_event (widget, event);

  if (gtk_widget_get_realized (widget))
    save_layout (GILK_WINDOW (widget));

  return result;
}

static void
gilk_window_dispose (GObject *object)
{
  gilk_window_release (GILK_WINDOW (object));
  G_OBJECT_CLASS (gilk_window_parent_class)->dispose (object);
}

static void
gilk_window_finalize (GObject *object)
{
  g_object_unref (GILK_WINDOW (object)->banner);
  G_OBJECT_CLASS (gilk_window_parent_class)->finalize (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
#define BIND(field) gtk_widget_class_bind_template_child (widget_class, GilkWindow, field)
  BIND (target_button);
  BIND (search);
  BIND (menu_button);
  BIND (disarm_button);
  BIND (run_button);
  BIND (run_why);
  BIND (mode_stack);
  BIND (functions_paned);
  BIND (function_list);
  BIND (function_view);
  BIND (inspector);
  BIND (plan_panel);
  BIND (schedule_page);
  BIND (progress);
  BIND (status_bar);
  BIND (results_stack);
  BIND (live_switcher);
#undef BIND
  gtk_widget_class_bind_template_child_full (widget_class, "banner", FALSE, 0);
}

static void
gilk_window_class_init (GilkWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gilk_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = gilk_window_finalize;
  widget_class->delete_event = gilk_window_delete_event;
  widget_class->configure_event = gilk_window_configure_event;

  g_type_ensure (GILK_TYPE_BANNER);
  g_type_ensure (GILK_TYPE_DISARM_BUTTON);
  g_type_ensure (GILK_TYPE_PLAN_PANEL);
  g_type_ensure (GILK_TYPE_RUN_BUTTON);
  g_type_ensure (GILK_TYPE_PROGRESS_BOX);
  g_type_ensure (GILK_TYPE_SCHEDULE_PAGE);
  g_type_ensure (GILK_TYPE_STATUS_BAR);
  g_type_ensure (GILK_TYPE_TARGET_BUTTON);
  g_type_ensure (GILK_TYPE_FUNCTION_LIST);
  g_type_ensure (GILK_TYPE_FUNCTION_VIEW);
  g_type_ensure (GILK_TYPE_INSPECTOR);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/window.ui");
  bind_children (widget_class);
#define CALLBACK(name) gtk_widget_class_bind_template_callback (widget_class, name)
  CALLBACK (gilk_window_search_changed);
  CALLBACK (gilk_window_search_activated);
  CALLBACK (gilk_window_search_stopped);
  CALLBACK (gilk_window_search_key);
  CALLBACK (gilk_window_function_activated);
#undef CALLBACK
}

static void
gilk_window_init (GilkWindow *self)
{
  self->connection = gilk_connection_new ();
  self->model = gilk_plan_model_new ();
  self->recorder = gilk_recorder_new ();
  self->target_poll = gilk_target_poll_new (self->connection);
  gtk_widget_init_template (GTK_WIDGET (self));
  /* Hold a reference, because tasks that end after the window was destroyed still report to the
   * banner. */
  self->banner = g_object_ref (GILK_BANNER (gtk_widget_get_template_child (GTK_WIDGET (self), GILK_TYPE_WINDOW, "banner")));
}

static void
restore_layout (GilkWindow *self)
{
  GtkWidget *lists, *picture, *figures;
  int width, height;

  g_settings_get (self->settings, "window-size", "(ii)", &width, &height);
  gtk_window_set_default_size (GTK_WINDOW (self), width, height);
  if (g_settings_get_boolean (self->settings, "window-maximised"))
    gtk_window_maximize (GTK_WINDOW (self));
  gilk_panes_attach (GTK_WINDOW (self), self->settings);
  gilk_panes_save_width (GTK_WINDOW (self), self->functions_paned, "functions-width");
  gilk_panes_add (GTK_WINDOW (self), GTK_WIDGET (self->function_list), GTK_WIDGET (self->inspector));
  gilk_results_view_panels (self->results, &lists, &picture, &figures);
  gilk_panes_add (GTK_WINDOW (self), lists, figures);
  g_settings_bind (self->settings, "plan-panel", self->plan_panel, "visible", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "run-length", gilk_plan_panel_length (self->plan_panel), "text",
                   G_SETTINGS_BIND_DEFAULT | G_SETTINGS_BIND_GET_NO_CHANGES);
}

/* Shows a message such as "Wrote asleep.svg, 12.3 kB", which replaces the previous one. */
static void
file_written (GilkWindow *self,
              const char *path)
{
  g_autoptr(GFile) file = g_file_new_for_path (path);
  g_autoptr(GFileInfo) info = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_SIZE, G_FILE_QUERY_INFO_NONE, NULL, NULL);
  g_autofree char *name = g_path_get_basename (path), *size = g_format_size (info != NULL ? (guint64) g_file_info_get_size (info) : 0);
  g_autofree char *text = g_strdup_printf (_("Wrote %s, %s"), name, size);
  g_autofree char *action = g_action_print_detailed_name ("win.open-folder", g_variant_new_string (path));

  gilk_banner_clear_remark (self->banner);
  gilk_banner_show_event (self->banner, "export", GTK_MESSAGE_INFO, text, &(GilkRemedy) { _("Open Folder"), action }, NULL);
}

static void
make_results (GilkWindow *self)
{
  self->results = g_object_new (GILK_TYPE_RESULTS_VIEW, "visible", TRUE, NULL);
  gilk_results_view_set_notices (self->results, GTK_BOX (self->banner));
  g_signal_connect_object (self->results, "written", G_CALLBACK (file_written), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->results, "opened", G_CALLBACK (gilk_banner_clear_remark), self->banner, G_CONNECT_SWAPPED);
  self->live = g_object_new (GILK_TYPE_LIVE_VIEW, "visible", TRUE, NULL);
  g_signal_connect_object (self->results, "notes-changed", G_CALLBACK (gilk_window_update_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->results, "failed", G_CALLBACK (gilk_banner_show_error), self->banner, G_CONNECT_SWAPPED);
  gtk_stack_add_titled (self->results_stack, GTK_WIDGET (self->results), "recorded", _("Recorded"));
  gtk_stack_add_titled (self->results_stack, GTK_WIDGET (self->live), "live", _("Live"));
}

static void
make_lists (GilkWindow *self)
{
  restore_layout (self);
  gilk_panes_show_by_width (GTK_WINDOW (self), gilk_run_button_icon (self->run_button), GILK_PANES_WORDS_WIDTH, TRUE);
  gilk_disarm_button_follow (self->disarm_button, GTK_WINDOW (self), self->connection, self->recorder, self->target_poll, self->banner);
  gilk_panes_show_by_width (GTK_WINDOW (self), GTK_WIDGET (self->run_why), GILK_PANES_REASON_WIDTH, TRUE);
  gilk_status_bar_follow (self->status_bar, GTK_WINDOW (self), self->connection, self->recorder, self->target_poll);
  gilk_progress_box_follow (self->progress, self->connection, self->recorder);
  gilk_panes_set_placeholder (self->search, _("Find a function   Ctrl+K"), _("Find"));
  gilk_function_list_set_plan (self->function_list, self->model, self->settings);
}

static void
focus_search (GilkWindow *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
}

/* Functions that make the parts of the window. Their order matters, because a part may need earlier
 * parts. */
static void (*const parts[]) (GilkWindow *) = {
  make_results, make_lists, gilk_window_plan_init, gilk_window_function_init, gilk_window_run_init,
  gilk_window_actions_init, gilk_window_welcome_init, gilk_window_target_init, focus_search,
};

gboolean
gilk_window_make_part (GilkWindow *self)
{
  parts[self->n_parts++] (self);

  return self->n_parts < G_N_ELEMENTS (parts);
}

GilkWindow *
gilk_window_new (GSettings *settings)
{
  GilkWindow *self = g_object_new (GILK_TYPE_WINDOW, NULL);

  self->settings = g_object_ref (settings);

  return self;
}
