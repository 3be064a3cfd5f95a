/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-words.h - the canvas in words: blocks, where they lead, their instructions
 */
#pragma once

#include "gui/gilk-graph-view.h"

G_BEGIN_DECLS

/* How often @edge was gone, where that follows from the counts of the blocks beside it. */
gboolean gilk_graph_edge_count        (GilkGraphView *view, guint edge, uint64_t *count);
/* "block 4 of 31, loop head; branch taken to +0x61b, 7 %". (transfer full) */
char    *gilk_graph_block_description (GilkGraphView *view, guint block);
/* "block +0x5f, 3 instructions, 12 hits", and whether it is folded or faint. (transfer full) */
char    *gilk_graph_block_name        (GilkGraphView *view, guint block);
/* An instruction a line, with what its operands mean. (transfer full) */
char    *gilk_graph_block_lines       (GilkGraphView *view, guint block);

G_END_DECLS
