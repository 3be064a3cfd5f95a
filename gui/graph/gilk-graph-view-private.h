/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-view-private.h - internals of the graph view: state, minimap and legend, accessible
 * children
 */
#pragma once

#include "core/plot/gilk-graph-paint.h"
#include "gui/base/gilk-canvas.h"
#include "gui/graph/gilk-graph-view.h"

struct _GilkGraphView {
  GtkDrawingArea  parent_instance;

  GilkGraphData  *data;
  GilkGraphLook   look;
  uint8_t        *marks;
  uint64_t       *hits;
  GilkKnownCounts *known;
  uint8_t        *selected;      /* selected blocks, a flag per block; NULL: none */
  uint8_t        *highlighted;   /* highlighted path, a flag per edge; NULL: none */
  uint8_t        *found;         /* search matches, a flag per instruction; NULL: no search */
  uint8_t        *dimmed;        /* dimmed blocks, a flag per block; NULL: none */
  char           *dim_reason;

  GilkViewport    port;
  gboolean        placed;         /* the first draw has set the initial position */
  gboolean        minimap;        /* whether the minimap is enabled */
  gboolean        drags_map;      /* the minimap is being dragged */
  GdkRectangle    map;            /* where the minimap is drawn; width 0: not drawn */
  GdkRectangle    band;           /* rubber band being drawn; width 0: none */
  GilkGraphLayer  layer;
  GHashTable     *positions;      /* name of a function -> its last position */
  GArray         *jumps;          /* positions to return to after jumps within this function */
  GilkGraphFolds *folds;
  /* Point and instruction to select once the parts of the graph that contain them are unfolded; -1:
   * none. */
  int             wanted_point, wanted_insn;
};

/* Returns the viewport after setting its size to the widget's size. */
GilkViewport     *gilk_graph_view_port      (GilkGraphView *self);
const GilkLayout *gilk_graph_view_layout    (GilkGraphView *self);
gboolean          gilk_graph_view_on_map    (GilkGraphView *self, double x, double y);
/* Returns whether the minimap or the legend covers x,y. */
gboolean          gilk_graph_view_is_covered (GilkGraphView *self, double x, double y);
void              gilk_graph_view_move      (GilkGraphView *self, double dx, double dy);   /* by a distance in drawing units */
void              gilk_graph_view_zoom_at   (GilkGraphView *self, double factor, double px, double py);

/*
 * Minimap in a corner of the graph, and the legend below it.
 *
 * All coordinates are widget coordinates.
 */

#define GILK_OVERLAY_STRIP 32      /* pixels below the drawing for the legend and buttons */

/*
 * gilk_overlay_place_map:
 * @map: (inout): current position.
 *
 * Puts the minimap into a corner without blocks, at reduced size if necessary. The minimap stays in
 * its corner as long as no block is there. Returns FALSE if the whole graph is visible, or if no
 * corner is free.
 */
gboolean gilk_overlay_place_map (const GilkViewport *port, const GilkGraph *graph, GdkRectangle *map);
void     gilk_overlay_draw_map      (cairo_t *cr, const GdkRectangle *map, const GilkGraph *graph,
                                     const GilkPlotStyle *style, const GilkGraphLook *look, const GilkBox *visible);
/* Converts a position on the minimap to a position in the drawing. */
void     gilk_overlay_from_map (const GdkRectangle *map, const GilkLayout *layout, double *x, double *y);
/* Draws the legend in the strip below the drawing. */
void     gilk_overlay_draw_legend   (cairo_t *cr, const GilkViewport *port, const GilkPlotStyle *style,
                                     const GilkGraphLook *look);
/* Draws the rubber band of a selection; nothing if its width is 0. */
void     gilk_overlay_draw_band     (cairo_t *cr, const GilkPlotStyle *style, const GdkRectangle *band);

/*
 * Blocks and probe points of the graph as accessible children.
 *
 * A block is a list item with two check boxes, its pre-hook and its post-hook. Screen readers and
 * the GUI tests use these objects.
 */

#define GILK_TYPE_GRAPH_ACCESSIBLE (gilk_graph_accessible_get_type ())
G_DECLARE_FINAL_TYPE (GilkGraphAccessible, gilk_graph_accessible, GILK, GRAPH_ACCESSIBLE,
                      GilkCanvasAccessible)

/* Makes all accessible children defunct. Must be called when another graph is shown. Does nothing
 * if @accessible is of another type. */
void gilk_graph_accessible_reset  (AtkObject *accessible);
/* Announces changed marks and selections, and a new current block or instruction, to screen
 * readers. */
void gilk_graph_accessible_update (AtkObject *accessible);
