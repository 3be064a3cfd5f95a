/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-side-window.c - keys common to all secondary windows
 */
#include "gui/base/gilk-windows.h"

static gboolean
close_by_key (GtkWindow   *window,
              GdkEventKey *event)
{
  if (event->keyval != GDK_KEY_Escape)
    return GDK_EVENT_PROPAGATE;
  gtk_window_close (window);

  return GDK_EVENT_STOP;
}

static gboolean
focus_results (GtkWidget   *search,
               GdkEventKey *event,
               GtkWidget   *found)
{
  if (event->keyval != GDK_KEY_Down)
    return GDK_EVENT_PROPAGATE;
  gtk_widget_grab_focus (found);

  return GDK_EVENT_STOP;
}

void
gilk_side_window_set_keys (GtkWindow *window,
                           GtkWidget *search,
                           GtkWidget *found)
{
  g_signal_connect (window, "key-press-event", G_CALLBACK (close_by_key), NULL);
  if (search != NULL)
    g_signal_connect_object (search, "key-press-event", G_CALLBACK (focus_results), found, 0);
}
