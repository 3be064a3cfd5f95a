/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-histogram.c - draws the bars of a histogram, with marks at median and p99
 *
 * Bars start and end on whole pixels, one pixel apart if they are wide enough, so that equal counts
 * look equal at any size.
 */
#include "core/plot/gilk-plot-private.h"

#include <glib/gi18n.h>
#include <math.h>

/* Lower end of a logarithmic axis of counts; below 1, so that the bar of a count of 1 is visible */
#define LOG_FLOOR 0.7

/* Returns the caller's subtitle, followed by the statistics. */
static char *
make_subtitle (const GilkPlotText *text, const GilkHistogram *h)
{
  g_autofree char *n = gilk_format_count ((double) h->n);
  g_autofree char *median = gilk_format_si (h->median, text->x_unit, 3);
  g_autofree char *p99 = gilk_format_si (h->p99, text->x_unit, 3);
  g_autofree char *ignored = NULL;

  if (h->n == 0)
    return g_strdup (text->subtitle);
  if (h->ignored > 0)
    {
      g_autofree char *count = gilk_format_count ((double) h->ignored);

      ignored = g_strdup_printf (h->log ? _(" · %s not shown (zero or less)") : _(" · %s not shown"), count);
    }

  return g_strdup_printf (ngettext ("%s%s%s sample · median %s · p99 %s%s",
                                    "%s%s%s samples · median %s · p99 %s%s", h->n),
                          text->subtitle != NULL ? text->subtitle : "",
                          text->subtitle != NULL ? " · " : "", n, median, p99, ignored != NULL ? ignored : "");
}

/* Returns TRUE if all edges of the bins are halfway between integers. */
static gboolean
is_whole (const GilkHistogram *h)
{
  double first = h->edges[0] + 0.5, width = h->edges[1] - h->edges[0];

  return !h->log && first == rint (first) && width == rint (width);
}

/* If all values are equal, widens the bounds of the axis, so that the value is in the middle. */
static void
widen_bounds (GilkPlotBounds *bounds, const GilkHistogram *h)
{
  double ratio = bounds->x_to / bounds->x_from, width = bounds->x_to - bounds->x_from;

  if (h->max > h->min)
    return;
  if (h->log)
    {
      bounds->x_from /= pow (ratio, 5);
      bounds->x_to *= pow (ratio, 5);
      return;
    }
  bounds->x_from -= 5 * width;
  bounds->x_to += 5 * width;
}

static void
set_bounds (GilkPlotBounds *bounds, GilkPainter *p, const GilkPlotText *text,
            const GilkHistogram *h, const char *subtitle)
{
  uint64_t most = 1;

  for (guint i = 0; i < h->n_bins; i++)
    most = MAX (most, h->counts[i]);

  *bounds = (GilkPlotBounds) {
    .x_from = h->edges[0], .x_to = h->edges[h->n_bins],
    .y_from = text->log_y ? LOG_FLOOR : 0.0,
    .y_to = text->log_y ? (double) most * 1.5 : (double) most * 1.04,
    .x_kind = h->log ? GILK_AXIS_LOG : is_whole (h) ? GILK_AXIS_WHOLE : GILK_AXIS_LINEAR,
    .y_kind = text->log_y ? GILK_AXIS_LOG : GILK_AXIS_WHOLE,
    .x_unit = text->x_unit, .x_label = text->x_label,
    .y_label = text->y_label != NULL ? text->y_label : _("samples per bin"),
    .top = gilk_painter_header_height (p, text, subtitle),
    .head_room = 1.6 * p->style->size,
  };
  widen_bounds (bounds, h);
}

static void
draw_bars (const GilkPlotArea *area, GilkPainter *p, const GilkHistogram *h)
{
  gboolean gaps = (area->right - area->left) / h->n_bins >= 5.0;

  for (guint i = 0; i < h->n_bins; i++)
    {
      double left = rint (gilk_plot_area_x (area, h->edges[i]));
      double right = rint (gilk_plot_area_x (area, h->edges[i + 1]));
      double top;

      if (h->counts[i] == 0)
        continue;

      /* makes the bar of a single sample visible next to bars of thousands: at least one pixel
       * high */
      top = rint (gilk_plot_area_y (area, (double) h->counts[i]));
      top = MIN (top, area->bottom - 1);
      if (gaps)
        right -= 1.0;
      cairo_rectangle (p->cr, left, top, MAX (right - left, 1.0), area->bottom - top);
    }
  gilk_painter_blend (p, &p->style->accent, 0.85);
  cairo_fill (p->cr);
}

/* ---- quantile markers ---- */

typedef struct { double x, width, left; char *label; } Marker;

static void
draw_marker (const GilkPlotArea *area, GilkPainter *p, const Marker *marker)
{
  static const double dashes[] = { 2.0, 3.0 };
  const GilkPlotStyle *style = p->style;
  double y = area->top - 0.9 * style->size;

  gilk_painter_line (p, marker->x, area->top - 0.2 * style->size, marker->x, area->bottom);
  cairo_set_dash (p->cr, dashes, G_N_ELEMENTS (dashes), 0);
  gilk_painter_colour (p, &style->accent2, 0.9);
  cairo_stroke (p->cr);
  cairo_set_dash (p->cr, NULL, 0, 0);
  gilk_painter_text (p, marker->left, y, 0.0, marker->label, 0.92, FALSE, 0.0, &style->accent2);
}

/* Draws the marks of the quantiles. Centres each label on its mark, then moves the labels apart,
 * and into the plot area. */
static void
draw_quantiles (const GilkPlotArea *area, GilkPainter *p, const GilkPlotText *text,
                const GilkHistogram *h)
{
  const struct { const char *name; double value; } quantiles[] = {
    { _("median"), h->median }, { "p99", h->p99 },
  };
  Marker m[2];
  double gap = 0.8 * p->style->size;

  if (h->n < 2 || !(h->max > h->min))
    return;

  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *value = gilk_format_si (quantiles[i].value, text->x_unit, 3);

      m[i].label = g_strdup_printf ("%s %s", quantiles[i].name, value);
      m[i].width = gilk_painter_text_width (p, m[i].label, 0.92, FALSE);
      m[i].x = gilk_plot_area_x (area, quantiles[i].value);
      m[i].left = CLAMP (m[i].x - m[i].width / 2, area->left,
                         MAX (area->left, area->right - m[i].width));
    }
  m[1].left = MAX (m[1].left, m[0].left + m[0].width + gap);
  m[1].left = MIN (m[1].left, area->right - m[1].width);
  m[0].left = MIN (m[0].left, m[1].left - gap - m[0].width);

  for (guint i = 0; i < 2; i++)
    {
      if (m[0].left >= 0.0)
        draw_marker (area, p, &m[i]);
      g_free (m[i].label);
    }
}

void
gilk_plot_histogram (cairo_t             *cr,
                     double               width,
                     double               height,
                     const GilkPlotStyle *style,
                     const GilkPlotText  *text,
                     const GilkHistogram *histogram)
{
  g_auto(GilkPainter) p = { NULL };
  g_auto(GilkPlotArea) area = { 0 };
  g_autofree char *subtitle = NULL;
  GilkPlotBounds bounds;
  double top;

  gilk_painter_init (&p, cr, width, height, style);
  subtitle = make_subtitle (text, histogram);
  top = gilk_painter_header (&p, text, subtitle);
  if (histogram->n == 0)
    {
      gilk_painter_empty (&p, top, histogram->ignored > 0 && histogram->log
                          ? _("No samples above zero") : _("No samples"));
      return;
    }

  set_bounds (&bounds, &p, text, histogram, subtitle);
  gilk_plot_area_init (&area, &p, &bounds);
  gilk_plot_area_draw (&area, &p, &bounds);
  draw_bars (&area, &p, histogram);
  draw_quantiles (&area, &p, text, histogram);
}

/* ---- computes the plot's frame, for cursors ---- */

void
gilk_plot_histogram_frame (double               width,
                           double               height,
                           const GilkPlotText  *text,
                           const GilkPlotStyle *style,
                           const GilkHistogram *histogram,
                           GilkPlotFrame       *frame)
{
  g_auto(GilkPainter) p = { NULL };
  g_auto(GilkPlotArea) area = { 0 };
  g_autofree char *subtitle = NULL;
  GilkPlotBounds bounds;

  *frame = (GilkPlotFrame) { 0 };
  if (histogram->n == 0)
    return;

  gilk_painter_init (&p, NULL, width, height, style);
  subtitle = make_subtitle (text, histogram);
  set_bounds (&bounds, &p, text, histogram, subtitle);
  gilk_plot_area_init (&area, &p, &bounds);
  *frame = (GilkPlotFrame) {
    .x = area.left, .y = area.top,
    .width = area.right - area.left, .height = area.bottom - area.top,
    .from = area.x.from, .to = area.x.to, .log_x = histogram->log,
  };
}

double
gilk_plot_frame_x (const GilkPlotFrame *frame,
                   double               px)
{
  double t = frame->width > 0 ? (px - frame->x) / frame->width : 0.0;

  if (frame->log_x)
    return frame->from * pow (frame->to / frame->from, t);

  return frame->from + t * (frame->to - frame->from);
}

double
gilk_plot_frame_px (const GilkPlotFrame *frame,
                    double               x)
{
  double t = frame->log_x ? log (x / frame->from) / log (frame->to / frame->from)
                          : (x - frame->from) / (frame->to - frame->from);

  return frame->x + t * frame->width;
}

double
gilk_plot_frame_y (const GilkPlotFrame *frame,
                   double               py)
{
  double t = frame->height > 0 ? (frame->y + frame->height - py) / frame->height : 0.0;

  if (frame->log_y)
    return frame->y_from * pow (frame->y_to / frame->y_from, t);

  return frame->y_from + t * (frame->y_to - frame->y_from);
}
