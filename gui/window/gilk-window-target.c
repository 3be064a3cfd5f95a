/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window-target.c - handles the window's target: connecting, lost connections, reconnecting
 *
 * A message about a target stays until its condition ends (gilk-banner.h). A message with the owner
 * "target" reports a lost target; with "connect", a failed connection; with "lab", the lab of a
 * cancelled connection.
 */
#include "gui/window/gilk-window-private.h"

#include <glib/gi18n.h>

#include "core/link/gilk-lab.h"
#include "gui/base/gilk-windows.h"
#include "gui/fleet/gilk-fleet-window.h"

#define CONSOLE_TAIL_MAX (64u << 10)

/* ---- connecting to a target ---- */

void
gilk_window_connect_target (GilkWindow *self,
                            const char *spec)
{
  if (gilk_recorder_state (self->recorder) != GILK_RECORDER_IDLE)
    {
      gilk_banner_remark (self->banner, GTK_MESSAGE_WARNING,
                           _("A run is in progress. Stop it before switching targets."),
                           _("Stop"), "win.run");
      return;
    }
  gilk_banner_clear_remark (self->banner);
  gilk_target_button_popdown (self->target_button);
  gilk_connection_open (self->connection, spec, gilk_target_list_way (self->settings, spec));
}

void
gilk_window_reconnect (GilkWindow *self)
{
  const char *spec = gilk_connection_spec (self->connection);

  if (spec != NULL)
    gilk_window_connect_target (self, spec);
}

/* ---- choosing the way to hook the kernel ---- */

void
gilk_window_choose_way (GilkWindow   *self,
                        enum gilk_way way)
{
  const char *why = gilk_connection_way_obstacle (self->connection, way);

  if (gilk_connection_target (self->connection) == NULL || gilk_connection_is_switching (self->connection) ||
      gilk_connection_way (self->connection) == way)
    return;
  gilk_banner_withdraw (self->banner, "driver");
  if (why != NULL)
    gilk_banner_show (self->banner, "driver", GTK_MESSAGE_WARNING, why, &(GilkRemedy) { _("System check…"), "win.preflight" }, NULL);
  else
    gilk_connection_use (self->connection, way);
}

/* Binds the plan and loads the graph again after a change between driver and BPF, because tactics,
 * costs and refusals differ between the two. */
static void
way_changed (GilkWindow *self)
{
  gilk_target_list_remember_way (self->settings, gilk_connection_spec (self->connection), gilk_connection_way (self->connection));
  gilk_plan_model_set_bound (self->model, NULL);
  gilk_plan_binder_schedule (self->binder);
  gilk_function_list_forget_shares (self->function_list);
  gilk_navigator_reload (self->navigator);
}

static void
connection_failed (GilkWindow   *self,
                   const GError *error)
{
  /* Offer to connect again only if that can help. It cannot if the target is connected, and only
   * the driver is missing. */
  if (gilk_connection_state (self->connection) == GILK_CONNECTION_READY &&
      gilk_target_kernel_file (gilk_connection_target (self->connection)) != NULL)
    gilk_banner_show (self->banner, "driver", GTK_MESSAGE_INFO, error->message, NULL, NULL);
  else if (gilk_connection_state (self->connection) == GILK_CONNECTION_READY)
    gilk_banner_show (self->banner, "driver", GTK_MESSAGE_WARNING, error->message,
                      &(GilkRemedy) { _("System check…"), "win.preflight" }, NULL);
  else
    gilk_banner_show (self->banner, "connect", GTK_MESSAGE_ERROR, error->message,
                      &(GilkRemedy) { _("Try again"), "win.reconnect" },
                      &(GilkRemedy) { _("System check…"), "win.preflight" });
}

/* ---- stopping a lab that is not needed ---- */

static void
boot_cancelled (GilkWindow *self,
                const char *name,
                gboolean    runs)
{
  g_autofree char *text =
    g_strdup_printf (runs ? _("Connecting was cancelled; the virtual machine of lab %s was started and keeps running.")
                          : _("Connecting was cancelled; the virtual machine that was started for "
                              "lab %s was stopped."), name);
  g_autofree char *stop = g_strdup_printf ("win.stop-lab('%s')", name);
  g_autofree char *join = g_strdup_printf ("win.connect('lab:%s')", name);
  const GilkRemedy offers[] = { { _("Stop the lab"), stop }, { _("Connect"), join } };

  gilk_banner_show (self->banner, "lab", GTK_MESSAGE_INFO, text, runs ? &offers[0] : &offers[1], runs ? &offers[1] : NULL);
}

static void
stop_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  GError *error = NULL;

  if (gilk_lab_stop (task_data, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
stopped_cb (GObject      *object,
            GAsyncResult *result,
            gpointer      user_data)
{
  GilkWindow *self = (GilkWindow *) object;
  g_autoptr(GError) error = NULL;
  g_autofree char *text = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), &error))
    {
      gilk_banner_show_error (self->banner, error);
      return;
    }
  text = g_strdup_printf (_("The virtual machine of lab %s was stopped."), (const char *) g_task_get_task_data (G_TASK (result)));
  gilk_banner_remark (self->banner, GTK_MESSAGE_INFO, text, NULL, NULL);
}

void
gilk_window_stop_lab (GilkWindow *self,
                      const char *name)
{
  g_autoptr(GTask) task = g_task_new (self, NULL, stopped_cb, NULL);

  gilk_banner_withdraw (self->banner, "lab");
  g_task_set_task_data (task, g_strdup (name), g_free);
  g_task_run_in_thread (task, stop_thread);
}

/* ---- reading the last console output ---- */

static void
console_tail_thread (GTask        *task,
                     gpointer      source,
                     gpointer      task_data,
                     GCancellable *cancellable)
{
  g_task_return_pointer (task, gilk_lab_console_tail (gilk_lab_name (task_data), CONSOLE_TAIL_MAX), g_free);
}

void
gilk_window_show_lost (GilkWindow *self)
{
  GilkLoss loss;
  const char *why = gilk_connection_lost_reason (self->connection, &loss), *kept = gilk_run_control_kept (self->run);
  g_autofree char *line = self->console_tail != NULL && loss == GILK_LOSS_MACHINE ? gilk_lab_key_line (self->console_tail) : NULL;
  g_autofree char *said = line == NULL || *line == '\0' ? g_strdup (why)
                          : g_strdup_printf (_("%s\nLast console line: %s"), why, line);
  g_autofree char *text = g_strconcat (said, kept != NULL ? "\n" : NULL, kept, NULL);
  const GilkRemedy words = { _("Console output…"), "win.last-words" };

  gilk_banner_show (self->banner, "target", GTK_MESSAGE_ERROR, text,
                    &(GilkRemedy) { _("Connect again"), "win.reconnect" }, self->console_tail != NULL ? &words : NULL);
}

static void
console_tail_cb (GObject      *object,
                 GAsyncResult *result,
                 gpointer      user_data)
{
  GilkWindow *self = (GilkWindow *) object;
  char *words = g_task_propagate_pointer (G_TASK (result), NULL);

  g_free (self->console_tail);
  self->console_tail = words;
  if (words != NULL && gilk_banner_has (self->banner, "target"))
    gilk_window_show_lost (self);
}

void
gilk_window_show_console_tail (GilkWindow *self)
{
  g_autofree char *title = g_strdup_printf (_("Last console output of %s"), gilk_connection_spec (self->connection));

  if (self->console_tail != NULL)
    gilk_log_window_show (GTK_WINDOW (self), title, self->console_tail);
}

/* ---- following the state of the connection ---- */

static void
show_title (GilkWindow *self)
{
  g_autofree char *title = gilk_connection_state (self->connection) == GILK_CONNECTION_NONE
    ? g_strdup (_("Gilk Workbench")) : g_strdup_printf (_("Gilk Workbench – %s"), gilk_connection_spec (self->connection));

  gtk_window_set_title (GTK_WINDOW (self), title);
}

/* Handles a change of the connection's state. */
static void
state_changed (GilkWindow         *self,
               GilkConnectionState state)
{
  static const char *const owners[] = { "target", "connect", "driver", "lab", "silent", "modules", "refused" };
  const char *spec = gilk_connection_spec (self->connection);

  if (state != GILK_CONNECTION_NONE)
    for (guint i = 0; i < G_N_ELEMENTS (owners); i++)
      gilk_banner_withdraw (self->banner, owners[i]);
  if (state != GILK_CONNECTION_READY)
    gilk_plan_model_set_bound (self->model, NULL);
  if (state == GILK_CONNECTION_READY)
    {
      gilk_run_control_forget_kept (self->run);
      g_settings_set_string (self->settings, "target", spec);
      gilk_target_list_remember (self->settings, spec);
      gilk_plan_binder_schedule (self->binder);
    }
  if (state != GILK_CONNECTION_LOST)
    return;

  g_clear_pointer (&self->console_tail, g_free);
  gilk_window_show_lost (self);
  if (gilk_lab_name (spec) != NULL)
    {
      g_autoptr(GTask) task = g_task_new (self, NULL, console_tail_cb, NULL);

      g_task_set_task_data (task, g_strdup (spec), g_free);
      g_task_run_in_thread (task, console_tail_thread);
    }
}

static void
connection_changed (GilkWindow *self)
{
  GilkConnectionState state = gilk_connection_state (self->connection);

  show_title (self);
  gilk_navigator_update_functions (self->navigator);
  gilk_function_list_set_functions (self->function_list, gilk_connection_image (self->connection),
                                    gilk_connection_functions (self->connection));
  if (state != self->last_state)
    state_changed (self, state);
  self->last_state = state;
  gilk_window_update_run (self);
  gilk_window_update_actions (self);
  gilk_function_view_update (self->function_view);
  gilk_navigator_open_requested (self->navigator);
}

/* ---- polling hooks of other clients ---- */

static void
others_changed (GilkWindow *self)
{
  gilk_inspector_update (self->inspector);
  gilk_window_update_run (self);
  gilk_plan_binder_schedule (self->binder);
}

static void
target_silent (GilkWindow *self,
               gboolean    silent)
{
  g_autofree char *text = NULL;

  if (!silent)
    {
      gilk_banner_withdraw (self->banner, "silent");
      return;
    }
  text = g_strdup_printf (_("%s has not answered for %u s: it is very busy or stuck. “Disarm all” tries another way to "
                            "reach it."),
                          gilk_connection_spec (self->connection), GILK_SILENT_S);
  gilk_banner_show (self->banner, "silent", GTK_MESSAGE_WARNING, text,
                    &(GilkRemedy) { _("Disconnect"), "win.disconnect" }, NULL);
}

/* Starts or stops polling. Does nothing if the window is being closed and the poll is gone. */
static void
set_visible (GilkWindow *self,
             gboolean    seen)
{
  if (self->target_poll != NULL)
    gilk_target_poll_set_visible (self->target_poll, seen);
}

static void
map_changed (GilkWindow *self)
{
  const gboolean seen = gtk_widget_get_mapped (GTK_WIDGET (self));

  set_visible (self, seen);
  if (!seen && self->connection != NULL)
    gilk_navigator_save_location (self->navigator);
}

static gboolean
window_state_changed (GilkWindow          *self,
                      GdkEventWindowState *event)
{
  set_visible (self, gtk_widget_get_mapped (GTK_WIDGET (self)) &&
               (event->new_window_state & GDK_WINDOW_STATE_ICONIFIED) == 0);

  return GDK_EVENT_PROPAGATE;
}

void
gilk_window_target_init (GilkWindow *self)
{
  g_signal_connect_object (self->target_poll, "changed", G_CALLBACK (others_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->target_poll, "silent", G_CALLBACK (target_silent), self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "map", G_CALLBACK (map_changed), NULL);
  g_signal_connect_after (self, "unmap", G_CALLBACK (map_changed), NULL);
  g_signal_connect (self, "window-state-event", G_CALLBACK (window_state_changed), NULL);
  g_signal_connect_object (self->connection, "changed", G_CALLBACK (connection_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->connection, "failed", G_CALLBACK (connection_failed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->connection, "boot-cancelled", G_CALLBACK (boot_cancelled), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->connection, "way-changed", G_CALLBACK (way_changed), self, G_CONNECT_SWAPPED);
  gilk_target_button_follow (self->target_button, self->connection, self->recorder);
  g_signal_connect_object (self->target_button, "chosen", G_CALLBACK (gilk_window_connect_target), self, G_CONNECT_SWAPPED);
  connection_changed (self);
}
