/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-view-private.h - state of the graph view, shared with its input
 */
#pragma once

#include "gui/graph/gilk-graph-view.h"
#include "gui/base/gilk-canvas.h"

G_BEGIN_DECLS

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
  /* Point and instruction to select after unfolding; -1: none. */
  int             wanted_point, wanted_insn;
};

/* Returns the viewport after setting its size to the widget's size. */
GilkViewport     *gilk_graph_view_port      (GilkGraphView *self);
const GilkLayout *gilk_graph_view_layout    (GilkGraphView *self);
gboolean          gilk_graph_view_on_map    (GilkGraphView *self, double x, double y);
/* Returns whether the minimap or the legend covers x,y. */
gboolean          gilk_graph_view_is_covered (GilkGraphView *self, double x, double y);
void              gilk_graph_view_move      (GilkGraphView *self, double dx, double dy);   /* in drawing units */
void              gilk_graph_view_zoom_at   (GilkGraphView *self, double factor, double px, double py);

G_END_DECLS
