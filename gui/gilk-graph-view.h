/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-view.h - the canvas: pan, zoom, select and toggle over a painted graph
 *
 * A point is numbered 2 * block + post. Signals: "selected" (int point),
 * "toggle" (int point: the user wants it planned or not), "open" (inspector),
 * "chosen" (what is pointed out: several blocks, what was found), "menu" (GdkEvent: for the current block),
 * "follow" (guint instruction: to where it leads), "shown" (another function, or none).
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/gilk-graph-data.h"

G_BEGIN_DECLS

#define GILK_TYPE_GRAPH_VIEW (gilk_graph_view_get_type ())
G_DECLARE_FINAL_TYPE (GilkGraphView, gilk_graph_view, GILK, GRAPH_VIEW, GtkDrawingArea)

void           gilk_graph_view_set_data  (GilkGraphView *self, GilkGraphData *data);
/* To block and part of the drawing where one was when this function was shown last, if it was. */
void           gilk_graph_view_return    (GilkGraphView *self);
GilkGraphData *gilk_graph_view_data      (GilkGraphView *self);
/* @marks: 2 * n_blocks GilkMark; @hits: n_blocks or NULL; both copied. */
void           gilk_graph_view_set_marks (GilkGraphView *self, const uint8_t *marks,
                                          const uint64_t *hits, gboolean log_heat);
GilkMark       gilk_graph_view_mark      (GilkGraphView *self, int point);
const GilkGraphLook *gilk_graph_view_look (GilkGraphView *self);

int            gilk_graph_view_point     (GilkGraphView *self);       /* -1: none */
void           gilk_graph_view_select    (GilkGraphView *self, int point, gboolean reveal);
/* Selects @block and has it in sight; gilk_graph_view_back() returns to where one was. */
void           gilk_graph_view_jump      (GilkGraphView *self, int block);
gboolean       gilk_graph_view_can_back  (GilkGraphView *self);
void           gilk_graph_view_back      (GilkGraphView *self);
/* The current instruction, -1: none; its block becomes the current one. */
int            gilk_graph_view_insn        (GilkGraphView *self);
void           gilk_graph_view_select_insn (GilkGraphView *self, guint insn, gboolean reveal);
/* The same, and gilk_graph_view_back() returns. */
void           gilk_graph_view_jump_insn   (GilkGraphView *self, guint insn);
/* @found: (transfer full) (nullable): per instruction, those to be marked */
void           gilk_graph_view_set_found   (GilkGraphView *self, uint8_t *found);
void           gilk_graph_view_toggle    (GilkGraphView *self, int point);

void           gilk_graph_view_zoom      (GilkGraphView *self, double factor);   /* about the centre */
void           gilk_graph_view_zoom_one  (GilkGraphView *self);
void           gilk_graph_view_fit       (GilkGraphView *self);
void           gilk_graph_view_set_minimap (GilkGraphView *self, gboolean shown);

/* Rectangles in widget coordinates. A map that is not drawn has no width. */
void           gilk_graph_view_places        (GilkGraphView *self, GdkRectangle *drawing, GdkRectangle *map);
void           gilk_graph_view_block_extents (GilkGraphView *self, int block, GdkRectangle *extents);
void           gilk_graph_view_point_extents (GilkGraphView *self, int point, GdkRectangle *extents);

G_END_DECLS
