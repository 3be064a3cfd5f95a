/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-text.h - text descriptions of blocks: names, successors, instructions
 */
#pragma once

#include "gui/graph/gilk-graph-view.h"

G_BEGIN_DECLS

/* Gets how often @edge was taken. Returns FALSE if the counts of blocks do not determine that. */
gboolean gilk_graph_edge_count        (GilkGraphView *view, guint edge, uint64_t *count);
/* Returns "block 4 of 31, loop header; branch taken to +0x61b, 7 %", or similar. (transfer full) */
char    *gilk_graph_block_description (GilkGraphView *view, guint block);
/* Returns a text such as "block +0x5f, 3 instructions, 12 hits", also whether it is folded or
   dimmed. (transfer full) */
char    *gilk_graph_block_name        (GilkGraphView *view, guint block);
/* Returns the instructions, one per line, with the meaning of their operands. (transfer full) */
char    *gilk_graph_block_lines       (GilkGraphView *view, guint block);

G_END_DECLS
