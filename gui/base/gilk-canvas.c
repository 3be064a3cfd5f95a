/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-canvas.c - helpers for custom-drawn widgets whose parts are accessible objects
 */
#include "gui/base/gilk-canvas.h"

gboolean
gilk_canvas_redraw_on_focus (GtkWidget     *widget,
                             GdkEventFocus *event)
{
  gtk_widget_queue_draw (widget);

  return GDK_EVENT_PROPAGATE;
}

void
gilk_canvas_to_screen (GtkWidget    *widget,
                       AtkCoordType  type,
                       GdkRectangle *box)
{
  int left = 0, top = 0;

  if (!gtk_widget_get_realized (widget))
    {
      *box = (GdkRectangle) { 0, 0, 0, 0 };
      return;
    }
  if (type == ATK_XY_SCREEN)
    gdk_window_get_origin (gtk_widget_get_window (widget), &left, &top);
  else if (type == ATK_XY_WINDOW)
    gtk_widget_translate_coordinates (widget, gtk_widget_get_toplevel (widget), 0, 0, &left, &top);
  box->x += left;
  box->y += top;
}
