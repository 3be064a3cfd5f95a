/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-view.h - graph widget: pan, zoom, select and toggle
 *
 * A point has the number 2 * block + post. Signals: "selected" (int point), "toggle" (int point):
 * add it to the plan or remove it, "open": show the inspector, "chosen": the selection or the
 * search matches changed, "menu" (GdkEvent): context menu for the current block, "follow" (guint
 * instruction): go to its target, "shown": another function or none is shown.
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/graph/gilk-graph-data.h"

G_BEGIN_DECLS

#define GILK_TYPE_GRAPH_VIEW (gilk_graph_view_get_type ())
G_DECLARE_FINAL_TYPE (GilkGraphView, gilk_graph_view, GILK, GRAPH_VIEW, GtkDrawingArea)

void           gilk_graph_view_set_data  (GilkGraphView *self, GilkGraphData *data);
/* Restores block and position from when this function was last shown, if it was. */
void           gilk_graph_view_restore_position    (GilkGraphView *self);
GilkGraphData *gilk_graph_view_data      (GilkGraphView *self);
/* @marks: GilkMark per point; @hits: (nullable): per block. Both are copied. */
void           gilk_graph_view_set_marks (GilkGraphView *self, const uint8_t *marks,
                                          const uint64_t *hits, gboolean log_heat);
GilkMark       gilk_graph_view_mark      (GilkGraphView *self, int point);
const GilkGraphLook *gilk_graph_view_look (GilkGraphView *self);

int      gilk_graph_view_point     (GilkGraphView *self);       /* -1: none */
void     gilk_graph_view_select    (GilkGraphView *self, int point, gboolean reveal);
/* Selects @block and scrolls to it; gilk_graph_view_back() returns to the previous position. */
void     gilk_graph_view_jump      (GilkGraphView *self, int block);
gboolean gilk_graph_view_can_back  (GilkGraphView *self);
void     gilk_graph_view_back      (GilkGraphView *self);
/* Returns the current instruction, -1: none. Selecting one makes its block the current one. */
int      gilk_graph_view_insn        (GilkGraphView *self);
void     gilk_graph_view_select_insn (GilkGraphView *self, guint insn, gboolean reveal);
/* Like gilk_graph_view_jump(), but to an instruction. */
void     gilk_graph_view_jump_insn   (GilkGraphView *self, guint insn);
/* @found: (transfer full) (nullable): matches, per instruction, to be marked */
void     gilk_graph_view_set_found   (GilkGraphView *self, uint8_t *found);
void     gilk_graph_view_toggle    (GilkGraphView *self, int point);

void gilk_graph_view_zoom      (GilkGraphView *self, double factor);   /* around the centre */
void gilk_graph_view_zoom_one  (GilkGraphView *self);
void gilk_graph_view_fit       (GilkGraphView *self);
void gilk_graph_view_set_minimap (GilkGraphView *self, gboolean shown);

/* Get rectangles in widget coordinates. The width of @map is 0 if the minimap is not drawn. */
void gilk_graph_view_areas         (GilkGraphView *self, GdkRectangle *drawing, GdkRectangle *map);
void gilk_graph_view_block_extents (GilkGraphView *self, int block, GdkRectangle *extents);
void gilk_graph_view_point_extents (GilkGraphView *self, int point, GdkRectangle *extents);

G_END_DECLS
