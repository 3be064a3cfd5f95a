/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-marks.c - draws marks along the time axis: gaps, and notes as numbered flags
 */
#include "core/plot/gilk-plot-private.h"

#include <glib/gi18n.h>
#include <math.h>

#define HATCH_PX   6.0
#define NARROW_PX  2.0           /* minimum width of a gap in px, so that no gap is invisible */
/* Dimensions of the legend, in multiples of the text size. */
#define TEXT_SIZE  0.9
#define TEXT_AT    2.1
#define BETWEEN    1.6

#define N_KINDS    2

static const char *const long_words[N_KINDS] = {
  [GILK_GAP_OFF] = N_("not measured"),
  [GILK_GAP_LOST] = N_("samples lost: counted, times unknown"),
};

static const char *const short_words[N_KINDS] = {
  [GILK_GAP_OFF] = N_("not measured"),
  [GILK_GAP_LOST] = N_("samples lost"),
};

/* Draws slanted lines that end at the rectangle's edges, without clipping, because clipping is
 * slow. Their phase is relative to the sheet's origin, so that the lines of adjacent gaps meet. */
static void
trace_hatching (GilkPainter *p, double x, double y, double width, double height)
{
  for (double c = HATCH_PX * ceil ((x + y) / HATCH_PX); c < x + y + width + height; c += HATCH_PX)
    {
      double top = MAX (y, c - x - width), bottom = MIN (y + height, c - x);

      cairo_move_to (p->cr, c - top, top);
      cairo_line_to (p->cr, c - bottom, bottom);
    }
}

static void
fill_gap (GilkPainter *p, GilkGapKind kind, double x, double y, double width, double height)
{
  const GilkPlotStyle *style = p->style;

  cairo_rectangle (p->cr, x, y, width, height);
  if (kind == GILK_GAP_OFF)
    {
      gilk_painter_colour (p, &style->dim, 0.16);
      cairo_fill (p->cr);
      return;
    }

  gilk_painter_colour (p, &style->warn, 0.10);
  cairo_fill (p->cr);
  gilk_painter_colour (p, &style->warn, 0.75);
  cairo_set_line_width (p->cr, 1.0);
  trace_hatching (p, x, y, width, height);
  cairo_stroke (p->cr);
}

guint
gilk_painter_gap_kinds (const GArray *gaps,
                        double        from,
                        double        to)
{
  guint kinds = 0;

  for (guint i = 0; gaps != NULL && i < gaps->len; i++)
    {
      const GilkGap *gap = &g_array_index (gaps, GilkGap, i);

      if (gap->from < to && gap->to > from)
        kinds |= 1u << gap->kind;
    }

  return kinds;
}

void
gilk_painter_gaps (GilkPainter        *p,
                   const GilkPlotArea *area,
                   const GArray       *gaps)
{
  for (guint i = 0; gaps != NULL && i < gaps->len; i++)
    {
      const GilkGap *gap = &g_array_index (gaps, GilkGap, i);
      double left = gilk_plot_area_x (area, CLAMP (gap->from, area->x.from, area->x.to));
      double right = gilk_plot_area_x (area, CLAMP (gap->to, area->x.from, area->x.to));

      if (gap->to <= area->x.from || gap->from >= area->x.to)
        continue;
      right = MIN (MAX (right, left + NARROW_PX), area->right);
      fill_gap (p, gap->kind, left, area->top, right - left, area->bottom - area->top);
    }
}

static double
measure_legend (GilkPainter *p, guint kinds, const char *const *words)
{
  double width = 0.0;

  for (guint kind = 0; kind < N_KINDS; kind++)
    if (kinds & 1u << kind)
      width += (width > 0.0 ? BETWEEN : 0.0) * p->style->size + TEXT_AT * p->style->size +
               gilk_painter_text_width (p, _(words[kind]), TEXT_SIZE, FALSE);

  return width;
}

/* Draws the legend of gaps at the right, on the line of the y axis' label, with shorter words if
 * there is little room. */
void
gilk_painter_gap_legend (GilkPainter        *p,
                         const GilkPlotArea *area,
                         guint               kinds,
                         const char         *y_label)
{
  double size = p->style->size, y = area->top - 1.2 * size;
  double taken = y_label != NULL ? gilk_painter_text_width (p, y_label, 1.0, FALSE) : 0.0;
  double room = area->right - taken - 3.0 * size, x;
  const char *const *words = long_words;

  if (measure_legend (p, kinds, words) > room)
    words = short_words;
  if (kinds == 0 || measure_legend (p, kinds, words) > room)
    return;

  x = area->right - measure_legend (p, kinds, words);
  for (guint kind = 0; kind < N_KINDS; kind++)
    {
      if (!(kinds & 1u << kind))
        continue;
      fill_gap (p, kind, x, y - 0.45 * size, 1.6 * size, 0.9 * size);
      gilk_painter_text (p, x + TEXT_AT * size, y, 0.0, _(words[kind]), TEXT_SIZE, FALSE, 0.0,
                         &p->style->dim);
      x += (TEXT_AT + BETWEEN) * size + gilk_painter_text_width (p, _(words[kind]), TEXT_SIZE, FALSE);
    }
}

/* ---- draws notes as numbered flags at their times, with as much text as fits ---- */

#define FLAG_SCALE 0.9            /* size of a flag's text, relative to the text size */
#define WORDS_MIN  3.0            /* minimum width of a flag's text, in multiples of the text size;
                                   * with less room only the number is shown */

/* Returns the x of the next flag to the right of flag @i; if there is none, the x of the area's
 * right edge. */
static double
find_room_end (const GilkPlotArea *area,
               const GilkFigure   *figure,
               guint               i)
{
  double end = area->right;

  for (guint k = 0; k < figure->flags->len; k++)
    {
      double at = gilk_plot_area_x (area, g_array_index (figure->flags, GilkFigureFlag, k).from);

      if (k > i && at < end)
        end = at;
    }

  return end;
}

static void
draw_flag (GilkPainter        *p,
           const GilkPlotArea *area,
           const GilkFigure   *figure,
           guint               i)
{
  const GilkFigureFlag *flag = &g_array_index (figure->flags, GilkFigureFlag, i);
  const GilkPlotStyle *style = p->style;
  double size = style->size * FLAG_SCALE, from = gilk_plot_area_x (area, flag->from), to = gilk_plot_area_x (area, flag->to);
  double left = CLAMP (from, area->left, area->right), right = CLAMP (to, area->left, area->right);
  g_autofree char *number = g_strdup_printf ("%u", flag->number);
  double wide = gilk_painter_text_width (p, number, FLAG_SCALE, TRUE) + 0.8 * size, y = area->top + 0.75 * size;
  double x = MIN (left, area->right - wide), room = find_room_end (area, figure, i) - x - wide - 0.5 * size;

  if (right > left)
    {
      cairo_rectangle (p->cr, left, area->top, right - left, area->bottom - area->top);
      gilk_painter_colour (p, &style->accent2, 0.10);
      cairo_fill (p->cr);
    }
  cairo_set_line_width (p->cr, 1.0);
  gilk_painter_colour (p, &style->accent2, 0.9);
  if (from >= area->left && from <= area->right)
    gilk_painter_line (p, left, area->top, left, area->bottom);
  if (right > left && to <= area->right)
    gilk_painter_line (p, right, area->top, right, area->bottom);
  cairo_stroke (p->cr);
  gilk_painter_colour (p, &style->accent2, 1.0);
  cairo_rectangle (p->cr, x, area->top, wide, 1.5 * size);
  cairo_fill (p->cr);
  gilk_painter_text (p, x + wide / 2, y, 0.5, number, FLAG_SCALE, TRUE, 0.0, &style->background);
  if (room >= WORDS_MIN * size)
    gilk_painter_text (p, x + wide + 0.35 * size, y, 0.0, flag->text, FLAG_SCALE, FALSE, room, &style->text);
}

void
gilk_painter_flags (GilkPainter        *p,
                    const GilkPlotArea *area,
                    const GilkFigure   *figure)
{
  for (guint i = 0; figure->flags != NULL && i < figure->flags->len; i++)
    draw_flag (p, area, figure, i);
}
