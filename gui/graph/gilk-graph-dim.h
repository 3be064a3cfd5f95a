/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-dim.h - dimming of irrelevant blocks
 */
#pragma once

#include "gui/graph/gilk-graph-view.h"

G_BEGIN_DECLS

/* @word: "from": dims blocks not reachable from the current one; "to": blocks that cannot reach
   it; "ran": blocks never executed, by their counts, which it follows; anything else: none.
   Returns FALSE if no block is dimmed. */
gboolean gilk_graph_dim_set (GilkGraphView *view, const char *word);

G_END_DECLS
