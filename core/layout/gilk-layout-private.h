/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-layout-private.h - the layered graph shared by the steps of a layout
 *
 * Nodes are blocks and dummies. A dummy is an invisible node that carries edges through a layer.
 * Each edge has its own chain of dummies until the nodes of each layer are ordered; then chains
 * that run side by side to the same block are merged. If there would be too many dummies (hundreds
 * of jumps to one exit would need hundreds of thousands), all edges to one block share one chain, a
 * rail, from the start. Back edges to one loop header always share a rail.
 */
#pragma once

#include "core/layout/gilk-layout.h"

G_BEGIN_DECLS

#define NO_NODE G_MAXUINT
#define NO_EDGE G_MAXUINT

typedef struct {
  guint    block;           /* index of the block; NO_NODE for a dummy */
  guint    layer, order;    /* @order: position within the layer */
  gboolean back;            /* the node is a dummy on a back rail, the line of all edges back to one
                             * loop header */
  guint    mate;            /* for the dummy at the upper end of a back rail: the block beside it,
                             * to which the rail leads; else NO_NODE */
  guint    target;          /* for a dummy node without @mate: the block at the end of its chain or
                             * rail */
  int      width;
  int      x;               /* centre */
} Node;

/* A segment of a line between adjacent layers. It is straight if the x coordinates of its nodes
 * differ by @slant. @slant is not 0 at a block: edges leave a block beside the middle, where its
 * hooks are drawn. */
typedef struct {
  guint upper, lower;       /* nodes */
  int   slant;              /* x of @lower minus x of @upper if the link is straight */
  int   out;                /* x at which the line leaves @upper, relative to @upper's centre */
  guint edge;               /* the edge, if the link starts at a block; NO_EDGE: the link starts at
                             * a dummy */
} Link;

/* The rails of a block: chains of dummy nodes that the edges to the block share. */
typedef struct {
  /* first dummy of the rail of edges from above, which is in layer (block's layer - n_forward), and
   * number of dummies of this rail; 0 if each edge has its own chain */
  guint forward, n_forward;
  guint back, n_back;       /* first dummy of the back rail (of edges from below), in the block's
                             * own layer, and number of dummies of this rail */
} Rail;

typedef struct {
  const GilkLayoutGraph *graph;
  const GilkBox *sizes;

  gboolean *turned;         /* for each edge: whether it runs upwards (back edges, edges to the
                             * entry) */
  guint  *ports;            /* for each edge: its position, from left to right, among the edges that
                             * leave the same block */
  GArray *nodes;            /* Node; the blocks come first, with the same indices */
  GArray *links;            /* all distinct Links: no two of them join the same nodes */
  Rail   *rails;            /* for each block: its rails */
  guint   n_layers;
  guint **layers;           /* for each layer: indices of its nodes, in order */
  guint  *layer_sizes;

  /* indices of each node's links: @up leads to the layer above, @down to the layer below */
  guint  *up_first, *up;
  guint  *down_first, *down;

  double  widening;         /* correction of @estimate from an earlier drawing of the graph: the
                             * drawing's ratio of width to height, divided by the estimate; 1 if
                             * there was none */
  double  estimate;         /* estimated ratio of the drawing's width to its height, not yet
                             * multiplied by @widening */
} Layered;

/* Ratio of width to height above which blocks are put in several rows. */
#define TOO_WIDE     4.0
#define TARGET_RATIO 2.2

/* A line that reaches the top of a block: an edge from the layer above, a chain of dummy nodes, or
 * a rail. */
typedef struct {
  int  x;                   /* x of the line's other end */
  int *port;
} Arrival;

#define NODE(l, i) (&g_array_index ((l)->nodes, Node, (i)))
#define LINK(l, i) (&g_array_index ((l)->links, Link, (i)))

/* Return the node at the other end of the k-th link in up or down. */
#define UP(l, k)   (LINK ((l), (l)->up[k])->upper)
#define DOWN(l, k) (LINK ((l), (l)->down[k])->lower)

/* Returns the index of the link that leaves dummy node @i downwards. */
#define ONWARD(l, i) ((l)->down[(l)->down_first[i]])

#define RAIL_PORT  16       /* x at which a rail, the line that several edges share, reaches its
                             * block, relative to the block's centre */

#define PORT_EDGE  10       /* minimum distance from a block's corner to a line that reaches it */
#define PORT_APART 10       /* minimum distance between two lines that reach a block */
#define HANDLE     12       /* half the width of the hook's mark in the middle of a block's edge */

#define APART_BLOCKS 36     /* distance between blocks of one layer */
#define APART_RAIL   18     /* distance between a block and a line that passes it */

/* Initialises @layered. @graph and @sizes are borrowed until gilk_layered_clear(). In
 * gilk-layout.c. */
void     gilk_layered_init  (Layered *layered, const GilkLayoutGraph *graph, const GilkBox *sizes);
void     gilk_layered_clear (Layered *layered);
/* Makes layers, dummy nodes and links. @shared: whether all edges to one block share a rail, one
 * chain of dummies. Returns FALSE if there are too many dummies. In gilk-layout-rank.c. */
gboolean gilk_layout_rank   (Layered *layered, gboolean shared);
/* Rebuilds the arrays @up and @down after links have changed. */
void     gilk_layout_index  (Layered *layered);
/* Makes an initial order of the nodes. In gilk-layout-order.c. */
void     gilk_layout_init_order  (Layered *layered);
/* Orders nodes within their layers for few crossings. If cancelled, leaves them in any order. */
void     gilk_layout_order  (Layered *layered, GCancellable *cancellable);
/* Improves the order that the nodes have now. */
void     gilk_layout_reorder (Layered *layered, GCancellable *cancellable);
/* Returns the cost of the current order. The better of two orders has the lower cost. */
uint64_t gilk_layout_crossings (Layered *layered);
/* Sorts the edges that leave each block by their targets, or by their sides if the targets are
 * equal or not ordered yet. In gilk-layout-ports.c. */
void     gilk_layout_ports  (Layered *layered);
/* Sets x of all nodes. In gilk-layout-place.c. */
void     gilk_layout_place  (Layered *layered);
/* Moves nodes a little to remove bends. In gilk-layout-straight.c. */
void     gilk_layout_straighten (Layered *layered);
/* Computes y of the layers, the ends of lines at blocks, and the lanes between layers; fills in
 * @layout. In gilk-layout-route.c. */
void     gilk_layout_route  (Layered *layered, GilkLayout *layout);

/* Spreads @n lines that arrive at a block over its top, each as straight as possible, and sorts
 * them. */
void gilk_layout_spread (int middle, int width, Arrival *arrivals, guint n);
/* Returns the x at which @edge leaves its block, relative to the block's centre. */
int  gilk_layout_out_port    (const Layered *layered, guint edge);
/* Returns the minimum distance between the centres of neighbours in a layer. */
int  gilk_layout_separation (const Node *left, const Node *right);

G_END_DECLS
