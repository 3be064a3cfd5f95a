/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-figure.c - draws a figure: header, legend, axes, data, and the caption below
 */
#include "core/plot/gilk-plot-private.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* Dimensions, in multiples of the text size. */
#define CAPTION_LINE 1.45
#define CAPTION_SIZE 0.9
#define LEGEND_LINE  1.7
#define SIGN         2.2
#define BETWEEN      1.4
#define MARGIN       1.2

/* Number of lines of a caption: the figure's height, divided by LINE_EACH text sizes, minus 1; at
 * most CAPTION_LINES. */
#define LINE_EACH     9.0
#define CAPTION_LINES 3

/* ---- the caption below the figure ---- */

/* Breaks text into lines no wider than the sheet; the last line takes the rest. (transfer full) */
static GPtrArray *
wrap_text (GilkPainter *p, const char *text)
{
  double size = p->style->size, room = p->width - 2 * MARGIN * size;
  guint most = (guint) CLAMP (floor (p->height / size / LINE_EACH) - 1.0, 0.0, CAPTION_LINES);
  GPtrArray *lines = g_ptr_array_new_with_free_func (g_free);
  g_auto(GStrv) words = g_strsplit (text != NULL ? text : "", " ", -1);
  g_autoptr(GString) line = g_string_new (NULL);

  for (guint i = 0; most > 0 && words[i] != NULL; i++)
    {
      gsize length = line->len;

      g_string_append_printf (line, "%s%s", length > 0 ? " " : "", words[i]);
      if (length == 0 || lines->len + 1 >= most || strcmp (words[i], "%") == 0 ||
          gilk_painter_text_width (p, line->str, CAPTION_SIZE, FALSE) <= room)
        continue;
      g_ptr_array_add (lines, g_strndup (line->str, length));
      g_string_assign (line, words[i]);
    }
  if (line->len > 0)
    g_ptr_array_add (lines, g_strdup (line->str));

  return lines;
}

/* Breaks the caption into lines. Adds empty lines if the caption of the neighbouring figure has
 * more lines. (transfer full) */
static GPtrArray *
wrap_caption (GilkPainter *p, const GilkFigure *figure)
{
  GPtrArray *lines = wrap_text (p, figure->caption);
  g_autoptr(GPtrArray) neighbour_lines = wrap_text (p, figure->neighbour_caption);

  while (lines->len < neighbour_lines->len)
    g_ptr_array_add (lines, g_strdup (""));

  return lines;
}

static double
get_caption_height (GilkPainter *p, const GPtrArray *lines)
{
  return lines->len > 0 ? (lines->len * CAPTION_LINE + 0.2) * p->style->size : 0.0;
}

static void
draw_caption (GilkPainter *p, const GPtrArray *lines)
{
  double size = p->style->size, y = p->height - get_caption_height (p, lines) - 0.45 * size;

  for (guint i = 0; i < lines->len; i++)
    gilk_painter_text (p, MARGIN * size, y + (i + 0.5) * CAPTION_LINE * size, 0.0,
                       g_ptr_array_index (lines, i), CAPTION_SIZE, FALSE,
                       MAX (1.0, p->width - 2 * MARGIN * size), &p->style->dim);
}

/* ---- legend ---- */

typedef struct { guint per_row, rows; double item, text; } Legend;

static Legend
lay_out_legend (GilkPainter *p, const GilkFigure *figure)
{
  double size = p->style->size, room = MAX (1.0, p->width - 2 * MARGIN * size), widest = 0.0;
  Legend legend = { 1, 0, 0.0, 0.0 };

  if (figure->curves->len < 2)
    return legend;
  for (guint i = 0; i < figure->curves->len; i++)
    {
      const GilkCurve *curve = g_ptr_array_index (figure->curves, i);

      widest = MAX (widest, gilk_painter_text_width (p, curve->name, 1.0, FALSE));
    }
  legend.text = ceil (MIN (widest, room / 2 - (SIGN + 0.6 + BETWEEN) * size)) + 1;
  legend.item = legend.text + (SIGN + 0.6 + BETWEEN) * size;
  legend.per_row = (guint) CLAMP (floor ((room + BETWEEN * size) / legend.item), 1, figure->curves->len);
  legend.rows = (figure->curves->len + legend.per_row - 1) / legend.per_row;

  return legend;
}

static double
get_legend_height (GilkPainter *p, const Legend *legend)
{
  return legend->rows > 0 ? (legend->rows * LEGEND_LINE + 0.3) * p->style->size : 0.0;
}

static void
draw_legend (GilkPainter *p, const GilkFigure *figure, const Legend *legend, double top)
{
  double size = p->style->size;

  p->both_ends = TRUE;           /* shorten names in the middle: the names of one hook in two runs
                                  * differ at the end */
  for (guint i = 0; legend->rows > 0 && i < figure->curves->len; i++)
    {
      const GilkCurve *curve = g_ptr_array_index (figure->curves, i);
      double x = MARGIN * size + (i % legend->per_row) * legend->item;
      double y = top + (i / legend->per_row + 0.6) * LEGEND_LINE * size;

      gilk_painter_curve_sign (p, i, x, y, SIGN * size);
      gilk_painter_text (p, x + (SIGN + 0.6) * size, y, 0.0, curve->name, 1.0, FALSE,
                         MAX (1.0, legend->text), &p->style->text);
    }
  p->both_ends = FALSE;
}

/* ---- lays out and draws the whole figure ---- */

static GilkAxisKind
get_axis_kind (GilkScale scale)
{
  return scale == GILK_SCALE_LOG ? GILK_AXIS_LOG : scale == GILK_SCALE_WHOLE ? GILK_AXIS_WHOLE : GILK_AXIS_LINEAR;
}

static GilkPlotText
make_plot_text (const GilkFigure *figure)
{
  return (GilkPlotText) {
    .title = figure->title, .subtitle = figure->subtitle, .x_label = figure->x.label,
    .x_unit = figure->x.unit, .y_label = figure->y.label, .log_y = figure->y.scale == GILK_SCALE_LOG,
    .loss_note = figure->loss_note,
  };
}

typedef struct {
  GPtrArray     *caption;
  Legend         legend;
  GilkPlotBounds bounds;
  guint          gap_kinds;
} Sheet;

static void
sheet_clear (Sheet *sheet)
{
  g_clear_pointer (&sheet->caption, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sheet, sheet_clear)

/* Lays out everything but the header, which the caller paints or measures. */
static void
lay_out (Sheet *sheet, GilkPainter *p, const GilkFigure *figure, double top)
{
  sheet->legend = lay_out_legend (p, figure);
  sheet->gap_kinds = gilk_painter_gap_kinds (figure->gaps, figure->x.from, figure->x.to);
  sheet->bounds = (GilkPlotBounds) {
    .x_from = figure->x.from, .x_to = figure->x.to, .y_from = figure->y.from, .y_to = figure->y.to,
    .x_kind = get_axis_kind (figure->x.scale), .y_kind = get_axis_kind (figure->y.scale),
    .x_unit = figure->x.unit, .y_unit = figure->y.unit, .x_label = figure->x.label,
    .y_label = figure->y.label, .top = top + get_legend_height (p, &sheet->legend),
  };
}

/* Computes the area that remains above the caption and to the left of the colour bar. */
static void
place_area (GilkPlotArea *area, GilkPainter *p, const Sheet *sheet, const GilkFigure *figure)
{
  double width = p->width, height = p->height;

  if (figure->heat != NULL)
    p->width -= gilk_painter_ramp_width (p, figure);
  p->height -= get_caption_height (p, sheet->caption);
  gilk_plot_area_init (area, p, &sheet->bounds);
  p->width = width;
  p->height = height;
}

static gboolean
has_plot (const GilkFigure *figure)
{
  return figure->message == NULL && figure->x.to > figure->x.from;
}

void
gilk_plot_figure (cairo_t             *cr,
                  double               width,
                  double               height,
                  const GilkPlotStyle *style,
                  const GilkFigure    *figure)
{
  g_auto(GilkPainter) p = { NULL };
  g_auto(GilkPlotArea) area = { 0 };
  g_auto(Sheet) sheet = { NULL };
  const GilkPlotText text = make_plot_text (figure);
  double top;

  gilk_painter_init (&p, cr, width, height, style);
  sheet.caption = wrap_caption (&p, figure);
  if (figure->histogram != NULL && has_plot (figure))
    {
      gilk_painter_colour (&p, &style->background, 1.0);
      cairo_paint (cr);
      gilk_plot_histogram (cr, width, MAX (1.0, height - get_caption_height (&p, sheet.caption)), style, &text,
                           figure->histogram);
      draw_caption (&p, sheet.caption);
      return;
    }

  top = gilk_painter_header (&p, &text, text.subtitle);
  if (!has_plot (figure))
    {
      gilk_painter_empty (&p, top, figure->message != NULL ? figure->message : _("No samples."));
      draw_caption (&p, sheet.caption);
      return;
    }
  lay_out (&sheet, &p, figure, top);
  draw_legend (&p, figure, &sheet.legend, top);
  place_area (&area, &p, &sheet, figure);
  gilk_plot_area_draw (&area, &p, &sheet.bounds);
  gilk_painter_gaps (&p, &area, figure->gaps);
  gilk_painter_gap_legend (&p, &area, sheet.gap_kinds, figure->y.label);
  if (figure->heat != NULL)
    {
      gilk_painter_cells (&p, &area, figure);
      gilk_painter_ramp (&p, &area, figure);
    }
  gilk_painter_curves (&p, &area, figure);
  gilk_painter_flags (&p, &area, figure);
  draw_caption (&p, sheet.caption);
}

gboolean
gilk_plot_figure_frame (double               width,
                        double               height,
                        const GilkPlotStyle *style,
                        const GilkFigure    *figure,
                        GilkPlotFrame       *frame)
{
  g_auto(GilkPainter) p = { NULL };
  g_auto(GilkPlotArea) area = { 0 };
  g_auto(Sheet) sheet = { NULL };
  const GilkPlotText text = make_plot_text (figure);

  if (!has_plot (figure))
    return FALSE;
  gilk_painter_init (&p, NULL, width, height, style);
  sheet.caption = wrap_caption (&p, figure);
  if (figure->histogram != NULL)
    {
      gilk_plot_histogram_frame (width, MAX (1.0, height - get_caption_height (&p, sheet.caption)), &text, style,
                                 figure->histogram, frame);
      return frame->width > 0.0;
    }
  lay_out (&sheet, &p, figure, gilk_painter_header_height (&p, &text, text.subtitle));
  place_area (&area, &p, &sheet, figure);
  *frame = (GilkPlotFrame) {
    .x = area.left, .y = area.top, .width = area.right - area.left, .height = area.bottom - area.top,
    .from = area.x.from, .to = area.x.to, .log_x = area.x.log,
    .y_from = area.y.from, .y_to = area.y.to, .log_y = area.y.log,
  };

  return TRUE;
}
