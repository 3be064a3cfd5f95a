/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-canvas.h - helpers for custom-drawn widgets whose parts are accessible objects
 *
 * Threads: main thread only.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* For focus-in-event and focus-out-event: redraws, because the part under the keyboard cursor
   looks different. */
gboolean gilk_canvas_redraw_on_focus (GtkWidget *widget, GdkEventFocus *event);
/* Converts @box from @widget's coordinates to those of @type; sets it to zero if the widget is
   not realized. */
void     gilk_canvas_to_screen       (GtkWidget *widget, AtkCoordType type, GdkRectangle *box);

G_END_DECLS
