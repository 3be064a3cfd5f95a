/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-view-private.h - private header of the graph view's source files
 *
 * gilk-graph-view.c has the state and the drawing, -pointer.c the gestures, -tips.c the tooltips,
 * -keys.c the keys, -history.c the position history.
 */
#pragma once

#include "gui/graph/gilk-graph-pointer.h"
#include "gui/graph/gilk-graph-view.h"
#include "gui/base/gilk-canvas.h"

G_BEGIN_DECLS

struct _GilkGraphView {
  GtkDrawingArea  parent_instance;

  GilkGraphData  *data;
  GilkGraphLook   look;
  uint8_t        *marks;
  uint64_t       *hits;
  GilkKnownCounts *known;        /* see gilk-graph-counts.c */
  uint8_t        *selected;      /* selected, per block; NULL: none; see gilk-graph-selection.c */
  uint8_t        *highlighted;   /* highlighted path, per edge; likewise */
  uint8_t        *found;         /* matches, per instruction; NULL: no search */

  GilkViewport    port;
  gboolean        placed;         /* the initial position was set, at the first draw */
  gboolean        minimap;        /* is enabled */
  GdkRectangle    map;            /* where it is drawn; width 0: not drawn */
  GilkGraphLayer  layer;
  GHashTable     *positions;      /* name of a function -> its last position */
  GHashTable     *folds;          /* function name -> folds; see gilk-graph-folds.c */
  GCancellable   *folding;
  int             wanted_point, wanted_insn;   /* to select after unfolding; -1: none */
  uint8_t        *dimmed;         /* dimmed, per block; NULL: none; see gilk-graph-dim.c */
  char           *dim_reason;
  gboolean        dims_by_counts; /* dims by counts, so it must follow them */
  GArray         *jumps;          /* positions before jumps within this function */
  GdkRectangle    band;           /* rubber band being drawn; width 0: none */

  GilkGraphPointer *pointer;
};

/* Returns the viewport, with its size updated to that of the widget. */
GilkViewport     *gilk_graph_view_port      (GilkGraphView *self);
const GilkLayout *gilk_graph_view_layout    (GilkGraphView *self);
gboolean          gilk_graph_view_on_map    (GilkGraphView *self, double x, double y);
/* Returns whether the minimap or the legend covers x,y. */
gboolean          gilk_graph_view_is_covered (GilkGraphView *self, double x, double y);
void              gilk_graph_view_move      (GilkGraphView *self, double dx, double dy);   /* in drawing units */
void              gilk_graph_view_zoom_at   (GilkGraphView *self, double factor, double px, double py);
/* gilk-graph-history.c: saves the position; to be called before another function is shown */
void              gilk_graph_view_save_position  (GilkGraphView *self);
void              gilk_graph_view_history_init (GilkGraphView *self);

G_END_DECLS
