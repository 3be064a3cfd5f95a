/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-layout-private.h - the layered graph between the steps of a layout
 *
 * Nodes are blocks and dummies. A dummy carries edges through a layer. Each edge has
 * a chain of its own until the order is found; then chains to one block that run side
 * by side become one. Where that would be too many dummies (hundreds of jumps to one
 * exit would be hundreds of thousands), edges to one block share a rail from the
 * start, and so do the back edges to one head always.
 */
#pragma once

#include "core/layout/gilk-layout.h"

G_BEGIN_DECLS

#define NO_NODE G_MAXUINT
#define NO_EDGE G_MAXUINT

typedef struct {
  guint    block;           /* NO_NODE for a dummy */
  guint    layer, order;    /* order: place within the layer */
  gboolean back;            /* dummy of a back rail */
  guint    mate;            /* back dummies at the ends: the block beside, NO_NODE */
  guint    target;          /* other dummies: the block they lead to */
  int      width;
  int      x;               /* centre */
} Node;

/* A piece between neighbouring layers. It is straight if the centres differ by
 * @slant: edges leave beside the middle of a block, where its hooks are drawn. */
typedef struct {
  guint upper, lower;       /* nodes */
  int   slant;              /* x of lower less x of upper */
  int   out;                /* where it leaves upper, right of the middle */
  guint edge;               /* that leaves its block here; NO_EDGE in a rail */
} Link;

/* The rails of one block: the dummies that edges to it share. */
typedef struct {
  guint forward, n_forward; /* first dummy, in layer of block - n_forward; none: each has its own chain */
  guint back, n_back;       /* first dummy, in the block's own layer */
} Rail;

typedef struct {
  const GilkLayoutGraph *graph;
  const GilkBox *sizes;

  gboolean *turned;         /* per edge: runs up, as back edges and all to the entry do */
  guint  *ports;            /* per edge: which of those that leave its block it is, from the left */
  GArray *nodes;            /* Node; the blocks come first, same indices */
  GArray *links;            /* Link, distinct */
  Rail   *rails;            /* per block */
  guint   n_layers;
  guint **layers;           /* node indices in order */
  guint  *layer_sizes;

  /* links by node: up to layer - 1, down to layer + 1; indices of links */
  guint  *up_first, *up;
  guint  *down_first, *down;
} Layered;

/* Where a line reaches the top of a block: one port per direct edge, chain or rail. */
typedef struct {
  int  x;                   /* of the other end */
  int *port;
} Arrival;

#define NODE(l, i) (&g_array_index ((l)->nodes, Node, (i)))
#define LINK(l, i) (&g_array_index ((l)->links, Link, (i)))

/* Nodes at the other end of the k-th entry of up or down. */
#define UP(l, k)   (LINK ((l), (l)->up[k])->upper)
#define DOWN(l, k) (LINK ((l), (l)->down[k])->lower)

/* The link that leads on from a dummy. */
#define ONWARD(l, i) ((l)->down[(l)->down_first[i]])

#define RAIL_PORT  16       /* right of the middle: where rails reach a block */

#define PORT_EDGE  10       /* from the corner of a block to where a line reaches it */
#define PORT_APART 10       /* between two lines that reach a block */
#define HANDLE     12       /* half of what the hook in the middle of an edge takes */

#define APART_BLOCKS 36     /* between blocks of one layer */
#define APART_RAIL   18     /* beside an edge that passes */

/* gilk-layout.c: @graph and @sizes are borrowed until it is cleared. */
void     gilk_layered_init  (Layered *layered, const GilkLayoutGraph *graph, const GilkBox *sizes);
void     gilk_layered_clear (Layered *layered);
/* gilk-layout-rank.c: layers, dummies, links; @shared: edges to one block share a rail. FALSE if there are too many. */
gboolean gilk_layout_rank   (Layered *layered, gboolean shared);
/* gilk-layout-stack.c: per edge how many layers it goes down, at least: more than one where parts of a graph that would be
 * far too wide come below each other. @order: blocks, each behind all that lead to it. (transfer full) */
guint   *gilk_layout_stack  (const Layered *layered, const guint *order);
/* Up and down of all links, after those have changed. */
void     gilk_layout_index  (Layered *layered);
/* gilk-layout-order.c: an order to begin with. */
void     gilk_layout_start  (Layered *layered);
/* Order within layers, few crossings; any order if cancelled. */
void     gilk_layout_order  (Layered *layered, GCancellable *cancellable);
/* Makes an order better that is there. */
void     gilk_layout_reorder (Layered *layered, GCancellable *cancellable);
/* What the order costs; only to be compared. */
uint64_t gilk_layout_crossings (Layered *layered);
/* gilk-layout-bundle.c: chains to one block that run side by side become one. */
void     gilk_layout_bundle (Layered *layered);
/* gilk-layout-ports.c: edges leave their blocks in the order of where they go; by their sides where that is
 * all the same, or before there is an order. */
void     gilk_layout_ports  (Layered *layered);
/* gilk-layout-place.c: x of all nodes. */
void     gilk_layout_place  (Layered *layered);
/* gilk-layout-straight.c: moves them a little where lines bend less then. */
void     gilk_layout_straighten (Layered *layered);
/* gilk-layout-route.c: y of the layers, ports, lanes; fills @layout. */
void     gilk_layout_route  (Layered *layered, GilkLayout *layout);

/* Spreads @n arrivals over the top of a block, each as near to straight as may be; sorts them. */
void     gilk_layout_spread (int middle, int width, Arrival *arrivals, guint n);
/* Where edge @edge leaves its block, right of the middle. */
int      gilk_layout_out_port    (const Layered *layered, guint edge);
/* Room between the centres of neighbours in a layer. */
int      gilk_layout_separation (const Node *left, const Node *right);

G_END_DECLS
