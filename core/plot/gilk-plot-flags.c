/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-flags.c - draws notes as numbered flags at their times, with as much text as fits
 */
#include "core/plot/gilk-plot-private.h"

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
