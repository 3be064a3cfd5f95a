/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-interval.c - draws a value and its confidence interval on one line that includes zero
 *
 * The reader wants to see whether the interval of a difference contains zero, so zero is always
 * shown.
 */
#include "core/plot/gilk-plot-private.h"

#include <math.h>

#define MARGIN  0.08              /* margin on each side, as a fraction of the range shown */
#define TICK    3.0               /* px */

static void
find_bounds (double low, double high, double *from, double *to)
{
  double span;

  *from = MIN (low, 0.0);
  *to = MAX (high, 0.0);
  span = *to - *from;
  if (!(span > 0))
    span = 2.0;
  *from -= MARGIN * span;
  *to += MARGIN * span;
}

static void
draw_axis (GilkPainter *p, const GilkAxis *axis, double left, double width, double y)
{
  cairo_set_line_width (p->cr, 1.0);
  gilk_painter_colour (p, &p->style->dim, 0.6);
  gilk_painter_line (p, left, y, left + width, y);
  cairo_stroke (p->cr);
  for (guint i = 0; i < axis->ticks->len; i++)
    {
      const GilkTick *tick = &g_array_index (axis->ticks, GilkTick, i);
      double x = left + width * gilk_axis_position (axis, tick->value);

      gilk_painter_colour (p, &p->style->dim, 0.6);
      gilk_painter_line (p, x, y, x, y + TICK);
      cairo_stroke (p->cr);
      if (tick->label != NULL)
        gilk_painter_text (p, x, y + TICK + 0.75 * p->style->size, 0.5, tick->label, 0.9, FALSE, 0, &p->style->dim);
    }
}

void
gilk_plot_interval (cairo_t             *cr,
                    double               width,
                    double               height,
                    const GilkPlotStyle *style,
                    double               low,
                    double               value,
                    double               high,
                    const char          *unit)
{
  g_auto(GilkPainter) p = { NULL };
  g_auto(GilkAxis) axis = { 0 };
  double from, to, overhang, left, room, zero, x;
  double bottom = floor (height - 1.6 * style->size) - TICK, middle = floor (bottom / 2) + 0.5;

  gilk_painter_init (&p, cr, width, height, style);
  find_bounds (low, high, &from, &to);
  gilk_axis_init (&axis, &p, from, to, GILK_AXIS_LINEAR, unit, width, FALSE);
  overhang = ceil (axis.widest / 2);
  left = MIN (overhang, width / 4);
  room = width - 2 * left;
  gilk_axis_clear (&axis);
  gilk_axis_init (&axis, &p, from, to, GILK_AXIS_LINEAR, unit, room, FALSE);
  draw_axis (&p, &axis, left, room, bottom + 0.5);

  zero = floor (left + room * gilk_axis_position (&axis, 0.0)) + 0.5;
  gilk_painter_colour (&p, &style->text, 1.0);
  gilk_painter_line (&p, zero, 0, zero, bottom);
  cairo_stroke (cr);

  low = left + room * gilk_axis_position (&axis, low);
  high = left + room * gilk_axis_position (&axis, high);
  x = left + room * gilk_axis_position (&axis, value);
  gilk_painter_colour (&p, &style->accent, 1.0);
  cairo_set_line_width (cr, 3.0);
  cairo_move_to (cr, low, middle);
  cairo_line_to (cr, high, middle);
  cairo_stroke (cr);
  cairo_set_line_width (cr, 1.5);
  cairo_move_to (cr, low, middle - 5);
  cairo_line_to (cr, low, middle + 5);
  cairo_move_to (cr, high, middle - 5);
  cairo_line_to (cr, high, middle + 5);
  cairo_stroke (cr);
  cairo_arc (cr, x, middle, 4.5, 0, 2 * G_PI);
  cairo_fill (cr);
}
