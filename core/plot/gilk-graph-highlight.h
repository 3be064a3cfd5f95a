/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-highlight.h - which edge is where, and what is pointed out in a drawn graph
 *
 * Threads: any; painting is for that of the cairo_t.
 */
#pragma once

#include "core/plot/gilk-graph-paint.h"

G_BEGIN_DECLS

/* The edge nearest to x,y and not farther than @within; -1: none. Edges to one block may share a line: @n_shared
 * (nullable) is how many edges pass there. */
int  gilk_graph_edge_at        (const GilkGraph *graph, double x, double y, double within, guint *n_shared);

/* Block that has instruction @insn, or -1; where its line is drawn, and whose line of @block is at y, or -1. */
int  gilk_graph_insn_block     (const GilkGraph *graph, guint insn);
void gilk_graph_insn_box       (const GilkGraph *graph, guint insn, GilkBox *box);
int  gilk_graph_insn_at        (const GilkGraph *graph, guint block, double y);

/* For the painter: under the edges those that are lit, and around and in blocks what was chosen and found. */
void     gilk_graph_paint_lit     (cairo_t *cr, const GilkGraph *graph, const GilkPlotStyle *style,
                                   const GilkGraphLook *look, double scale);
void     gilk_graph_paint_chosen  (cairo_t *cr, const GilkGraph *graph, const GilkPlotStyle *style,
                                   const GilkGraphLook *look, guint block, double scale);
/* Behind the text of instruction @insn: its line begins at @x, @middle is the middle of its height. */
void     gilk_graph_paint_found   (cairo_t *cr, const GilkPlotStyle *style, const GilkGraphLook *look, guint insn,
                                   double x, double middle, double width);

G_END_DECLS
