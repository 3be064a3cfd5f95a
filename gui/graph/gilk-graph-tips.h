/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-tips.h - tooltips of the graph
 */
#pragma once

#include "gui/graph/gilk-graph-view.h"

G_BEGIN_DECLS

/* Describes the plan of @point, or why it cannot be hooked. (transfer full) */
char *gilk_graph_tip_point (GilkGraphView *view, int point);
/* Describes an edge: ends, kind and count. @n_shared: number of edges that share the line there.
   (transfer full) */
char *gilk_graph_tip_edge  (GilkGraphView *view, guint edge, guint n_shared);
const char *gilk_graph_edge_text (const GilkEdge *edge);     /* "branch taken" */

G_END_DECLS
