/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-dim.h - blocks of the graph in view that are of no concern now, which are drawn faint
 */
#pragma once

#include "gui/gilk-graph-view.h"

G_BEGIN_DECLS

/* @word: "from": what cannot be reached from the current block; "to": from where it cannot be reached; "ran": what was not
 * reached where it was counted; anything else: none. FALSE: nothing is faint now. */
gboolean gilk_graph_dim_set    (GilkGraphView *view, const char *word);
/* To be told of other counts, and of another function, of which nothing is faint. */
void     gilk_graph_dim_update (GilkGraphView *view);
void     gilk_graph_dim_clear  (GilkGraphView *view);
/* Why @block is faint, in words; NULL: it is not. (transfer none) */
const char *gilk_graph_dim_why (GilkGraphView *view, guint block);

G_END_DECLS
