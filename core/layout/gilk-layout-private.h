/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-layout-private.h - the layered graph between the steps of a layout
 *
 * Nodes are blocks and dummies. A dummy carries edges through a layer; edges to
 * one block share a rail of dummies (hundreds of jumps to one exit would else
 * be hundreds of thousands of dummies), and so do the back edges to one head.
 */
#pragma once

#include "core/layout/gilk-layout.h"

G_BEGIN_DECLS

#define NO_NODE G_MAXUINT

typedef struct {
  guint    block;           /* NO_NODE for a dummy */
  guint    layer, order;    /* order: place within the layer */
  gboolean back;            /* dummy of a back rail */
  guint    mate;            /* back dummies at the ends: the block beside, NO_NODE */
  int      width;
  int      x;               /* centre */
} Node;

/* A piece between neighbouring layers. It is straight if the centres differ by
 * @slant: edges leave beside the middle of a block, where its hooks are drawn. */
typedef struct {
  guint upper, lower;       /* nodes */
  int   slant;              /* x of lower less x of upper */
  int   out;                /* where it leaves upper, right of the middle */
} Link;

/* The rails of one block: the dummies that edges to it run through. */
typedef struct {
  guint forward, n_forward; /* first dummy, in layer of block - n_forward */
  guint back, n_back;       /* first dummy, in the block's own layer */
} Rail;

typedef struct {
  const GilkLayoutGraph *graph;
  const GilkBox *sizes;

  gboolean *turned;         /* per edge: runs up, as back edges and all to the entry do */
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

#define NODE(l, i) (&g_array_index ((l)->nodes, Node, (i)))
#define LINK(l, i) (&g_array_index ((l)->links, Link, (i)))

/* Nodes at the other end of the k-th entry of up or down. */
#define UP(l, k)   (LINK ((l), (l)->up[k])->upper)
#define DOWN(l, k) (LINK ((l), (l)->down[k])->lower)

#define RAIL_PORT  16       /* right of the middle: where rails reach a block */

#define APART_BLOCKS 36     /* between blocks of one layer */
#define APART_RAIL   18     /* beside an edge that passes */

/* gilk-layout-rank.c: layers, dummies, links. FALSE if there are too many. */
gboolean gilk_layout_rank   (Layered *layered);
/* gilk-layout-order.c: order within layers, few crossings. FALSE if cancelled. */
gboolean gilk_layout_order  (Layered *layered, GCancellable *cancellable);
/* gilk-layout-place.c: x of all nodes. */
void     gilk_layout_place  (Layered *layered);
/* gilk-layout-route.c: y of the layers, ports, lanes; fills @layout. */
void     gilk_layout_route  (Layered *layered, GilkLayout *layout);

/* Where edge @edge leaves its block, right of the middle. */
int      gilk_layout_out_port    (const Layered *layered, guint edge);
/* Room between the centres of neighbours in a layer. */
int      gilk_layout_separation (const Node *left, const Node *right);

G_END_DECLS
