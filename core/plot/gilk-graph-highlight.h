/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-highlight.h - positions of edges and instructions in a drawn graph, and painting of
 * highlights
 *
 * Threads: any; painting is for that of the cairo_t.
 */
#pragma once

#include "core/plot/gilk-graph-paint.h"

G_BEGIN_DECLS

/* Returns the edge nearest to x,y within @within, or -1. Edges to one block may share a line:
 * @n_shared (nullable) is set to the number of edges there. */
int  gilk_graph_edge_at        (const GilkGraph *graph, double x, double y, double within, guint *n_shared);

/* Return the block of instruction @insn, or -1; the box
 * of its line; and the instruction of @block at y, or -1. */
int  gilk_graph_insn_block (const GilkGraph *graph, guint insn);
void gilk_graph_insn_box   (const GilkGraph *graph, guint insn, GilkBox *box);
int  gilk_graph_insn_at    (const GilkGraph *graph, guint block, double y);

/* For the painter: paint lit edges, below the edges themselves,
 * and highlights of a block and of its instructions. */
void gilk_graph_paint_highlighted (cairo_t *cr, const GilkGraph *graph, const GilkPlotStyle *style,
                                   const GilkGraphLook *look, double scale);
void gilk_graph_paint_selected    (cairo_t *cr, const GilkGraph *graph, const GilkPlotStyle *style,
                                   const GilkGraphLook *look, guint block, double scale);
/* Paints the background of instruction @insn if it was
 * found: its line starts at @x and is centred at @middle. */
void gilk_graph_paint_found       (cairo_t *cr, const GilkPlotStyle *style, const GilkGraphLook *look, guint insn,
                                   double x, double middle, double width);

G_END_DECLS
