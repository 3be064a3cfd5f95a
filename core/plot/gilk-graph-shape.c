/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-shape.c - converts a function's graph to the form that the layout takes
 */
#include "core/plot/gilk-graph-paint.h"

static const GilkSide sides[] = {
  [GILK_EDGE_FALL] = GILK_SIDE_LEFT,   [GILK_EDGE_NOT_TAKEN] = GILK_SIDE_LEFT,
  [GILK_EDGE_TAKEN] = GILK_SIDE_RIGHT, [GILK_EDGE_JUMP] = GILK_SIDE_RIGHT,
  [GILK_EDGE_STATIC_KEY] = GILK_SIDE_RARE, [GILK_EDGE_FIXUP] = GILK_SIDE_RAREST,
};

void
gilk_graph_shape_init (GilkLayoutGraph *shape,
                       const GilkCfg   *cfg)
{
  *shape = (GilkLayoutGraph) {
    .name = cfg->function->name,
    .entry = cfg->entry,
    .blocks = g_new (GilkLayoutBlock, cfg->n_blocks + 1),
    .n_blocks = cfg->n_blocks,
    .edges = g_new (GilkLayoutEdge, cfg->n_edges + 1),
    .n_edges = cfg->n_edges,
  };

  for (guint i = 0; i < cfg->n_blocks; i++)
    shape->blocks[i] = (GilkLayoutBlock) {
      cfg->blocks[i].first_out, cfg->blocks[i].n_out, cfg->blocks[i].n_in,
    };
  for (guint i = 0; i < cfg->n_edges; i++)
    shape->edges[i] = (GilkLayoutEdge) {
      cfg->edges[i].from, cfg->edges[i].to, sides[cfg->edges[i].kind], cfg->edges[i].back,
    };
}

void
gilk_graph_shape_clear (GilkLayoutGraph *shape)
{
  g_clear_pointer (&shape->blocks, g_free);
  g_clear_pointer (&shape->edges, g_free);
}
