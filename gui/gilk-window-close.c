/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window-close.c - a window goes: what it has is saved and let go at once, its widgets in steps
 *
 * A screen reader is told of each widget that goes, which takes long for all of them: other windows are not held up.
 */
#include "gui/gilk-window-private.h"

#include <glib/gi18n.h>

static gboolean
may_close (GilkWindow *self)
{
  if (gilk_recorder_state (self->recorder) == GILK_RECORDER_IDLE)
    return TRUE;

  /* Close once the kernel is put back and the file is whole. */
  self->closing = TRUE;
  gilk_recorder_stop (self->recorder);
  gilk_window_message (self, GTK_MESSAGE_INFO,
                       _("Stopping the run and putting the kernel back; the window closes after that."), NULL, NULL);

  return FALSE;
}

/* A popover that goes with its window gives the focus back to what is gone already. */
static void
close_popover (GtkWindow *window)
{
  GtkWidget *focus = gtk_window_get_focus (window);
  GtkWidget *popover = focus != NULL ? gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER) : NULL;

  if (popover != NULL)
    gtk_widget_hide (popover);
}

/* One page at a time. */
static gboolean
take_apart (gpointer data)
{
  GilkWindow *self = data;
  g_autoptr(GList) pages = gtk_container_get_children (GTK_CONTAINER (self->mode_stack));

  if (pages != NULL)
    {
      gtk_widget_destroy (pages->data);
      return G_SOURCE_CONTINUE;
    }
  gtk_widget_destroy (GTK_WIDGET (self));

  return G_SOURCE_REMOVE;
}

void
gilk_window_leave (GilkWindow *self)
{
  if (self->leaving)
    return;

  self->leaving = TRUE;
  close_popover (GTK_WINDOW (self));
  gtk_widget_hide (GTK_WIDGET (self));
  g_signal_handlers_disconnect_by_data (self->mode_stack, self);
  gilk_window_let_go (self);
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, take_apart, g_object_ref (self), g_object_unref);
}

gboolean
gilk_window_delete_event (GtkWidget   *widget,
                          GdkEventAny *event)
{
  GilkWindow *self = GILK_WINDOW (widget);

  if (!self->leaving && may_close (self))
    gilk_window_leave (self);

  return GDK_EVENT_STOP;
}
