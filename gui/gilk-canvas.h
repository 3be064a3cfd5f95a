/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-canvas.h - what widgets have in common that paint themselves and whose parts are accessible objects
 *
 * Threads: the main one.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* For focus-in-event and focus-out-event: the part that has the keyboard is painted otherwise. */
gboolean gilk_canvas_redraw_on_focus (GtkWidget *widget, GdkEventFocus *event);
/* Moves @box from @widget's own coordinates to those of @type; to nowhere, if the widget is not realized yet. */
void     gilk_canvas_place           (GtkWidget *widget, AtkCoordType type, GdkRectangle *box);

G_END_DECLS
