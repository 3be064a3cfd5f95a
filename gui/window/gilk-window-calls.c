/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window-calls.c - navigation between functions: callers, callees, call graph and breadcrumb
 */
#include "gui/window/gilk-window-private.h"

#include <glib/gi18n.h>

#include "gui/window/gilk-breadcrumb.h"
#include "gui/base/gilk-file-dialog.h"
#include "gui/base/gilk-panes.h"

/* Returns FALSE, and shows a message, if no function is shown. */
static gboolean
has_function (GilkWindow *self)
{
  if (self->function != NULL && self->functions != NULL && gilk_connection_image (self->connection) != NULL)
    return TRUE;
  gilk_banner_remark (self->banner, GTK_MESSAGE_INFO, _("No function is shown yet: choose one."), NULL, NULL);

  return FALSE;
}

static void
update_source (GilkWindow *self)
{
  GilkImage *image = gilk_connection_image (self->connection);

  gilk_calls_source_set_kernel (self->calls_source, image != NULL ? self->functions : NULL, image);
  gilk_calls_source_set_session (self->calls_source, gilk_results_view_path (self->results));
}

static void
show_calls (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       user_data)
{
  GilkWindow *self = user_data;

  if (!has_function (self))
    return;
  gtk_stack_set_visible_child_name (self->mode_stack, "explore");
  update_source (self);
  gilk_calls_popover_show (self->calls, self->function);
}

/* ---- call graph ---- */

gboolean
gilk_window_calls_enabled (GilkWindow *self)
{
  g_autoptr(GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (self), "call-graph");

  return state != NULL && g_variant_get_boolean (state);
}

void
gilk_window_calls_update (GilkWindow *self)
{
  GilkCallsView *view = self->calls_view != NULL ? GILK_CALLS_VIEW (self->calls_view) : NULL;

  if (view == NULL)
    return;
  if (self->functions != gilk_calls_source_functions (self->calls_source))
    gilk_calls_view_set_function (view, NULL);
  update_source (self);
  gilk_calls_view_set_function (view, gilk_calls_source_functions (self->calls_source) != NULL ? self->function : NULL);
}

static void
call_graph_changed (GSimpleAction *action,
                    GVariant      *state,
                    gpointer       user_data)
{
  GilkWindow *self = user_data;

  if (g_variant_get_boolean (state) && !has_function (self))
    return;
  g_simple_action_set_state (action, state);
  gtk_stack_set_visible_child_name (self->mode_stack, "explore");
  gilk_window_show_page (self);
  gilk_window_canvas_focus (self);
}

static void
close_call_graph (GilkWindow *self)
{
  g_action_group_change_action_state (G_ACTION_GROUP (self), "call-graph", g_variant_new_boolean (FALSE));
}

static void
open_function (GilkWindow *self,
               gpointer    function)
{
  gilk_window_function_activated (self, function, 0);
}

static GilkCallsCanvas *
get_visible_calls (GilkWindow *self)
{
  return gtk_widget_get_mapped (self->calls_view) ? gilk_calls_view_canvas (GILK_CALLS_VIEW (self->calls_view)) : NULL;
}

gboolean
gilk_window_calls_zoom (GilkWindow *self,
                        double      factor)
{
  GilkCallsCanvas *canvas = get_visible_calls (self);

  if (canvas != NULL)
    gilk_calls_canvas_zoom (canvas, factor);

  return canvas != NULL;
}

/* ---- export ---- */

typedef struct {
  GilkCallsPicture *picture;
  char             *path;
  GilkPlotFormat    format;
} Export;

static void
export_free (gpointer data)
{
  Export *export = data;

  gilk_calls_picture_unref (export->picture);
  g_free (export->path);
  g_free (export);
}

static void
export_thread (GTask        *task,
               gpointer      source,
               gpointer      task_data,
               GCancellable *cancellable)
{
  const Export *export = task_data;
  GilkCallsSheet sheet = { export->picture, &gilk_plot_light };
  double width = export->picture->layout->width + 2 * GILK_CALLS_MARGIN;
  double height = export->picture->layout->height + 2 * GILK_CALLS_MARGIN;
  GError *error = NULL;

  gilk_plot_fit (export->format, &width, &height);
  if (gilk_plot_to_file (export->path, export->format, width, height, gilk_calls_paint_sheet, &sheet, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
exported_cb (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr(GError) error = NULL;
  const Export *export = g_task_get_task_data (G_TASK (result));
  g_autofree char *text = g_strdup_printf (_("Wrote %s."), export->path);

  if (g_task_propagate_boolean (G_TASK (result), &error))
    gilk_banner_remark (GILK_WINDOW (object)->banner, GTK_MESSAGE_INFO, text, NULL, NULL);
  else
    gilk_banner_show_error (GILK_WINDOW (object)->banner, error);
}

static void
export_to (gpointer    object,
           const char *path,
           const char *format)
{
  GilkWindow *self = object;
  GilkCallsPicture *picture = gilk_calls_canvas_picture (gilk_calls_view_canvas (GILK_CALLS_VIEW (self->calls_view)));
  g_autoptr(GTask) task = g_task_new (self, NULL, exported_cb, NULL);
  Export *export;

  if (picture == NULL)
    return;
  export = g_new0 (Export, 1);
  export->picture = gilk_calls_picture_ref (picture);
  export->path = g_strdup (path);
  export->format = gilk_graph_data_format (format);
  g_task_set_task_data (task, export, export_free);
  g_task_run_in_thread (task, export_thread);
}

gboolean
gilk_window_calls_export (GilkWindow *self,
                          const char *format)
{
  GilkCallsCanvas *canvas = get_visible_calls (self);
  g_autofree char *name = NULL;

  if (canvas == NULL || gilk_calls_canvas_picture (canvas) == NULL)
    return FALSE;
  name = g_strdup_printf ("%s-calls.%s", gilk_calls_canvas_picture (canvas)->around->nodes[0].function->name, format);
  gilk_file_dialog_save (GTK_WINDOW (self), _("Export the call graph"), _("_Export"), name, export_to, self, format);

  return TRUE;
}

static gboolean
link_activated (GilkWindow *self,
                const char *uri)
{
  GilkGraphData *data = gilk_graph_view_data (self->graph_view);
  int block = gilk_breadcrumb_block (uri);

  if (data == NULL || block < 0 || block >= (int) data->cfg->n_blocks)
    return GDK_EVENT_PROPAGATE;
  close_call_graph (self);
  gilk_graph_view_select (self->graph_view, 2 * block, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->graph_view));

  return GDK_EVENT_STOP;
}

static void
add_toggle (GilkWindow *self)
{
  GtkWidget *button = gtk_toggle_button_new ();

  gilk_panes_set_icon_and_label (GTK_WINDOW (self), button, "emblem-shared-symbolic", _("Call graph"));
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (button), "win.call-graph");
  gtk_widget_set_tooltip_text (button, _("Call graph around this function (Ctrl+Shift+G)"));
  atk_object_set_name (gtk_widget_get_accessible (button), _("Show the call graph"));
  gtk_widget_show_all (button);
  gtk_box_pack_end (GTK_BOX (self->canvas_bar), button, FALSE, FALSE, 0);
}

void
gilk_window_calls_init (GilkWindow *self)
{
  const GActionEntry entries[] = { { "calls", show_calls }, { "call-graph", NULL, NULL, "false", call_graph_changed } };
  GtkWidget *button = gtk_button_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  gilk_panes_set_icon_and_label (GTK_WINDOW (self), button, "object-flip-horizontal-symbolic", _("Callers"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.calls");
  gtk_widget_set_tooltip_text (button, _("Callers and callees (Alt+Down)"));
  atk_object_set_name (gtk_widget_get_accessible (button), _("Callers and callees"));
  gtk_widget_show (button);
  gtk_box_pack_end (GTK_BOX (self->canvas_bar), button, FALSE, FALSE, 0);
  add_toggle (self);
  self->calls_source = gilk_calls_source_new ();
  self->calls = gilk_calls_popover_new (button, self->calls_source);
  self->calls_view = gilk_calls_view_new (self->calls_source, self->model, self->settings);
  gtk_stack_add_named (self->canvas_stack, self->calls_view, "calls");
  g_signal_connect_object (self->calls_view, "open", G_CALLBACK (open_function), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->calls_view, "close", G_CALLBACK (close_call_graph), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->calls, "open", G_CALLBACK (gilk_window_function_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->function_label, "activate-link", G_CALLBACK (link_activated), self, G_CONNECT_SWAPPED);
}
