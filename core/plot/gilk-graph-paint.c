/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-paint.c - draws a laid-out graph on a cairo_t
 *
 * Order: edges, blocks, marks, so that a mark is never hidden. States of a point differ by shape as
 * well as by colour. Text too small to read is drawn as bars, which also keeps a graph of hundreds
 * of blocks fast when zoomed out.
 */
#include "core/plot/gilk-graph-paint.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/plot/gilk-graph-private.h"

#define READABLE  0.5            /* scale, in pixels per unit, below which text is drawn as bars */
#define TINY      0.2            /* scale, in pixels per unit, below which a block is drawn as a
                                  * plain rectangle */

typedef GilkGraphPainter Painter;

static void
set_translucent (cairo_t          *cr,
                 const GilkColour *colour,
                 double            alpha)
{
  cairo_set_source_rgba (cr, colour->r, colour->g, colour->b, colour->a * alpha);
}

/* Returns the colour for @hits; paler if the count is @inferred, not measured. */
static GilkColour
get_heat_colour (const Painter *painter,
                 uint64_t       hits,
                 gboolean       inferred)
{
  GilkColour heat = gilk_graph_heat (painter->style, hits, painter->look->hits_max, painter->look->log_heat);
  const GilkColour *cold = &painter->style->surface;

  if (inferred)
    heat = (GilkColour) { (heat.r + cold->r) / 2, (heat.g + cold->g) / 2, (heat.b + cold->b) / 2, 1 };

  return heat;
}

static PangoLayout *
make_text_layout (const GilkPlotStyle *style,
                  cairo_t             *cr,
                  gboolean             bold)
{
  PangoLayout *layout = pango_cairo_create_layout (cr);
  g_autoptr(PangoFontDescription) font = gilk_graph_code_font (style, bold);
  cairo_font_options_t *options = cairo_font_options_create ();

  /* Turns off hinting of metrics, so that zooming never changes the width of a line. */
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  pango_cairo_context_set_font_options (pango_layout_get_context (layout), options);
  cairo_font_options_destroy (options);
  pango_layout_set_font_description (layout, font);

  return layout;
}

/* ---- paints blocks ---- */

static void
show_text_right (Painter       *painter,
                 PangoLayout   *layout,
                 const char    *text,
                 const GilkBox *box,
                 double         middle)
{
  int width;

  pango_layout_set_text (layout, text, -1);
  pango_layout_get_size (layout, &width, NULL);
  gilk_graph_show_text (painter->cr, layout, text,
                        box->x + box->width - GILK_GRAPH_PAD - width / (double) PANGO_SCALE, middle);
}

static void
paint_title (Painter   *painter,
             guint      index,
             GilkColour fill)
{
  const GilkBox *box = &painter->graph->layout->blocks[index];
  const GilkBlock *block = &painter->graph->cfg->blocks[index];
  GilkColour ink = gilk_graph_ink_on (&fill);
  cairo_t *cr = painter->cr;
  double middle = box->y + GILK_GRAPH_TITLE / 2.0;
  g_autofree char *layer = gilk_graph_layer_note (painter->look, index);
  const char *note = NULL;
  gboolean inferred;
  uint64_t hits;

  gilk_graph_set_colour (cr, &ink);
  gilk_graph_show_text (cr, painter->bold, painter->graph->titles[index], box->x + GILK_GRAPH_PAD, middle);

  if (layer != NULL)
    {
      show_text_right (painter, painter->bold, layer, box, middle);
      return;
    }
  if (gilk_graph_block_hits (painter->look, index, &hits, &inferred))
    {
      g_autofree char *count = gilk_format_count (hits);
      g_autofree char *text = g_strconcat (inferred ? "~" : "", count, NULL);

      show_text_right (painter, painter->bold, text, box, middle);
      return;
    }

  if (block->flags & GILK_BLOCK_ENTRY)
    note = C_("block", "entry");
  else if (block->flags & GILK_BLOCK_LOOP_HEAD)
    note = C_("block", "loop");
  else if (block->ending == GILK_END_RETURN)
    note = C_("block", "return");
  if (note != NULL)
    {
      set_translucent (cr, &ink, 0.65);
      show_text_right (painter, painter->code, note, box, middle);
    }
}

/* Shows @text, shortened to @most characters. */
static void
show_text_cut (Painter    *painter,
               const char *text,
               glong       most,
               double      x,
               double      y)
{
  g_autofree char *head = g_utf8_strlen (text, -1) > most ? g_utf8_substring (text, 0, most - 1) : NULL;
  g_autofree char *cut = head != NULL ? g_strconcat (head, "…", NULL) : NULL;

  gilk_graph_show_text (painter->cr, painter->code, cut != NULL ? cut : text, x, y);
}

static void
paint_line (Painter *painter,
            guint    block,
            guint    insn,
            double   x,
            double   y,
            double   right)
{
  const GilkGraphLine *line = &painter->graph->lines[insn];
  const double advance = painter->graph->advance, column = painter->graph->columns[block] * advance;
  const glong length = MIN (g_utf8_strlen (line->operands, -1), GILK_GRAPH_OPERANDS_MAX);
  cairo_t *cr = painter->cr;

  if (!painter->text)
    {
      set_translucent (cr, &painter->style->accent, 0.45);
      cairo_rectangle (cr, x, y - 3, strlen (line->mnemonic) * advance, 6);
      cairo_fill (cr);
      set_translucent (cr, &painter->style->text, 0.25);
      cairo_rectangle (cr, x + column, y - 3, MIN (length * advance, right - x - column), 6);
      cairo_fill (cr);
      return;
    }

  gilk_graph_paint_found (cr, painter->style, painter->look, insn, x, y, right - x);
  gilk_graph_set_colour (cr, &painter->style->accent);
  gilk_graph_show_text (cr, painter->code, line->mnemonic, x, y);
  gilk_graph_set_colour (cr, &painter->style->text);
  show_text_cut (painter, line->operands, GILK_GRAPH_OPERANDS_MAX, x + column, y);
  if (line->note != NULL)
    {
      g_autofree char *note = g_strconcat ("; ", line->note, NULL);

      gilk_graph_set_colour (cr, &painter->style->dim);
      show_text_cut (painter, note, GILK_GRAPH_NOTE_MAX + 2, x + column + (length + GILK_GRAPH_NOTE_GAP - 2) * advance, y);
    }
}

static void
paint_frame (Painter *painter,
             guint    index)
{
  const GilkBox *box = &painter->graph->layout->blocks[index];
  gboolean current = painter->look->block == (int) index;
  cairo_t *cr = painter->cr;

  gilk_graph_rounded_box (cr, box->x, box->y, box->width, box->height, 5);
  if (current)
    {
      gilk_graph_set_colour (cr, &painter->style->accent);
      cairo_set_line_width (cr, painter->look->focus ? 2.6 : 1.8);
    }
  else
    {
      set_translucent (cr, &painter->style->dim, 0.55);
      cairo_set_line_width (cr, 1);
    }
  if (painter->graph->cfg->blocks[index].flags & GILK_BLOCK_COLD && !current)
    cairo_set_dash (cr, (double[]) { 3, 2 }, 2, 0);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
}

static void
paint_block (Painter       *painter,
             guint          index,
             const GilkBox *visible)
{
  const GilkBlock *block = &painter->graph->cfg->blocks[index];
  const GilkBox *box = &painter->graph->layout->blocks[index];
  double height = gilk_graph_line_height (&painter->graph->style);
  GilkColour strip = painter->scale < TINY ? painter->style->dim : painter->style->grid;
  cairo_t *cr = painter->cr;
  gboolean inferred;
  uint64_t hits;

  if (!gilk_graph_layer_strip (painter->style, painter->look, index, &strip) &&
      gilk_graph_block_hits (painter->look, index, &hits, &inferred))
    strip = get_heat_colour (painter, hits, inferred);

  if (painter->scale < TINY)
    {
      if (painter->look->block == (int) index)
        strip = painter->style->accent;
      cairo_rectangle (cr, box->x, box->y, box->width, MAX (box->height, 2 / painter->scale));
      gilk_graph_set_colour (cr, &strip);
      cairo_fill (cr);
      return;
    }

  gilk_graph_rounded_box (cr, box->x, box->y, box->width, box->height, 5);
  gilk_graph_set_colour (cr, &painter->style->surface);
  cairo_fill_preserve (cr);
  cairo_save (cr);
  cairo_clip (cr);
  cairo_rectangle (cr, box->x, box->y, box->width, GILK_GRAPH_TITLE);
  gilk_graph_set_colour (cr, &strip);
  cairo_fill (cr);
  if (painter->text)
    paint_title (painter, index, strip);

  for (guint i = 0; i < block->n_insns; i++)
    {
      double y = box->y + GILK_GRAPH_TITLE + GILK_GRAPH_PAD + (i + 0.5) * height;

      if (visible != NULL && (y < visible->y - height || y > visible->y + visible->height + height))
        continue;
      paint_line (painter, index, block->first_insn + i, box->x + GILK_GRAPH_PAD, y,
                  box->x + box->width - GILK_GRAPH_PAD);
    }
  cairo_restore (cr);
  paint_frame (painter, index);
}

/* ---- paints the marks of probe points ---- */

static void
paint_marks (Painter *painter,
             guint    index)
{
  const GilkGraphLook *look = painter->look;

  for (int post = 0; post < 2; post++)
    {
      int point = 2 * index + post;
      GilkMark mark = look->marks != NULL ? look->marks[point] : GILK_MARK_FREE;
      double x, y;

      /* Where text is too small to read, or the run has ended, mark only points that have a
       * hook. */
      if ((!painter->text || look->recorded) && (mark == GILK_MARK_FREE || mark == GILK_MARK_REFUSED))
        continue;

      gilk_graph_point_xy (painter->graph, point, &x, &y);
      if (point == look->hover || (point == look->point && look->focus))
        {
          cairo_new_sub_path (painter->cr);
          cairo_arc (painter->cr, x, y, GILK_GRAPH_NOTCH_R * 2.1, 0, 2 * G_PI);
          set_translucent (painter->cr, &painter->style->accent, 0.3);
          cairo_fill (painter->cr);
        }
      gilk_graph_paint_mark (painter->cr, painter->style, mark, x, y,
                             GILK_GRAPH_NOTCH_R * (painter->text ? 1 : 1.8));
    }
}

static gboolean
is_block_visible (const GilkBox *box,
                  const GilkBox *visible)
{
  return visible == NULL ||
         (box->x - 20 < visible->x + visible->width && box->x + box->width + 20 > visible->x &&
          box->y - 20 < visible->y + visible->height && box->y + box->height + 20 > visible->y);
}

void
gilk_graph_paint (cairo_t             *cr,
                  const GilkGraph     *graph,
                  const GilkPlotStyle *style,
                  const GilkGraphLook *look,
                  const GilkBox       *visible,
                  double               scale)
{
  g_autoptr(PangoLayout) code = make_text_layout (&graph->style, cr, FALSE);
  g_autoptr(PangoLayout) bold = make_text_layout (&graph->style, cr, TRUE);
  Painter painter = { cr, graph, style, look, code, bold, scale >= READABLE, scale };

  gilk_graph_paint_highlighted (cr, graph, style, look, scale);
  gilk_graph_paint_edges (&painter, visible);
  for (guint i = 0; i < graph->layout->n_blocks; i++)
    {
      if (gilk_graph_is_hidden (graph, i) || !is_block_visible (&graph->layout->blocks[i], visible))
        continue;
      gilk_graph_paint_selected (cr, graph, style, look, i, scale);
      if (gilk_graph_folded (graph, i) > 1)
        gilk_graph_paint_fold (&painter, i);
      else
        {
          paint_block (&painter, i, visible);
          paint_marks (&painter, i);
        }
      gilk_graph_paint_dimmed (&painter, i);
    }
}
