/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-paint.c - paints a plot: the figure from a cached picture, and pointer marks above it
 */
#include "gui/plot/gilk-plot-private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "gui/plot/gilk-plot-readout.h"
#include "gui/base/gilk-style.h"
#include "gui/base/gilk-text.h"

#define SOURCE_MIN_PX 560              /* in narrower plots the marked range replaces the source */

/* @source: (nullable): whose it is */
/* For bars. */
static GilkPlotText
make_bar_text (const GilkPlotData *data,
               const char         *subtitle)
{
  GilkPlotText text = { .title = data->title, .subtitle = subtitle, .loss_note = data->loss_note };

  if (data->comparison_bars != NULL)
    {
      text.neighbour_bars = (const GilkBar *) (gpointer) data->comparison_bars->data;
      text.n_neighbour_bars = data->comparison_bars->len;
    }

  return text;
}

static void
paint_plot (GilkPlotView        *self,
            cairo_t             *cr,
            double               width,
            double               height,
            const GilkPlotStyle *style,
            const char          *source)
{
  const GilkPlotData *data = self->data;
  g_autofree char *whose = gilk_plot_readout_join_texts (source, data->figure != NULL ? data->figure->subtitle : data->subtitle);
  const GilkPlotText text = make_bar_text (data, whose);

  if (data->figure != NULL)
    {
      char *subtitle = data->figure->subtitle;
      g_autofree char *more = gilk_plot_readout_describe_mark (gilk_plot_view_figure (self), &self->mark);
      g_autofree char *all = width < SOURCE_MIN_PX && more != NULL ? gilk_plot_readout_join_texts (source, more) : gilk_plot_readout_join_texts (whose, more);

      data->figure->subtitle = all;
      gilk_plot_figure (cr, width, height, style, data->figure);
      data->figure->subtitle = subtitle;
      return;
    }
  gilk_plot_bars (cr, width, height, style, &text, (const GilkBar *) (gpointer) data->bars->data,
                  data->bars->len);
}

const char *
gilk_plot_view_message (GilkPlotView *self)
{
  if (self->data == NULL)
    return _("Choose a hook on the left.");

  return self->data->figure != NULL ? self->data->figure->message : self->data->message;
}

static void
paint_message (GilkPlotView        *self,
               cairo_t             *cr,
               const GilkPlotStyle *style)
{
  GtkWidget *widget = GTK_WIDGET (self);
  g_autofree char *text = gilk_text_sanitise (gilk_plot_view_message (self));
  g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout (widget, text);
  int room = gtk_widget_get_allocated_width (widget), width, height, side = MIN (60, room / 6);

  pango_layout_set_width (layout, (room - 2 * side) * PANGO_SCALE);
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_alignment (layout, PANGO_ALIGN_CENTER);
  pango_layout_get_pixel_size (layout, &width, &height);
  cairo_set_source_rgb (cr, style->dim.r, style->dim.g, style->dim.b);
  cairo_move_to (cr, side, (gtk_widget_get_allocated_height (widget) - height) / 2.0);
  pango_cairo_show_layout (cr, layout);
}

static void
fill_style (GilkPlotView  *self,
            GilkPlotStyle *style)
{
  gilk_style_fill (GTK_WIDGET (self), style);
  style->background = style->surface;
  style->header_reserve = self->header_reserve;
}

gboolean
gilk_plot_view_frame (GilkPlotView  *self,
                      GilkPlotFrame *frame)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GilkPlotStyle style;

  if (gilk_plot_view_figure (self) == NULL)
    return FALSE;
  fill_style (self, &style);

  return gilk_plot_figure_frame (gtk_widget_get_allocated_width (widget), gtk_widget_get_allocated_height (widget),
                                 &style, self->data->figure, frame);
}

/* Fades everything outside of the range, so that the range stands out. */
static void
paint_span (cairo_t             *cr,
            const GilkPlotStyle *style,
            const GilkPlotFrame *frame,
            double               from,
            double               to)
{
  static const double dashes[] = { 3.0, 3.0 };
  double right = frame->x + frame->width;

  from = CLAMP (from, frame->x, right);
  to = CLAMP (to, frame->x, right);
  cairo_save (cr);
  cairo_rectangle (cr, frame->x, frame->y, from - frame->x, frame->height);
  cairo_rectangle (cr, to, frame->y, right - to, frame->height);
  cairo_set_source_rgba (cr, style->surface.r, style->surface.g, style->surface.b, 0.55);
  cairo_fill (cr);
  cairo_rectangle (cr, floor (from) + 0.5, frame->y + 0.5, MAX (1.0, floor (to - from)), frame->height - 1.0);
  cairo_set_source_rgba (cr, style->accent.r, style->accent.g, style->accent.b, 0.07);
  cairo_fill_preserve (cr);
  cairo_set_line_width (cr, 1.0);
  cairo_set_dash (cr, dashes, G_N_ELEMENTS (dashes), 0.0);
  cairo_set_source_rgba (cr, style->accent.r, style->accent.g, style->accent.b, 0.9);
  cairo_stroke (cr);
  cairo_restore (cr);
}

static void
paint_stop (GilkPlotView        *self,
            cairo_t             *cr,
            const GilkPlotStyle *style,
            const GilkPlotFrame *frame)
{
  double from, to, right = frame->x + frame->width;

  gilk_plot_readout_stop_range (self->data->figure, self->stop, &from, &to);
  from = gilk_plot_frame_px (frame, from);
  to = gilk_plot_frame_px (frame, to);
  if (!(to >= frame->x) || !(from <= right))
    return;
  cairo_rectangle (cr, MAX (from, frame->x), frame->y, MAX (1.0, MIN (to, right) - MAX (from, frame->x)), frame->height);
  cairo_set_source_rgba (cr, style->accent2.r, style->accent2.g, style->accent2.b, 0.30);
  cairo_fill (cr);
}

/* Paints the dragged or marked range, and the read-out position. */
static void
paint_marks (GilkPlotView        *self,
             cairo_t             *cr,
             const GilkPlotStyle *style)
{
  GilkPlotFrame frame;

  if (!gilk_plot_view_frame (self, &frame))
    return;
  if (self->drag == GILK_PLOT_DRAG_SELECT)
    paint_span (cr, style, &frame, MIN (self->drag_from, self->drag_to), MAX (self->drag_from, self->drag_to));
  else if (gilk_selection_is_set (&self->mark))
    paint_span (cr, style, &frame, gilk_plot_frame_px (&frame, self->mark.from), gilk_plot_frame_px (&frame, self->mark.to));
  if (self->drag != GILK_PLOT_DRAG_SELECT && self->stop >= 0)
    paint_stop (self, cr, style, &frame);
}

int
gilk_plot_view_bar_at (GilkPlotView *self,
                       double        y)
{
  const GilkPlotData *data = self->data;
  GtkWidget *widget = GTK_WIDGET (self);
  GilkPlotStyle style;
  GilkPlotText text;

  if (!gilk_plot_view_has_plot (self) || data->figure != NULL)
    return -1;
  fill_style (self, &style);
  text = make_bar_text (data, data->subtitle);

  return gilk_plot_bar_at (gtk_widget_get_allocated_width (widget), gtk_widget_get_allocated_height (widget), &style,
                           &text,
                           (const GilkBar *) (gpointer) data->bars->data, data->bars->len, y);
}

static void
paint_background (cairo_t             *cr,
                  const GilkPlotStyle *style)
{
  cairo_set_source_rgb (cr, style->surface.r, style->surface.g, style->surface.b);
  cairo_paint (cr);
}

static void
paint_picture (GtkWidget *widget,
               cairo_t   *cr)
{
  GilkPlotView *self = GILK_PLOT_VIEW (widget);
  GilkPlotStyle style;

  fill_style (self, &style);
  paint_background (cr, &style);
  paint_plot (self, cr, gtk_widget_get_allocated_width (widget), gtk_widget_get_allocated_height (widget), &style, NULL);
}

gboolean
gilk_plot_view_draw (GtkWidget *widget,
                     cairo_t   *cr)
{
  GilkPlotView *self = GILK_PLOT_VIEW (widget);
  GilkPlotStyle style;

  fill_style (self, &style);
  paint_background (cr, &style);
  if (gilk_plot_view_has_plot (self))
    {
      gilk_cached_picture_draw (&self->picture, widget, cr, paint_picture);
      paint_marks (self, cr, &style);
    }
  else
    {
      gilk_cached_picture_clear (&self->picture);          /* stale by the time there is a plot again */
      paint_message (self, cr, &style);
    }

  return FALSE;
}

void
gilk_plot_view_changed (GilkPlotView *self)
{
  gilk_cached_picture_invalidate (&self->picture, GTK_WIDGET (self));
}

void
gilk_plot_view_paint (GilkPlotView *self,
                      cairo_t      *cr,
                      double        width,
                      double        height)
{
  paint_plot (self, cr, width, height, &gilk_plot_light, self->source);
}
