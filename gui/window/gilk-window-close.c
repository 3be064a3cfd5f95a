/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window-close.c - closing a window: releases its data at once, its widgets in steps
 */
#include "gui/window/gilk-window-private.h"

#include <glib/gi18n.h>

#include "gui/plan/gilk-teardown.h"

#define QUESTION "gilk-close-question"

enum { STOP_AND_CLOSE = 1 };

/* Stops the run; the window closes once the kernel is restored and the file is complete. */
static void
stop_and_close (GilkWindow *self)
{
  self->closing = TRUE;
  gilk_run_control_stop (self->run);
  gilk_banner_remark (self->banner, GTK_MESSAGE_INFO,
                       _("Stopping the run and restoring the kernel; then the window closes."), NULL, NULL);
}

static void
handle_answer (GtkDialog *dialog,
               int        response,
               gpointer   user_data)
{
  gtk_widget_destroy (GTK_WIDGET (dialog));
  if (response == STOP_AND_CLOSE)
    stop_and_close (user_data);
}

/* When the run ends, closes the dialog that asks whether to stop the run. */
static void
close_question (GilkWindow *self)
{
  GtkWidget *dialog = g_object_get_data (G_OBJECT (self), QUESTION);

  if (dialog != NULL && gilk_recorder_state (self->recorder) == GILK_RECORDER_IDLE)
    gtk_widget_destroy (dialog);
}

static void
clear_question (GilkWindow *self)
{
  g_object_set_data (G_OBJECT (self), QUESTION, NULL);
}

static void
ask_to_stop (GilkWindow *self)
{
  GtkWidget *dialog = gtk_message_dialog_new (GTK_WINDOW (self), GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                                              GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE, "%s", _("A run is being recorded."));

  gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (dialog), "%s",
                                            _("Closing the window stops the run. Data recorded so far is kept."));
  gtk_dialog_add_buttons (GTK_DIALOG (dialog), _("_Keep Running"), GTK_RESPONSE_CANCEL, _("_Stop and Close"), STOP_AND_CLOSE, NULL);
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), GTK_RESPONSE_CANCEL);
  g_object_set_data (G_OBJECT (self), QUESTION, dialog);
  g_signal_connect_object (dialog, "response", G_CALLBACK (handle_answer), self, 0);
  g_signal_connect_object (dialog, "destroy", G_CALLBACK (clear_question), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->recorder, "changed", G_CALLBACK (close_question), self, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}

static gboolean
may_close (GilkWindow *self)
{
  GtkWidget *asked = g_object_get_data (G_OBJECT (self), QUESTION);

  if (gilk_recorder_state (self->recorder) == GILK_RECORDER_IDLE)
    return TRUE;
  if (asked != NULL)
    gtk_window_present (GTK_WINDOW (asked));
  else if (!self->closing)
    ask_to_stop (self);

  return FALSE;
}

/* Closes the open popover before the window is taken apart, because it would otherwise return the
 * focus to a destroyed widget. */
static void
close_popover (GtkWindow *window)
{
  GtkWidget *focus = gtk_window_get_focus (window);
  GtkWidget *popover = focus != NULL ? gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER) : NULL;

  if (popover != NULL)
    gtk_widget_hide (popover);
}

/* Disconnects a widget from the window and from settings, so that neither is changed while the
 * widget is being destroyed, such as when its text is cleared. */
static void
disconnect_widget (GtkWidget *widget, gpointer self)
{
  static const char *const kept[] = { "text", "visible", "position" };

  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    g_settings_unbind (widget, kept[i]);
  g_signal_handlers_disconnect_by_data (widget, self);
  if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), disconnect_widget, self);
}

/* Disconnects the window from the object to which the member @place points, and drops the window's
 * reference. Other references may keep the object alive, such as that of a running task. */
static void
release_object (GilkWindow *self, gpointer place)
{
  GObject **object = place;

  if (*object != NULL)
    g_signal_handlers_disconnect_by_data (*object, self);
  g_clear_object (object);
}

/* Like release_object(), but for a part of the window: also ends the part's work, even if one of
 * its tasks is running. */
static void
release_part (GilkWindow *self, gpointer place)
{
  GObject **part = place;

  if (*part != NULL)
    g_object_run_dispose (*part);
  release_object (self, place);
}

void
gilk_window_release (GilkWindow *self)
{
  g_clear_pointer (&self->console_tail, g_free);
  release_part (self, &self->run);
  release_part (self, &self->module_notices);
  release_part (self, &self->navigator);
  release_part (self, &self->planner);
  release_part (self, &self->binder);
  release_part (self, &self->plan_file);
  release_object (self, &self->target_poll);
  release_object (self, &self->measures);
  release_object (self, &self->recorder);
  release_object (self, &self->model);
  release_object (self, &self->connection);
  release_object (self, &self->settings);
}

void
gilk_window_tear_down (GilkWindow *self)
{
  GtkWidget *const parts[] = {
    GTK_WIDGET (self->results), GTK_WIDGET (self->function_view), GTK_WIDGET (self->plan_panel),
    GTK_WIDGET (self->schedule_page),
  };

  if (self->tearing_down)
    return;

  self->tearing_down = TRUE;
  close_popover (GTK_WINDOW (self));
  gtk_widget_hide (GTK_WIDGET (self));
  disconnect_widget (GTK_WIDGET (self->mode_stack), self);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      disconnect_widget (parts[i], parts[i]);
      gilk_teardown_allow_inside (parts[i]);
    }
  gilk_results_view_release (self->results);
  gilk_palette_release (self->palette);
  gilk_window_release (self);
  gilk_teardown_window (GTK_WIDGET (self), GTK_WIDGET (self->mode_stack), GTK_WIDGET (self->palette));
}

gboolean
gilk_window_delete_event (GtkWidget   *widget,
                          GdkEventAny *event)
{
  GilkWindow *self = (GilkWindow *) widget;

  if (!self->tearing_down && may_close (self))
    gilk_window_tear_down (self);

  return GDK_EVENT_STOP;
}
