/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-rate-line.c - sparkline of a rate during a run
 *
 * The line holds at most POINTS values. When it is full, every second value is dropped, and the
 * minimum time between values doubles.
 */
#include "gui/plot/gilk-plot-view.h"

#include <glib/gi18n.h>

#include "gui/base/gilk-settings.h"
#include "gui/base/gilk-text.h"

#define POINTS 240
#define WIDTH  140
#define HEIGHT 18

typedef struct { double seconds, rate; } Point;

struct _GilkRateLine {
  GtkDrawingArea parent_instance;

  Point  points[POINTS];
  guint  n;
  double min_interval;                /* minimum seconds between points */
  double max_rate;
};

G_DEFINE_TYPE (GilkRateLine, gilk_rate_line, GTK_TYPE_DRAWING_AREA)

static void
halve_points (GilkRateLine *self)
{
  guint kept = 0;

  for (guint i = 0; i < self->n; i += 2)
    self->points[kept++] = self->points[i];
  self->n = kept;
  self->min_interval = 2 * (self->points[kept - 1].seconds - self->points[0].seconds) / (2 * kept);
}

static void
update_description (GilkRateLine *self)
{
  g_autofree char *now = self->n > 0 ? gilk_text_rate (self->points[self->n - 1].rate) : g_strdup ("");
  g_autofree char *most = gilk_text_rate (self->max_rate);
  g_autofree char *text = g_strdup_printf (_("Hit rate during the run: now %s, peak %s"), now[0] != '\0' ? now : "0",
                                           most[0] != '\0' ? most : "0");

  gtk_widget_set_tooltip_text (GTK_WIDGET (self), text);
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self)), text);
}

void
gilk_rate_line_clear (GilkRateLine *self)
{
  self->n = 0;
  self->min_interval = 0;
  self->max_rate = 0;
  gtk_widget_hide (GTK_WIDGET (self));
}

void
gilk_rate_line_add (GilkRateLine *self,
                    double        seconds,
                    double        per_second)
{
  self->max_rate = MAX (self->max_rate, per_second);
  if (self->n > 0 && seconds <= self->points[self->n - 1].seconds + self->min_interval)
    return;
  if (self->n == POINTS)
    halve_points (self);
  self->points[self->n++] = (Point) { seconds, per_second };
  update_description (self);
  gtk_widget_set_visible (GTK_WIDGET (self), self->n > 1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
gilk_rate_line_draw (GtkWidget *widget,
                     cairo_t   *cr)
{
  GilkRateLine *self = GILK_RATE_LINE (widget);
  const double width = gtk_widget_get_allocated_width (widget), height = gtk_widget_get_allocated_height (widget);
  const double from = self->points[0].seconds;
  GilkPlotStyle style;
  double span, x = 0;

  if (self->n < 2)
    return FALSE;
  gilk_style_fill (widget, &style);
  span = self->points[self->n - 1].seconds - from;
  cairo_move_to (cr, 0, height);
  for (guint i = 0; i < self->n; i++)
    {
      x = (self->points[i].seconds - from) / span * width;
      cairo_line_to (cr, x, height - 1 - (height - 3) * (self->max_rate > 0 ? self->points[i].rate / self->max_rate : 0));
    }
  cairo_line_to (cr, x, height);
  cairo_close_path (cr);
  cairo_set_source_rgba (cr, style.accent.r, style.accent.g, style.accent.b, 0.25);
  cairo_fill (cr);
  for (guint i = 0; i < self->n; i++)
    cairo_line_to (cr, (self->points[i].seconds - from) / span * width,
                   height - 1 - (height - 3) * (self->max_rate > 0 ? self->points[i].rate / self->max_rate : 0));
  cairo_set_source_rgb (cr, style.accent.r, style.accent.g, style.accent.b);
  cairo_set_line_width (cr, 1.25);
  cairo_stroke (cr);

  return FALSE;
}

static void
gilk_rate_line_class_init (GilkRateLineClass *klass)
{
  GTK_WIDGET_CLASS (klass)->draw = gilk_rate_line_draw;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), ATK_ROLE_IMAGE);
}

static void
gilk_rate_line_init (GilkRateLine *self)
{
  gtk_widget_set_size_request (GTK_WIDGET (self), WIDTH, HEIGHT);
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
}
