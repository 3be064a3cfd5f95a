/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-find.h - instructions of one function by what is said of them
 *
 * Threads: one at a time; the graph and the lines of source are borrowed for gilk_graph_finder_new() alone.
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
 * @text: words; an instruction is found if each is part of what is said of it, in either case: its text, what its
 * operands mean, its address, the block it begins, and its line of source with the functions that it is inlined from
 * @found: per instruction, filled
 *
 * Returns: how many; 0 if there are no words
 */
guint            gilk_graph_finder_find (const GilkGraphFinder *finder, const char *text, uint8_t *found);

G_END_DECLS
