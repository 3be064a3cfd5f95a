/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-fold-paint.c - paints folds, and the veil over dimmed blocks
 */
#include <glib/gi18n.h>

#include "core/plot/gilk-graph-private.h"

#define BEHIND 4               /* offset of a fold's second sheet, drawn below the first one */
#define RADIUS 5
#define VEIL   0.72

static void
paint_sheet (cairo_t             *cr,
             const GilkPlotStyle *style,
             const GilkBox       *box,
             double               by)
{
  gilk_graph_rounded_box (cr, box->x + by, box->y + by, box->width, box->height, RADIUS);
  gilk_graph_set_colour (cr, &style->surface);
  cairo_fill_preserve (cr);
  cairo_set_source_rgba (cr, style->dim.r, style->dim.g, style->dim.b, 0.55);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

static void
paint_strip (GilkGraphPainter    *painter,
             const GilkBox       *box,
             const GilkFoldFacts *facts,
             guint                block)
{
  gboolean hot = facts->hits != GILK_HITS_UNKNOWN;
  GilkColour strip = hot ? gilk_graph_heat (painter->style, facts->hits, painter->look->hits_max, painter->look->log_heat)
                         : painter->style->grid;
  GilkColour ink = gilk_graph_ink_on (&strip);
  g_autofree char *title = g_strconcat ("▸ ", painter->graph->titles[block], NULL);
  g_autofree char *count = hot ? gilk_format_count ((double) facts->hits) : NULL;
  cairo_t *cr = painter->cr;
  int width;

  cairo_save (cr);
  gilk_graph_rounded_box (cr, box->x, box->y, box->width, box->height, RADIUS);
  cairo_clip (cr);
  cairo_rectangle (cr, box->x, box->y, box->width, GILK_GRAPH_TITLE);
  gilk_graph_set_colour (cr, &strip);
  cairo_fill (cr);
  cairo_restore (cr);
  if (!painter->text)
    return;
  gilk_graph_set_colour (cr, &ink);
  gilk_graph_show_text (cr, painter->bold, title, box->x + GILK_GRAPH_PAD, box->y + GILK_GRAPH_TITLE / 2.0);
  if (count == NULL)
    return;
  pango_layout_set_text (painter->bold, count, -1);
  pango_layout_get_size (painter->bold, &width, NULL);
  gilk_graph_show_text (cr, painter->bold, count, box->x + box->width - GILK_GRAPH_PAD - width / (double) PANGO_SCALE,
                        box->y + GILK_GRAPH_TITLE / 2.0);
}

void
gilk_graph_paint_fold (GilkGraphPainter *painter,
                       guint             block)
{
  const GilkBox *box = &painter->graph->layout->blocks[block];
  double line = gilk_graph_line_height (&painter->graph->style), y = box->y + GILK_GRAPH_TITLE + GILK_GRAPH_PAD + line / 2;
  gboolean current = painter->look->block == (int) block;
  GilkFoldFacts facts;
  g_autofree char *blocks = NULL, *more = NULL;
  cairo_t *cr = painter->cr;

  gilk_graph_fold_facts (painter->graph, painter->look, block, &facts);
  paint_sheet (cr, painter->style, box, BEHIND);
  paint_sheet (cr, painter->style, box, 0);
  paint_strip (painter, box, &facts, block);
  if (painter->text)
    {
      blocks = g_strdup_printf (g_dngettext (NULL, "%u block folded", "%u blocks folded", facts.blocks), facts.blocks);
      more = gilk_graph_fold_text (&facts, FALSE);
      gilk_graph_set_colour (cr, &painter->style->text);
      gilk_graph_show_text (cr, painter->code, blocks, box->x + GILK_GRAPH_PAD, y);
      gilk_graph_set_colour (cr, facts.found > 0 ? &painter->style->warn : &painter->style->dim);
      gilk_graph_show_text (cr, painter->code, more, box->x + GILK_GRAPH_PAD, y + line);
    }
  if (facts.hooks > 0)
    gilk_graph_paint_mark (cr, painter->style, GILK_MARK_PLANNED, box->x + box->width - GILK_GRAPH_PAD, y + line,
                           GILK_GRAPH_NOTCH_R * 0.8);
  if (!current)
    return;
  gilk_graph_rounded_box (cr, box->x, box->y, box->width, box->height, RADIUS);
  gilk_graph_set_colour (cr, &painter->style->accent);
  cairo_set_line_width (cr, painter->look->focus ? 2.6 : 1.8);
  cairo_stroke (cr);
}

/* Returns TRUE if the block is dimmed; a fold is dimmed if all of its blocks are. */
gboolean
gilk_graph_is_dimmed (const GilkGraph     *graph,
                      const GilkGraphLook *look,
                      guint                block)
{
  guint head;

  if (look->dimmed == NULL || graph->fold == NULL || gilk_cfg_fold_size (graph->fold, block) == 1)
    return look->dimmed != NULL && look->dimmed[block];
  head = gilk_cfg_fold_shown (graph->fold, block);
  for (guint b = 0; b < graph->cfg->n_blocks; b++)
    if (gilk_cfg_fold_shown (graph->fold, b) == head && !look->dimmed[b])
      return FALSE;

  return TRUE;
}

void
gilk_graph_paint_dimmed (GilkGraphPainter *painter,
                         guint             block)
{
  const GilkBox *box = &painter->graph->layout->blocks[block];
  const GilkColour *paper = &painter->style->background;

  if (!gilk_graph_is_dimmed (painter->graph, painter->look, block))
    return;
  cairo_rectangle (painter->cr, box->x - 2, box->y - 2, box->width + BEHIND + 4, box->height + BEHIND + 4);
  cairo_set_source_rgba (painter->cr, paper->r, paper->g, paper->b, VEIL);
  cairo_fill (painter->cr);
}
