/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-pointer.h - mouse, touchpad and touch on the canvas
 *
 * A drag moves the drawing, with the first button, the middle one or a finger; on the map it
 * moves the part that is seen. The wheel scrolls, with Ctrl it zooms where it is, with Shift it goes
 * sideways; two fingers zoom. With Shift a drag draws a band around blocks to be chosen. What is neither
 * is a click: on a mark, a block (with Shift it joins those that are chosen) or an edge, whose far end it goes to.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct _GilkGraphPointer GilkGraphPointer;
typedef struct _GilkGraphView GilkGraphView;

GilkGraphPointer *gilk_graph_pointer_new    (GilkGraphView *view);
void              gilk_graph_pointer_free   (GilkGraphPointer *self);
/* The pointer is at x,y, or has left: what lies under it is shown so. */
void              gilk_graph_pointer_motion (GilkGraphPointer *self, double x, double y);
void              gilk_graph_pointer_leave  (GilkGraphPointer *self);
gboolean          gilk_graph_pointer_scroll (GilkGraphPointer *self, const GdkEventScroll *event);
/* Probe point under x,y, or -1. */
int               gilk_graph_pointer_point  (GilkGraphPointer *self, double x, double y);
/* The map is being dragged. */
gboolean          gilk_graph_pointer_drags_map (const GilkGraphPointer *self);
/* Edges that have the line that the pointer is on. */
guint             gilk_graph_pointer_shared (GilkGraphPointer *self);

G_END_DECLS
