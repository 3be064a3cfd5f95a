/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-private.h - dimensions and helpers shared by the graph's maker and its painters
 */
#pragma once

#include <pango/pangocairo.h>

#include "core/plot/gilk-graph-paint.h"

#define GILK_GRAPH_TITLE    22   /* height of a block's title strip */
#define GILK_GRAPH_PAD      10   /* padding around the text of a block */
#define GILK_GRAPH_NOTCH_R  5.5
#define GILK_GRAPH_OPERANDS_MAX 44   /* maximum number of characters of operands in a block; the
                                      * inspector shows all */

#define GILK_GRAPH_NOTE_MAX     40   /* maximum number of characters of an instruction's note */
#define GILK_GRAPH_NOTE_GAP     4    /* number of characters in front of an instruction's note,
                                      * including the note's semicolon */

/* Returns how many characters the note of @line takes after its operands. */
glong                 gilk_graph_note_length (const GilkGraphLine *line);
PangoFontDescription *gilk_graph_code_font   (const GilkPlotStyle *style, gboolean bold);
double                gilk_graph_line_height (const GilkPlotStyle *style);

typedef struct {
  cairo_t             *cr;
  const GilkGraph     *graph;
  const GilkPlotStyle *style;
  const GilkGraphLook *look;
  PangoLayout         *code, *bold;
  gboolean             text;     /* text is large enough to be readable at @scale */
  double               scale;
} GilkGraphPainter;

/* Sets the source colour of @cr. Defined in gilk-graph-colours.c. */
void   gilk_graph_set_colour  (cairo_t *cr, const GilkColour *colour);
/* Draws text and returns its width; @y is the middle of the line. */
double gilk_graph_show_text   (cairo_t *cr, PangoLayout *layout, const char *text, double x, double y);
/* Paints all edges. @visible: visible part of the drawing; NULL: all of it. Defined in
 * gilk-graph-edges.c. */
void   gilk_graph_paint_edges (GilkGraphPainter *painter, const GilkBox *visible);
/* Gets the count of @block. Returns FALSE if the count is unknown. @inferred: set to whether the
 * count is derived, not measured. */
gboolean gilk_graph_block_hits   (const GilkGraphLook *look, guint block, uint64_t *hits, gboolean *inferred);
/* Draws text and returns the x of the text's end. */
double   gilk_graph_legend_text  (cairo_t *cr, const GilkPlotStyle *style, const char *text, double x, double middle);

/* gilk_graph_paint_fold() paints the box of a fold, and gilk_graph_paint_dimmed() paints a
 * translucent veil over a dimmed block. Defined in gilk-graph-fold.c. */
void   gilk_graph_paint_fold   (GilkGraphPainter *painter, guint block);
void   gilk_graph_paint_dimmed (GilkGraphPainter *painter, guint block);
gboolean gilk_graph_is_dimmed  (const GilkGraph *graph, const GilkGraphLook *look, guint block);
/* Adds a box with rounded corners to the path. Defined in gilk-graph-colours.c. */
void   gilk_graph_rounded_box  (cairo_t *cr, double x, double y, double width, double height, double radius);

/* Gets the colour that shows the tactic or the cost of @block, whichever is displayed, as a strip.
 * Returns FALSE if only heat is displayed. Defined in gilk-graph-colours.c. */
gboolean gilk_graph_layer_strip  (const GilkPlotStyle *style, const GilkGraphLook *look, guint block, GilkColour *strip);
/* Returns the note in a block's title that explains the block's colour; NULL if only heat is shown.
 * (transfer full) */
char    *gilk_graph_layer_note   (const GilkGraphLook *look, guint block);
double   gilk_graph_layer_legend (cairo_t *cr, const GilkPlotStyle *style, const GilkGraphLook *look, double x, double middle);
