/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-pointer.h - mouse, touchpad and touch input of the graph
 *
 * Dragging with the first or middle button or a finger pans; on the minimap it moves the visible
 * range. The wheel scrolls, with Ctrl it zooms at the pointer, with Shift it scrolls sideways; a
 * pinch zooms. Dragging with Shift draws a rubber band that selects blocks. A click toggles a mark,
 * selects a block (with Shift it toggles the block in the selection), or jumps to the far end of an
 * edge.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct _GilkGraphPointer GilkGraphPointer;
typedef struct _GilkGraphView GilkGraphView;

GilkGraphPointer *gilk_graph_pointer_new    (GilkGraphView *view);
void              gilk_graph_pointer_free   (GilkGraphPointer *self);
/* Update the highlight of what is under the pointer, at x,y or gone. */
void              gilk_graph_pointer_motion (GilkGraphPointer *self, double x, double y);
void              gilk_graph_pointer_leave  (GilkGraphPointer *self);
gboolean          gilk_graph_pointer_scroll (GilkGraphPointer *self, const GdkEventScroll *event);
/* Returns the probe point at x,y, or -1. */
int               gilk_graph_pointer_point  (GilkGraphPointer *self, double x, double y);
/* Returns the number of edges that share the line under the pointer. */
guint             gilk_graph_pointer_shared (GilkGraphPointer *self);

G_END_DECLS
