/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-layout.h - positions of the blocks and edges of a drawn graph
 *
 * The layout is layered: the entry is on top, back edges are in outer lanes, edges are orthogonal
 * and in separate lanes; branches not taken are on the left and taken ones on the right, unless
 * lines would cross. Graphs that would be far wider than high, such as switches with hundreds of
 * cases, are split into parts below each other. Coordinates are integers in the units of the given
 * sizes (device-independent pixels). Pure: no kernel, no cairo, no GTK. Immutable once built.
 * Duration for kernel functions: 99 % under 100 ms, at most 1 s.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "core/base/gilk-cancellable.h"

G_BEGIN_DECLS

typedef struct { int x, y; } GilkXY;
typedef struct { int x, y, width, height; } GilkBox;

/* The side of its block from which an edge leaves, from left to right. */
typedef enum {
  GILK_SIDE_LEFT,               /* branch not taken, or fall-through */
  GILK_SIDE_RIGHT,              /* taken branch */
  GILK_SIDE_RARE,
  GILK_SIDE_RAREST,
} GilkSide;

typedef struct {
  guint    from, to;            /* block indices */
  GilkSide side;
  gboolean back;                /* the edge closes a loop, and is drawn upwards */
} GilkLayoutEdge;

typedef struct {
  guint first_out, n_out;       /* index of the first outgoing edge in the edges, which are sorted
                                 * by @from; and number of outgoing edges */
  guint n_in;
} GilkLayoutBlock;

/* Input of a layout; must be acyclic except for edges that are @back or lead to @entry. */
typedef struct {
  const char      *name;        /* name of the function, for error messages */
  guint            entry;
  GilkLayoutBlock *blocks;  guint n_blocks;
  GilkLayoutEdge  *edges;   guint n_edges;
} GilkLayoutGraph;

typedef struct {
  GilkXY *points;               /* horizontal and vertical line segments from the bottom of the
                                 * source to the top of the target */
  guint   n_points;
  guint   edge;                 /* index of the edge in the graph's edges */
} GilkRoute;

typedef struct {
  GilkBox   *blocks;            /* positions of the graph's blocks, with the same indices */
  GilkRoute *routes;            /* lines of the graph's edges, one per edge */
  guint      n_blocks, n_routes;
  int        width, height;     /* size of the whole drawing, whose origin is 0,0 */
  /* private: */
  gatomicrefcount ref_count;
} GilkLayout;

/* Computes a layout. @sizes: width and height of each block; x and y are ignored. Returns NULL if
 * cancelled. @graph and @sizes are borrowed for the call. */
GilkLayout *gilk_layout_new   (const GilkLayoutGraph *graph, const GilkBox *sizes,
                               GCancellable *cancellable, GError **error);
void        gilk_layout_unref (GilkLayout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkLayout, gilk_layout_unref)

G_END_DECLS
