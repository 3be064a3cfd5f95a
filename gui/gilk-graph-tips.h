/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-tips.h - what the canvas says of a thing under the pointer
 */
#pragma once

#include "gui/gilk-graph-view.h"

G_BEGIN_DECLS

/* What planning @point would give, or why it cannot be. (transfer full) */
char *gilk_graph_tip_point (GilkGraphView *view, int point);
/* From where to where it leads, what it is, how often it was gone. @n_shared: edges that have the line there. */
char *gilk_graph_tip_edge  (GilkGraphView *view, guint edge, guint n_shared);
const char *gilk_graph_edge_words (const GilkEdge *edge);     /* "branch taken" */

G_END_DECLS
