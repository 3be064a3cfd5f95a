/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-series.c - values over time as columns of minimum and maximum, or
 * the rate of events
 *
 * Never one path through all points: cairo takes minutes for that. Where points
 * are few, they are drawn as such and joined.
 */
#include "core/plot/gilk-plot-private.h"

#include <math.h>

#define RATE_BIN_PX 3.0
#define DOTS_MAX    400           /* more points than this are columns */

typedef struct {
  double     *rates;              /* event rate: one per bin */
  GilkColumn *columns;            /* values: one per pixel column */
  guint       n;
  double      low, high;          /* of what will be drawn */
  gsize       seen;               /* points in the range */
} Reduced;

static void
reduced_clear (Reduced *r)
{
  g_free (r->rates);
  g_free (r->columns);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reduced, reduced_clear)

/* Breaks of a line are no points. */
static gsize
count_in (const double *times, const double *values, gsize count, double from, double to)
{
  gsize n = 0;

  for (gsize i = 0; i < count && times[i] <= to; i++)
    n += times[i] >= from && (values == NULL || isfinite (values[i]));

  return n;
}

static void
reduce (Reduced *r, const double *times, const double *values, gsize count,
        double from, double to, const GArray *gaps, double px)
{
  *r = (Reduced) { .low = INFINITY, .high = -INFINITY };
  r->seen = count_in (times, values, count, from, to);
  r->n = (guint) MAX (1.0, values != NULL ? px : px / RATE_BIN_PX);

  if (values == NULL)
    {
      r->rates = g_new (double, r->n);
      gilk_rate (times, count, from, to, gaps, r->rates, r->n);
      r->low = 0.0;
      for (guint i = 0; i < r->n; i++)
        r->high = fmax (r->high, r->rates[i]);
      return;
    }

  r->columns = g_new (GilkColumn, r->n);
  gilk_decimate (times, values, count, from, to, r->columns, r->n);
  for (guint i = 0; i < r->n; i++)
    if (r->columns[i].n > 0)
      {
        r->low = MIN (r->low, r->columns[i].min);
        r->high = MAX (r->high, r->columns[i].max);
      }
}

/* Zero is on the axis unless the values keep far away from it. */
static void
set_y_bounds (GilkPlotBounds *b, const Reduced *r, gboolean log_y)
{
  double span = r->high - r->low;

  if (log_y && r->low > 0.0)
    {
      b->y_kind = GILK_AXIS_LOG;
      b->y_from = r->low / 1.2;
      b->y_to = r->high * 1.2;
      return;
    }
  if (!(span > 0.0))
    span = r->high != 0.0 ? fabs (r->high) : 1.0;
  b->y_to = r->high > 0.0 || r->low < 0.0 ? r->high + 0.06 * span : 1.0;
  b->y_from = r->low - 0.06 * span;
  if (r->low >= 0.0 && r->low < 0.5 * r->high)
    b->y_from = 0.0;
  if (r->low == 0.0 && r->high == 0.0)
    b->y_from = 0.0;
}

/* Index of the first bin from @i on that was measured, or of the first that was not. */
static guint
next_bin (const Reduced *r, guint i, gboolean measured)
{
  while (i < r->n && isfinite (r->rates[i]) != measured)
    i++;

  return i;
}

/* A stair over the bins [@first, @end) with the area below it filled. */
static void
draw_stair (const GilkPlotArea *area, GilkPainter *p, const Reduced *r, guint first, guint end)
{
  double step = (area->right - area->left) / r->n;

  cairo_move_to (p->cr, area->left + first * step, area->bottom);
  for (guint i = first; i < end; i++)
    {
      double y = gilk_plot_area_y (area, r->rates[i]);

      cairo_line_to (p->cr, area->left + i * step, y);
      cairo_line_to (p->cr, area->left + (i + 1) * step, y);
    }
  cairo_line_to (p->cr, area->left + end * step, area->bottom);
  cairo_close_path (p->cr);
  gilk_painter_colour (p, &p->style->accent, 0.22);
  cairo_fill (p->cr);

  gilk_painter_colour (p, &p->style->accent, 1.0);
  cairo_set_line_width (p->cr, 1.25);
  for (guint i = first; i < end; i++)
    {
      double y = gilk_plot_area_y (area, r->rates[i]);

      /* Strokes in short pieces: cairo's time grows with the square of a path. */
      if (i % 64 == 0 && i > first)
        {
          cairo_stroke (p->cr);
          cairo_move_to (p->cr, area->left + i * step,
                         gilk_plot_area_y (area, r->rates[i - 1]));
        }
      cairo_line_to (p->cr, area->left + i * step, y);
      cairo_line_to (p->cr, area->left + (i + 1) * step, y);
    }
  cairo_stroke (p->cr);
}

static void
draw_rate (const GilkPlotArea *area, GilkPainter *p, const Reduced *r)
{
  for (guint i = next_bin (r, 0, TRUE); i < r->n;)
    {
      guint end = next_bin (r, i, FALSE);

      draw_stair (area, p, r, i, end);
      i = next_bin (r, end, TRUE);
    }
}

/* One upright rectangle a column, stretched to meet its neighbour's last value
 * where columns touch, so that a slope has no holes. */
static void
draw_columns (const GilkPlotArea *area, GilkPainter *p, const Reduced *r)
{
  double step = (area->right - area->left) / r->n;
  const GilkColumn *before = NULL;

  for (guint i = 0; i < r->n; i++)
    {
      const GilkColumn *column = &r->columns[i];
      double low = column->min, high = column->max, top, bottom;

      if (column->n == 0)
        {
          before = NULL;
          continue;
        }
      if (before != NULL)
        {
          low = MIN (low, before->last);
          high = MAX (high, before->last);
        }
      top = gilk_plot_area_y (area, high);
      bottom = gilk_plot_area_y (area, low);
      if (bottom - top < 1.0)
        {
          top -= 0.5;
          bottom = top + 1.0;
        }
      cairo_rectangle (p->cr, area->left + i * step, top, step, bottom - top);
      before = column;
    }
  cairo_set_antialias (p->cr, CAIRO_ANTIALIAS_NONE);
  gilk_painter_blend (p, &p->style->accent, 0.85);
  cairo_fill (p->cr);
  cairo_set_antialias (p->cr, CAIRO_ANTIALIAS_DEFAULT);
}

static void
draw_points (const GilkPlotArea *area, GilkPainter *p, const double *times,
             const double *values, gsize count)
{
  gboolean begun = FALSE;

  cairo_new_path (p->cr);
  for (gsize i = 0; i < count; i++)
    {
      if (times[i] < area->x.from || times[i] > area->x.to)
        continue;
      if (!isfinite (values[i]))
        {
          cairo_new_sub_path (p->cr);
          continue;
        }
      cairo_line_to (p->cr, gilk_plot_area_x (area, times[i]), gilk_plot_area_y (area, values[i]));
      begun = TRUE;
    }
  if (!begun)
    return;
  cairo_set_line_join (p->cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_width (p->cr, 1.5);
  gilk_painter_colour (p, &p->style->accent, 0.55);
  cairo_stroke (p->cr);

  for (gsize i = 0; i < count; i++)
    {
      if (times[i] < area->x.from || times[i] > area->x.to || !isfinite (values[i]))
        continue;
      cairo_new_sub_path (p->cr);
      cairo_arc (p->cr, gilk_plot_area_x (area, times[i]), gilk_plot_area_y (area, values[i]),
                 0.17 * p->style->size, 0, 2 * G_PI);
    }
  gilk_painter_colour (p, &p->style->accent, 1.0);
  cairo_fill (p->cr);
}

static void
draw_selection (const GilkPlotArea *area, GilkPainter *p, const GilkPlotText *text)
{
  double from = gilk_plot_area_x (area, MAX (text->select_from, area->x.from));
  double to = gilk_plot_area_x (area, MIN (text->select_to, area->x.to));

  if (isnan (text->select_from) || !(to > from))
    return;

  cairo_rectangle (p->cr, from, area->top, to - from, area->bottom - area->top);
  gilk_painter_colour (p, &p->style->accent, 0.10);
  cairo_fill (p->cr);
}

static char *
figures (const Reduced *r, const GilkPlotText *text, gboolean rate, double from, double to)
{
  double hits = (double) r->seen + (rate ? rint (gilk_gaps_lost (text->gaps, from, to)) : 0.0);
  double seconds = gilk_gaps_measured (text->gaps, from, to);
  g_autofree char *n = gilk_format_count (hits);
  g_autofree char *low = NULL, *high = NULL;

  if (r->seen == 0 || !(r->low <= r->high))
    return NULL;
  if (rate && !(seconds > 0.0))
    return NULL;
  if (rate)
    {
      low = gilk_format_si (hits / seconds, NULL, 3);
      high = gilk_format_si (r->high, NULL, 3);
      return g_strdup_printf ("%s event%s · %s/s on average · %s/s at most", n,
                              hits == 1.0 ? "" : "s", low, high);
    }
  low = gilk_format_si (r->low, text->y_unit, 3);
  high = gilk_format_si (r->high, text->y_unit, 3);

  return g_strdup_printf ("%s point%s · min %s · max %s", n, r->seen == 1 ? "" : "s", low, high);
}

/* What the caller says, then the figures. */
static char *
make_subtitle (const Reduced *r, const GilkPlotText *text, gboolean rate, double from, double to)
{
  char *own = figures (r, text, rate, from, to);
  char *both;

  if (own == NULL || text->subtitle == NULL)
    return own != NULL ? own : g_strdup (text->subtitle);
  both = g_strconcat (text->subtitle, " · ", own, NULL);
  g_free (own);

  return both;
}

void
gilk_plot_series (cairo_t             *cr,
                  double               width,
                  double               height,
                  const GilkPlotStyle *style,
                  const GilkPlotText  *text,
                  const double        *times,
                  const double        *values,
                  gsize                count,
                  double               from,
                  double               to)
{
  g_auto(GilkPainter) p = { NULL };
  g_auto(GilkPlotArea) area = { 0 };
  g_auto(Reduced) r = { NULL };
  g_autofree char *subtitle = NULL;
  GilkPlotBounds bounds = { 0 };
  guint legend;

  gilk_painter_init (&p, cr, width, height, style);
  if (!(to > from))
    to = from + 1.0;
  reduce (&r, times, values, count, from, to, text->gaps, MAX (1.0, width - 8 * style->size));
  subtitle = make_subtitle (&r, text, values == NULL, from, to);
  bounds.top = gilk_painter_header (&p, text, subtitle);
  legend = gilk_painter_gap_kinds (text->gaps, from, to);
  if (r.seen == 0 || !(r.low <= r.high))
    {
      gilk_painter_empty (&p, bounds.top, "No samples");
      return;
    }

  set_y_bounds (&bounds, &r, text->log_y);
  bounds.x_from = from;
  bounds.x_to = to;
  bounds.x_unit = text->x_unit != NULL ? text->x_unit : "s";
  bounds.x_label = text->x_label;
  bounds.y_unit = text->y_unit;
  bounds.y_label = text->y_label != NULL || values != NULL ? text->y_label : "events per second";
  bounds.top += gilk_painter_gap_legend_height (&p, legend, bounds.y_label);
  gilk_plot_area_init (&area, &p, &bounds);
  gilk_plot_area_draw (&area, &p, &bounds);
  gilk_painter_gaps (&p, &area, text->gaps);
  gilk_painter_gap_legend (&p, &area, legend, bounds.y_label);
  draw_selection (&area, &p, text);
  if (values == NULL)
    draw_rate (&area, &p, &r);
  else if (r.seen <= DOTS_MAX)
    draw_points (&area, &p, times, values, count);
  else
    draw_columns (&area, &p, &r);
}
