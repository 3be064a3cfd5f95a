/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-dim.h - dimming of irrelevant blocks
 */
#pragma once

#include "gui/graph/gilk-graph-view.h"

G_BEGIN_DECLS

/* @word: "from": dims blocks not reachable from the current one; "to": blocks that cannot reach
   it; "ran": blocks never executed, by their counts; anything else: none. Returns FALSE if no
   block is dimmed. */
gboolean gilk_graph_dim_set       (GilkGraphView *view, const char *word);
/* To be called when counts change, and when another function is shown. */
void     gilk_graph_dim_update    (GilkGraphView *view);
void     gilk_graph_dim_clear     (GilkGraphView *view);
/* Returns why @block is dimmed; NULL if it is not. (transfer none) */
const char *gilk_graph_dim_reason (GilkGraphView *view, guint block);

G_END_DECLS
