/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window-close.c - a window goes: what it has is saved and let go at once, its widgets in steps
 */
#include "gui/gilk-window-private.h"

#include <glib/gi18n.h>

#include "gui/gilk-take-apart.h"

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

/* A widget that is taken apart, an entry that has lost its text for one, tells neither the window nor its settings of that. */
static void
loosen (GtkWidget *widget, gpointer self)
{
  static const char *const kept[] = { "text", "visible", "position" };

  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    g_settings_unbind (widget, kept[i]);
  g_signal_handlers_disconnect_by_data (widget, self);
  if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), loosen, self);
}

void
gilk_window_leave (GilkWindow *self)
{
  if (self->leaving)
    return;

  self->leaving = TRUE;
  close_popover (GTK_WINDOW (self));
  gtk_widget_hide (GTK_WIDGET (self));
  loosen (GTK_WIDGET (self->mode_stack), self);
  loosen (GTK_WIDGET (self->results), self->results);
  gilk_results_view_let_go (self->results);
  gilk_take_apart_inside (GTK_WIDGET (self->results));
  gilk_palette_let_go (self->palette);
  gilk_window_let_go (self);
  gilk_take_apart (GTK_WIDGET (self), GTK_WIDGET (self->mode_stack), GTK_WIDGET (self->palette));
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
