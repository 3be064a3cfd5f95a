/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-text.h - text descriptions of blocks, probe points and edges
 */
#pragma once

#include "gui/graph/gilk-graph-data.h"

const char *gilk_graph_edge_text      (const GilkEdge *edge);     /* "branch taken" */
/* Sets @count to how often @edge was taken. Returns FALSE if the counts of the blocks do not
 * determine this. */
gboolean gilk_graph_edge_count        (const GilkGraphLook *look, guint edge, uint64_t *count);
/* Returns "block 4 of 31, loop header; branch taken to +0x61b, 7 %", or similar. (transfer full) */
char    *gilk_graph_block_description (const GilkGraphData *data, const GilkGraphLook *look, guint block);
/* Returns a text such as "block +0x5f, 3 instructions, 12 hits". The text also says whether the
 * block is folded or dimmed. (transfer full) */
char    *gilk_graph_block_name        (const GilkGraphData *data, const GilkGraphLook *look, guint block);
/* Returns the instructions, one per line, with the meaning of their operands. (transfer full) */
char    *gilk_graph_block_lines       (const GilkGraphData *data, guint block);

/* Returns a text about how @point would be hooked, or why it cannot be hooked. (transfer full) */
char    *gilk_graph_tip_point         (const GilkGraphData *data, const GilkGraphLook *look, int point);
/* Returns a text with the ends, the kind and the count of @edge. @n_shared: number of edges that
   share the edge's line. (transfer full) */
char    *gilk_graph_tip_edge          (const GilkGraphData *data, const GilkGraphLook *look, guint edge, guint n_shared);

/* ---- bytes and text of a block's instructions, with their source lines where known ---- */

/* Returns the first 12 instructions of @block, each as a row of bytes and a row of text.
   (transfer full) */
char *gilk_block_text (const GilkGraphData *data, guint block);
