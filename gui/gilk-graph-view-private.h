/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-view-private.h - what the canvas's source files share
 *
 * gilk-graph-view.c holds state and draws, -pointer.c turns gestures into acts, -tips.c
 * says what is under the pointer, -keys.c has the keys, -places.c knows where
 * one was.
 */
#pragma once

#include "gui/gilk-graph-pointer.h"
#include "gui/gilk-graph-view.h"
#include "gui/gilk-viewport.h"

G_BEGIN_DECLS

struct _GilkGraphView {
  GtkDrawingArea  parent_instance;

  GilkGraphData  *data;
  GilkGraphLook   look;
  uint8_t        *marks;
  uint64_t       *hits;
  GilkKnownCounts *known;        /* gilk-graph-counts.c has it */
  uint8_t        *chosen;        /* per block; NULL: none. gilk-graph-choice.c has it */
  uint8_t        *lit;           /* per edge, likewise */
  uint8_t        *found;         /* per instruction; NULL: nothing was searched for */

  GilkViewport    port;
  gboolean        placed;        /* the first size is known and the graph was put */
  gboolean        minimap;       /* it is wanted */
  GdkRectangle    map;           /* where it is drawn; without width: nowhere */
  GilkGraphLayer  layer;
  GHashTable     *places;        /* where one was, by function */
  GHashTable     *folds;         /* what is folded, by function; gilk-graph-folds.c has it and what follows */
  GCancellable   *folding;
  int             wanted_point, wanted_insn;   /* to be selected once what is around them is opened; -1: none */
  uint8_t        *faint;         /* per block; NULL: none. gilk-graph-dim.c has it and what follows */
  char           *faint_why;
  gboolean        dim_ran;       /* it follows counts */
  GArray         *jumps;         /* where one came from, in this function */
  GdkRectangle    band;          /* that is being drawn; without width: none */

  GilkGraphPointer *pointer;
};

/* As large as the widget is now. */
GilkViewport     *gilk_graph_view_port      (GilkGraphView *self);
const GilkLayout *gilk_graph_view_layout    (GilkGraphView *self);
gboolean          gilk_graph_view_on_map    (GilkGraphView *self, double x, double y);
/* By the map or the legend. */
gboolean          gilk_graph_view_is_covered (GilkGraphView *self, double x, double y);
void              gilk_graph_view_move      (GilkGraphView *self, double dx, double dy);   /* units of the drawing */
void              gilk_graph_view_zoom_at   (GilkGraphView *self, double factor, double px, double py);
/* gilk-graph-places.c: to be told before another function is shown. */
void              gilk_graph_view_keep_place  (GilkGraphView *self);
void              gilk_graph_view_places_init (GilkGraphView *self);

G_END_DECLS
