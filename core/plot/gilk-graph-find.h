/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-find.h - search of a function's instructions by text
 *
 * Threads: one at a time; the graph and the lines of source are borrowed for
 * gilk_graph_finder_new() only.
 */
#pragma once

#include "core/cfg/gilk-cfg-source.h"
#include "core/plot/gilk-graph-paint.h"

G_BEGIN_DECLS

typedef struct _GilkGraphFinder GilkGraphFinder;

/* @source: (nullable) */
GilkGraphFinder *gilk_graph_finder_new  (const GilkGraph *graph, const GilkCfgSource *source);
void             gilk_graph_finder_free (GilkGraphFinder *finder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkGraphFinder, gilk_graph_finder_free)

/**
 * gilk_graph_finder_find:
 * @text: words; an instruction matches if each word is part of its description, ignoring case: its
 *   text, the meaning of its operands, its address, the block it starts, and its source line with
 *   the functions that it is inlined from
 * @found: (out): per instruction
 *
 * Returns: number of matches; 0 for an empty @text
 */
guint            gilk_graph_finder_find (const GilkGraphFinder *finder, const char *text, uint8_t *found);

G_END_DECLS
