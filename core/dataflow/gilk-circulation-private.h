/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-circulation-private.h - the circulation graph of a function's counts
 *
 * Each block is two nodes joined by the block's arc, the only kind of arc that can be counted.
 * Edges join the out-node of one block to the in-node of another. One more node is the outside:
 * calls come from it, exits lead to it.
 *
 * The count of an uncounted arc follows from the counted arcs exactly if no cycle of uncounted arcs
 * contains it, that is, if it is a bridge: then everything that enters the part beyond it must pass
 * it.
 */
#pragma once

#include "core/dataflow/gilk-circulation.h"

G_BEGIN_DECLS

#define GILK_CIRCULATION_IN(block)  (2 * (block))
#define GILK_CIRCULATION_OUT(block) (2 * (block) + 1)
#define GILK_CIRCULATION_NONE       G_MAXUINT

typedef struct {
  guint from, to;          /* nodes */
  guint block;             /* of an exit or entry: its block */
} GilkCirculationArc;

/* Arcs are in this order: one per block, one per edge, exits and entries. */
typedef struct _GilkCirculationGraph {
  guint        n_nodes, n_arcs, outside;
  GilkCirculationArc *arcs;
  gboolean    *uncounted;  /* for each arc: whether it is uncounted */
  /* A spanning forest of the uncounted arcs, in the order found. */
  guint       *order;      /* nodes; parents come first */
  guint       *parent;     /* parent of each node; GILK_CIRCULATION_NONE: a root */
  guint       *parent_arc;
  gboolean    *bridge;     /* for each arc: whether it is a bridge; valid for uncounted arcs */
} GilkCirculationGraph;

GilkCirculationGraph *gilk_circulation_graph_new   (const GilkCfg *cfg);
void           gilk_circulation_graph_free  (GilkCirculationGraph *graph);
/* Finds the forest and bridges of the uncounted arcs. Returns: the number of trees */
guint          gilk_circulation_graph_search (GilkCirculationGraph *graph);

G_END_DECLS
