/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-layout.h - where the blocks and edges of a graph are drawn
 *
 * Layered: entry on top, back edges in outer lanes, orthogonal edges in lanes
 * of their own, not taken left and taken right where no line would cross for it. What would be far wider than high, as
 * switches with hundreds of cases, stands in parts below each other. Coordinates are integers in
 * the units of the sizes given (device-independent pixels). Pure: no kernel, no cairo,
 * no GTK. Immutable once built. Any kernel function: 99 % under 100 ms, worst 1 s.
 *
 * Threads: any.
 */
#pragma once

#include <gio/gio.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct { int x, y; } GilkXY;
typedef struct { int x, y, width, height; } GilkBox;

/* Sides from which edges leave a block, from left to right. */
typedef enum {
  GILK_SIDE_LEFT,               /* what control does by itself: falls through */
  GILK_SIDE_RIGHT,              /* what a branch does */
  GILK_SIDE_RARE,
  GILK_SIDE_RAREST,
} GilkSide;

typedef struct {
  guint    from, to;            /* block indices */
  GilkSide side;
  gboolean back;                /* closes a loop: drawn upwards */
} GilkLayoutEdge;

typedef struct {
  guint first_out, n_out;       /* edges leaving, index into edges (sorted by from) */
  guint n_in;
} GilkLayoutBlock;

/* What is to be laid out; acyclic but for the edges that are @back or lead to @entry. */
typedef struct {
  const char      *name;        /* for errors */
  guint            entry;
  GilkLayoutBlock *blocks;  guint n_blocks;
  GilkLayoutEdge  *edges;   guint n_edges;
} GilkLayoutGraph;

typedef struct {
  GilkXY *points;               /* orthogonal polyline from source bottom to target top */
  guint   n_points;
  guint   edge;                 /* index into the graph's edges */
} GilkRoute;

typedef struct {
  GilkBox   *blocks;            /* per block of the graph */
  GilkRoute *routes;            /* per edge of the graph */
  guint      n_blocks, n_routes;
  int        width, height;     /* of the whole drawing, origin 0,0 */
  /* private: */
  gatomicrefcount ref_count;
} GilkLayout;

/* @sizes: width and height wanted for each block (x, y ignored). NULL on cancel.
 * @graph and @sizes are borrowed for the call. */
GilkLayout *gilk_layout_new   (const GilkLayoutGraph *graph, const GilkBox *sizes,
                               GCancellable *cancellable, GError **error);
GilkLayout *gilk_layout_ref   (GilkLayout *layout);
void        gilk_layout_unref (GilkLayout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkLayout, gilk_layout_unref)

G_END_DECLS
