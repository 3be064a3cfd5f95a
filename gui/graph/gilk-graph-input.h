/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-input.h - mouse, touchpad, touch and keyboard input of the graph
 *
 * Dragging with the first or middle button or a finger pans; on the minimap it moves the visible
 * range. The wheel scrolls, with Ctrl it zooms at the pointer, with Shift it scrolls sideways; a
 * pinch zooms. Dragging with Shift draws a rubber band that selects blocks. A click on a mark adds
 * or removes a hook, a click on a block selects it (with Shift, it adds the block to the selection
 * or removes it), and a click on an edge jumps to the edge's far end.
 */
#pragma once

#include "gui/graph/gilk-graph-view.h"

typedef struct _GilkGraphPointer GilkGraphPointer;

GilkGraphPointer *gilk_graph_pointer_new    (GilkGraphView *view);
void              gilk_graph_pointer_free   (GilkGraphPointer *self);
/* These two functions update the highlighted part: the pointer has moved to x,y, or has left the
 * widget. */
void              gilk_graph_pointer_motion (GilkGraphPointer *self, double x, double y);
void              gilk_graph_pointer_leave  (GilkGraphPointer *self);
gboolean          gilk_graph_pointer_scroll (GilkGraphPointer *self, const GdkEventScroll *event);
/* Returns the probe point at x,y, or -1. */
int               gilk_graph_pointer_point  (GilkGraphPointer *self, double x, double y);
/* Returns how many edges are drawn by the line under the pointer. */
guint             gilk_graph_pointer_shared (GilkGraphPointer *self);

/* gilk-graph-keys.c */
/* Returns whether the key was handled. */
gboolean gilk_graph_keys_handle (GilkGraphView *view, const GdkEventKey *event);

/* Moves to another block by descending hits: @step 1: next, -1: previous, 0: hottest. Returns FALSE
   if hits are unknown. */
gboolean gilk_graph_keys_go_by_heat (GilkGraphView *view, int step);
