/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-curves.c - draws the curves of a figure
 *
 * Each curve has its own colour and dash, so that curves differ in greyscale, too.
 */
#include "core/plot/gilk-plot-private.h"

#include <math.h>

#define LINE_PX   1.6
#define PIECE     64              /* points per stroke: the time that cairo takes is quadratic in
                                   * the number of points */
#define DOTS_MAX  400             /* points of a curve are marked with dots if there are at most
                                   * this many */
#define LEAST_PX  2.0             /* minimum height in px of the bar that shows a range of values,
                                   * so that the bar stays visible */
#define NEAR_PX   0.25            /* points that are closer together than this, in px, are merged */

static const struct { int n; double lengths[6]; } dashes[GILK_FIGURE_CURVES_MAX] = {
  { 0, { 0 } }, { 2, { 7, 3 } }, { 2, { 2, 2 } }, { 4, { 9, 3, 2, 3 } },
  { 2, { 12, 4 } }, { 6, { 7, 2, 2, 2, 2, 2 } }, { 2, { 4, 4 } }, { 2, { 1, 3 } },
};

/* ---- a pen that strokes in pieces and continues the dashes across them ---- */

typedef struct {
  GilkPainter *p;
  guint        curve, n;
  double       x, y, length, begun;
  gboolean     down;
} Pen;

static void
pen_stroke (Pen *pen)
{
  cairo_set_dash (pen->p->cr, dashes[pen->curve].lengths, dashes[pen->curve].n, pen->begun);
  cairo_stroke (pen->p->cr);
  pen->begun = pen->length;
  pen->n = 0;
}

static void
pen_up (Pen *pen)
{
  if (pen->down)
    pen_stroke (pen);
  pen->down = FALSE;
}

static void
pen_to (Pen *pen, double x, double y)
{
  if (!pen->down)
    {
      cairo_move_to (pen->p->cr, x, y);
      pen->down = TRUE;
    }
  else
    {
      if (fabs (x - pen->x) < NEAR_PX && fabs (y - pen->y) < NEAR_PX)
        return;
      cairo_line_to (pen->p->cr, x, y);
      pen->length += hypot (x - pen->x, y - pen->y);
      if (++pen->n >= PIECE)
        {
          pen_stroke (pen);
          cairo_move_to (pen->p->cr, x, y);
        }
    }
  pen->x = x;
  pen->y = y;
}

static Pen
pen_take (GilkPainter *p, guint curve)
{
  cairo_set_line_width (p->cr, LINE_PX);
  cairo_set_line_join (p->cr, CAIRO_LINE_JOIN_ROUND);
  gilk_painter_colour (p, &p->style->series[curve], 1.0);

  return (Pen) { .p = p, .curve = curve };
}

static void
pen_put_away (Pen *pen)
{
  pen_up (pen);
  cairo_set_dash (pen->p->cr, NULL, 0, 0);
}

void
gilk_painter_curve_sign (GilkPainter *p,
                         guint        i,
                         double       x,
                         double       y,
                         double       width)
{
  Pen pen = pen_take (p, i);

  pen_to (&pen, x, y);
  pen_to (&pen, x + width, y);
  pen_put_away (&pen);
}

/* ---- draws each kind of curve ---- */

static double
get_y (const GilkPlotArea *area, double value)
{
  double y = gilk_plot_area_y (area, value);

  return isfinite (y) ? CLAMP (y, area->top - 1e4, area->bottom + 1e4) : area->bottom;
}

static void
trace_dot (GilkPainter *p, double x, double y)
{
  cairo_new_sub_path (p->cr);
  cairo_arc (p->cr, x, y, 0.2 * p->style->size, 0, 2 * G_PI);
}

static void
draw_dots (GilkPainter *p, const GilkPlotArea *area, const GilkCurve *curve, guint i)
{
  for (guint k = 0; k < curve->n; k++)
    if (isfinite (curve->y[k]))
      trace_dot (p, gilk_plot_area_x (area, curve->x[k]), get_y (area, curve->y[k]));
  gilk_painter_colour (p, &p->style->series[i], 1.0);
  cairo_fill (p->cr);
}

static void
draw_line (GilkPainter *p, const GilkPlotArea *area, const GilkCurve *curve, guint i)
{
  Pen pen = pen_take (p, i);

  for (guint k = 0; k < curve->n; k++)
    if (isfinite (curve->y[k]))
      pen_to (&pen, gilk_plot_area_x (area, curve->x[k]), get_y (area, curve->y[k]));
    else
      pen_up (&pen);
  pen_put_away (&pen);
  if (curve->n <= 60)
    draw_dots (p, area, curve, i);
}

/* Fills the area below a curve of steps. The fill is translucent unless the curve is @alone, so
 * that other curves remain visible. */
static void
fill_steps (GilkPainter *p, const GilkPlotArea *area, const GilkCurve *curve, guint i, gboolean alone)
{
  for (guint k = 0; k < curve->n; k++)
    {
      double left = gilk_plot_area_x (area, curve->x[k]), right = gilk_plot_area_x (area, curve->x[k + 1]);
      double top = isfinite (curve->y[k]) ? get_y (area, curve->y[k]) : area->bottom;

      if (top < area->bottom)
        cairo_rectangle (p->cr, left, top, right - left, area->bottom - top);
    }
  if (alone)
    gilk_painter_blend (p, &p->style->series[i], 0.22);
  else
    gilk_painter_colour (p, &p->style->series[i], 0.16);
  cairo_set_antialias (p->cr, CAIRO_ANTIALIAS_NONE);
  cairo_fill (p->cr);
  cairo_set_antialias (p->cr, CAIRO_ANTIALIAS_DEFAULT);
}

/* Draws a curve of steps. The line goes down to the axis at both sides of missing values and,
 * unless the curve is @open_ended, at both ends of the curve. */
static void
draw_steps (GilkPainter *p, const GilkPlotArea *area, const GilkCurve *curve, guint i, gboolean alone)
{
  Pen pen;

  fill_steps (p, area, curve, i, alone);
  pen = pen_take (p, i);
  for (guint k = 0; k < curve->n; k++)
    {
      double left = gilk_plot_area_x (area, curve->x[k]), right = gilk_plot_area_x (area, curve->x[k + 1]);
      double y;

      if (!isfinite (curve->y[k]))
        {
          if (pen.down)
            pen_to (&pen, left, area->bottom);
          pen_up (&pen);
          continue;
        }
      y = get_y (area, curve->y[k]);
      if (!pen.down && !(curve->open_ended && k == 0))
        pen_to (&pen, left, area->bottom);
      pen_to (&pen, left, y);
      pen_to (&pen, right, y);
    }
  if (pen.down && !curve->open_ended)
    pen_to (&pen, pen.x, area->bottom);
  pen_put_away (&pen);
}

static void
draw_stair (GilkPainter *p, const GilkPlotArea *area, const GilkCurve *curve, guint i)
{
  Pen pen = pen_take (p, i);
  double y = area->y.log ? area->top : area->bottom;

  for (guint k = 0; k < curve->n; k++)
    {
      double x = gilk_plot_area_x (area, curve->x[k]);

      if (area->y.log && k == 0)
        y = get_y (area, 100.0);
      pen_to (&pen, x, y);
      y = isfinite (curve->y[k]) ? get_y (area, curve->y[k]) : area->bottom;
      pen_to (&pen, x, y);
    }
  if (!area->y.log)
    pen_to (&pen, area->right, y);
  pen_put_away (&pen);
}

static double
get_share (const GilkCurve *curve, guint k)
{
  return isfinite (curve->y[k]) ? curve->y[k] : 0.0;
}

/* Draws a band around the curve: the curve would lie in it if no samples had been lost, because a
 * lost sample may have any value. */
static void
draw_share_band (GilkPainter *p, const GilkPlotArea *area, const GilkCurve *curve, guint i)
{
  double n = (double) curve->samples, all = n + (double) curve->lost;
  double spare = 100.0 * (double) curve->lost / all;

  if (curve->n == 0)
    return;
  /* Draws the band's upper edge from left to right, then the lower edge back. */
  for (guint k = 0; k < curve->n; k++)
    {
      double y = MAX (get_y (area, get_share (curve, k) * n / all + spare), area->top);

      cairo_line_to (p->cr, gilk_plot_area_x (area, curve->x[k]), y);
      cairo_line_to (p->cr, k + 1 < curve->n ? gilk_plot_area_x (area, curve->x[k + 1]) : area->right, y);
    }
  for (guint k = curve->n; k-- > 0;)
    {
      double low = get_share (curve, k) * n / all;
      double y = area->y.log && !(low > 0.0) ? area->bottom : MIN (get_y (area, low), area->bottom);

      cairo_line_to (p->cr, k + 1 < curve->n ? gilk_plot_area_x (area, curve->x[k + 1]) : area->right, y);
      cairo_line_to (p->cr, gilk_plot_area_x (area, curve->x[k]), y);
    }
  cairo_close_path (p->cr);
  gilk_painter_colour (p, &p->style->series[i], 0.20);
  cairo_fill (p->cr);
}

static guint
count_finite (const GilkCurve *curve)
{
  guint n = 0;

  for (guint k = 0; k < curve->n; k++)
    n += isfinite (curve->y[k]) != 0;

  return n;
}

static void
draw_range (GilkPainter *p, const GilkPlotArea *area, const GilkCurve *curve, guint i, gboolean alone)
{
  double step = (area->right - area->left) / MAX (curve->n, 1);

  for (guint k = 0; k < curve->n; k++)
    {
      double x = gilk_plot_area_x (area, curve->x[k]), top, bottom;

      if (!isfinite (curve->y[k]))
        continue;
      top = MAX (get_y (area, curve->y2[k]), area->top);
      bottom = MIN (area->y.log && !(curve->y[k] > 0.0) ? area->bottom : get_y (area, curve->y[k]), area->bottom);
      if (bottom - top < LEAST_PX)
        {
          top = (top + bottom - LEAST_PX) / 2;
          bottom = top + LEAST_PX;
        }
      cairo_rectangle (p->cr, x - step / 2, top, step, bottom - top);
    }
  cairo_set_antialias (p->cr, CAIRO_ANTIALIAS_NONE);
  if (alone)
    gilk_painter_blend (p, &p->style->series[i], 0.85);
  else
    gilk_painter_colour (p, &p->style->series[i], 0.6);
  cairo_fill (p->cr);
  cairo_set_antialias (p->cr, CAIRO_ANTIALIAS_DEFAULT);
}

/* Draws a curve that has few values: each value as a dot, and a line between two dots unless there
 * is a gap between them. */
static void
draw_points (GilkPainter *p, const GilkPlotArea *area, const GilkCurve *curve, guint i, const GArray *gaps)
{
  Pen pen = pen_take (p, i);
  double before = NAN;

  cairo_set_line_width (p->cr, 1.2);
  gilk_painter_blend (p, &p->style->series[i], 0.55);
  for (guint k = 0; k < curve->n; k++)
    {
      if (!isfinite (curve->y[k]))
        continue;
      if (!isnan (before) && gilk_gaps_touch (gaps, before, curve->x[k]))
        pen_up (&pen);
      pen_to (&pen, gilk_plot_area_x (area, curve->x[k]), get_y (area, curve->y2[k]));
      before = curve->x[k];
    }
  pen_put_away (&pen);
  for (guint k = 0; k < curve->n; k++)
    if (isfinite (curve->y[k]))
      trace_dot (p, gilk_plot_area_x (area, curve->x[k]), get_y (area, curve->y2[k]));
  gilk_painter_colour (p, &p->style->series[i], 1.0);
  cairo_fill (p->cr);
}

static void
draw_stems (GilkPainter *p, const GilkPlotArea *area, const GilkCurve *curve, guint i)
{
  double ground = get_y (area, 0.0);

  for (guint k = 0; k < curve->n; k++)
    if (isfinite (curve->y[k]))
      {
        double x = gilk_plot_area_x (area, curve->x[k]);

        cairo_move_to (p->cr, x, ground);
        cairo_line_to (p->cr, x, get_y (area, curve->y[k]));
      }
  gilk_painter_colour (p, &p->style->series[i], 1.0);
  cairo_set_line_width (p->cr, LINE_PX);
  cairo_stroke (p->cr);
  draw_dots (p, area, curve, i);
}

static void
draw_levels (GilkPainter *p, const GilkPlotArea *area, const GArray *levels)
{
  static const double lengths[] = { 4.0, 3.0 };
  double zero = gilk_axis_position (&area->y, 0.0);

  if (zero > 0.0 && zero < 1.0)
    gilk_painter_line (p, area->left, get_y (area, 0.0), area->right, get_y (area, 0.0));
  cairo_set_line_width (p->cr, 1.0);
  gilk_painter_colour (p, &p->style->dim, 0.7);
  cairo_stroke (p->cr);
  for (guint i = 0; i < levels->len; i++)
    {
      double y = get_y (area, g_array_index (levels, double, i));

      gilk_painter_line (p, area->left, y, area->right, y);
    }
  cairo_set_dash (p->cr, lengths, G_N_ELEMENTS (lengths), 0);
  cairo_stroke (p->cr);
  cairo_set_dash (p->cr, NULL, 0, 0);
}

void
gilk_painter_curves (GilkPainter        *p,
                     const GilkPlotArea *area,
                     const GilkFigure   *figure)
{
  gboolean alone = figure->curves->len == 1;

  cairo_save (p->cr);
  cairo_rectangle (p->cr, area->left - 3, area->top - 3, area->right - area->left + 6,
                   area->bottom - area->top + 4);
  cairo_clip (p->cr);
  if (figure->levels != NULL)
    draw_levels (p, area, figure->levels);
  for (guint i = 0; i < figure->curves->len; i++)
    {
      const GilkCurve *curve = g_ptr_array_index (figure->curves, i);
      guint n = count_finite (curve);

      cairo_new_path (p->cr);
      if (figure->share_band && curve->lost > 0 && curve->samples > 0)
        draw_share_band (p, area, curve, i);
      switch (curve->kind)
        {
        case GILK_CURVE_STEPS:
          draw_steps (p, area, curve, i, alone);
          break;
        case GILK_CURVE_STAIR:
          draw_stair (p, area, curve, i);
          break;
        case GILK_CURVE_STEMS:
          draw_stems (p, area, curve, i);
          break;
        case GILK_CURVE_RANGE:
          if (n <= DOTS_MAX && n <= curve->n / 2)
            draw_points (p, area, curve, i, figure->gaps);
          else
            draw_range (p, area, curve, i, alone);
          break;
        case GILK_CURVE_LINE:
        default:
          draw_line (p, area, curve, i);
          break;
        }
    }
  cairo_restore (p->cr);
}
