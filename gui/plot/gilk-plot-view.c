/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-view.c - one plot with a read-out under the pointer, zoom and pan
 *
 * The arrow keys move the read-out step by step, and its text is the widget's accessible
 * description, so that a screen reader can read the plot.
 */
#include "gui/plot/gilk-plot-view.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/figure/gilk-selection.h"
#include "gui/base/gilk-object.h"
#include "gui/base/gilk-settings.h"
#include "gui/base/gilk-text.h"
#include "gui/plot/gilk-plot-view-private.h"

#define ZOOM_MIN  1e-9            /* narrowest visible range, as a fraction of the axis */
#define MARGIN_X 90               /* approximate pixels taken by axes and heading */
#define MARGIN_Y 130
#define SOURCE_MIN_PX 560              /* px; in narrower plots, the text about a marked range
                                        * replaces the figure's subtitle */
#define ZOOM_STEP    1.25         /* zoom factor per notch of the wheel */
#define DRAG_MIN_PX  6.0          /* a drag over a shorter distance counts as a click */

typedef enum { GILK_PLOT_DRAG_NONE, GILK_PLOT_DRAG_SELECT, GILK_PLOT_DRAG_PAN } GilkPlotDrag;

struct _GilkPlotView {
  GtkDrawingArea  parent_instance;

  GilkPlotData   *data;
  GilkCachedPicture picture;      /* rendering without dragged range, mark and read-out */
  int             stop;           /* number of the stop (such as a histogram's bin) that is read
                                   * out; -1: none */
  double          all_from, all_to;
  GilkPlotDrag    drag;
  double          drag_from, drag_to;   /* px */
  double          header_reserve; /* pixels at the right end of the heading that are covered by
                                   * other widgets */
  gboolean        can_mark;       /* a drag marks rather than zooms */
  gboolean        marking;        /* arrow keys are marking a range that starts at @mark_at */
  double          mark_at;
  GilkSelectionRange    mark;
  char           *marked;         /* text that describes the marked range */
  char           *source;         /* origin of the data, shown in pictures; nullable */
  double          at;             /* x under the pointer; NaN: the pointer is elsewhere */
};

G_DEFINE_TYPE (GilkPlotView, gilk_plot_view, GTK_TYPE_DRAWING_AREA)

static GilkFigure *
get_figure (GilkPlotView *self)
{
  GilkFigure *figure = self->data != NULL ? self->data->figure : NULL;

  return figure != NULL && figure->message == NULL ? figure : NULL;
}

/* ---- painting the plot ---- */

/* Returns the title and the other texts drawn around the bars. */
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
      g_autofree char *more = gilk_plot_readout_describe_mark (get_figure (self), &self->mark);
      g_autofree char *all = width < SOURCE_MIN_PX && more != NULL ? gilk_plot_readout_join_texts (source, more) : gilk_plot_readout_join_texts (whose, more);

      data->figure->subtitle = all;
      gilk_plot_figure (cr, width, height, style, data->figure);
      data->figure->subtitle = subtitle;
      return;
    }
  gilk_plot_bars (cr, width, height, style, &text, (const GilkBar *) (gpointer) data->bars->data,
                  data->bars->len);
}

static const char *
get_message (GilkPlotView *self)
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
  g_autofree char *text = gilk_text_sanitise (get_message (self));
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

static gboolean
get_frame (GilkPlotView  *self,
           GilkPlotFrame *frame)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GilkPlotStyle style;

  if (get_figure (self) == NULL)
    return FALSE;
  fill_style (self, &style);

  return gilk_plot_figure_frame (gtk_widget_get_allocated_width (widget), gtk_widget_get_allocated_height (widget),
                                 &style, self->data->figure, frame);
}

/* Fades the plot outside of the marked range, so that the range stands out. */
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

  if (!get_frame (self, &frame))
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

static gboolean
draw_view (GtkWidget *widget,
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
      /* Do not show the cached picture of the previous plot. */
      gilk_cached_picture_clear (&self->picture);
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

/* ---- moving the read-out ---- */

static void
announce_text (GilkPlotView *self,
               const char   *text)
{
  atk_object_set_description (gtk_widget_get_accessible (GTK_WIDGET (self)), text);
  g_signal_emit_by_name (self, "read-out", text);
}

static void
show_stop (GilkPlotView *self,
           int           stop)
{
  g_autofree char *text = NULL;

  if (stop == self->stop)
    return;
  self->stop = stop;
  text = stop >= 0 ? gilk_plot_readout_describe (self->data->figure, stop) : g_strdup ("");
  announce_text (self, text);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
show_read_out_at (GilkPlotView *self,
                  double        x,
                  double        y)
{
  g_autofree char *text = NULL;
  GilkPlotFrame frame;

  if (!get_frame (self, &frame) || x < frame.x || x > frame.x + frame.width || y < frame.y ||
      y > frame.y + frame.height)
    {
      self->at = NAN;
      if (get_figure (self) != NULL && self->stop >= 0)
        show_stop (self, -1);
      return;
    }
  self->at = gilk_plot_frame_x (&frame, x);
  if (get_figure (self)->histogram != NULL)
    {
      show_stop (self, gilk_plot_readout_stop_at (self->data->figure, gilk_plot_frame_x (&frame, x)));
      return;
    }
  text = gilk_plot_readout_describe_at (self->data->figure, gilk_plot_frame_x (&frame, x), gilk_plot_frame_y (&frame, y));
  announce_text (self, text);
}

/* ---- zoom and pan ---- */

static double
to_axis_units (const GilkFigure *figure, double value)
{
  return figure->x.scale == GILK_SCALE_LOG ? log (value) : value;
}

static double
from_axis_units (const GilkFigure *figure, double value)
{
  return figure->x.scale == GILK_SCALE_LOG ? exp (value) : value;
}

/* Zooms to a range in axis units, clamped to the whole axis and to a minimum width. */
static void
zoom_to (GilkPlotView *self, double from, double to)
{
  GilkFigure *figure = get_figure (self);
  double low = to_axis_units (figure, self->all_from), high = to_axis_units (figure, self->all_to);
  double width = MIN (to - from, high - low);

  if (!(width > ZOOM_MIN * (high - low)))
    return;
  from = CLAMP (from, low, high - width);
  to = from + width;
  figure->x.from = from_axis_units (figure, from);
  figure->x.to = from_axis_units (figure, to);
  self->stop = -1;
  gilk_plot_view_changed (self);
  if (width >= (high - low) * (1.0 - 1e-9))
    g_signal_emit_by_name (self, "zoomed", (double) NAN, (double) NAN);
  else
    g_signal_emit_by_name (self, "zoomed", figure->x.from, figure->x.to);
}

/* Scales the visible range by @times, around the position at fraction @at (0 to 1). */
static void
zoom (GilkPlotView *self, double times, double at)
{
  GilkFigure *figure = get_figure (self);
  double from, to, middle;

  if (figure == NULL)
    return;
  from = to_axis_units (figure, figure->x.from);
  to = to_axis_units (figure, figure->x.to);
  middle = from + at * (to - from);
  zoom_to (self, middle - (middle - from) * times, middle + (to - middle) * times);
}

static void
pan (GilkPlotView *self, double share)
{
  GilkFigure *figure = get_figure (self);
  double from, to;

  if (figure == NULL)
    return;
  from = to_axis_units (figure, figure->x.from);
  to = to_axis_units (figure, figure->x.to);
  zoom_to (self, from + share * (to - from), to + share * (to - from));
}

void
gilk_plot_view_show_all (GilkPlotView *self)
{
  GilkFigure *figure = get_figure (self);

  /* No figure was computed, because the zoomed range lacks data: ask the owner to reset the
   * zoom. */
  if (figure == NULL)
    g_signal_emit_by_name (self, "zoomed", (double) NAN, (double) NAN);
  else
    zoom_to (self, to_axis_units (figure, self->all_from), to_axis_units (figure, self->all_to));
}

/* ---- setting and getting what the plot shows ---- */

gboolean
gilk_plot_view_has_plot (GilkPlotView *self)
{
  if (self->data == NULL)
    return FALSE;

  return self->data->figure != NULL ? self->data->figure->message == NULL : self->data->message == NULL;
}

void
gilk_plot_view_set_data (GilkPlotView *self,
                         GilkPlotData *data,
                         gboolean      whole)
{
  const char *title = data->figure != NULL ? data->figure->title : data->title;

  g_clear_pointer (&self->data, gilk_plot_data_free);
  self->data = data;
  self->stop = -1;
  if (whole && data->figure != NULL)
    {
      self->all_from = data->figure->x.from;
      self->all_to = data->figure->x.to;
    }
  if (title != NULL)
    atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self)), title);
  if (!gilk_plot_view_has_plot (self))
    atk_object_set_description (gtk_widget_get_accessible (GTK_WIDGET (self)), get_message (self));
  gilk_plot_view_changed (self);
}

GilkPlotData *
gilk_plot_view_data (GilkPlotView *self)
{
  return self->data;
}

void
gilk_plot_view_set_range (GilkPlotView *self,
                          double        from,
                          double        to)
{
  GilkFigure *figure = get_figure (self);

  if (figure == NULL)
    return;
  from = isnan (from) ? self->all_from : from;
  to = isnan (to) ? self->all_to : to;
  if (figure->x.from == from && figure->x.to == to)
    return;
  figure->x.from = from;
  figure->x.to = to;
  self->stop = -1;
  gilk_plot_view_changed (self);
}

void
gilk_plot_view_set_mark (GilkPlotView *self,
                         double        from,
                         double        to)
{
  g_autofree char *words = NULL, *before = g_steal_pointer (&self->marked);
  AtkObject *accessible = gtk_widget_get_accessible (GTK_WIDGET (self));

  self->mark = (GilkSelectionRange) { from, to };
  words = gilk_plot_readout_describe_mark (get_figure (self), &self->mark);
  if (words != NULL && g_strcmp0 (words, before) != 0)
    announce_text (self, words);
  else if (words == NULL && before != NULL && g_strcmp0 (before, atk_object_get_description (accessible)) == 0)
    announce_text (self, "");
  if (g_strcmp0 (words, before) != 0)           /* @words are part of the cached picture */
    gilk_plot_view_changed (self);
  self->marked = g_steal_pointer (&words);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

GilkSelectionRange
gilk_plot_view_position (GilkPlotView *self)
{
  GilkSelectionRange stop = { NAN, NAN };

  if (gilk_selection_is_set (&self->mark))
    return self->mark;
  if (self->stop >= 0 && get_figure (self) != NULL)
    gilk_plot_readout_stop_range (self->data->figure, self->stop, &stop.from, &stop.to);
  else
    stop.from = self->at;

  return (GilkSelectionRange) { stop.from, stop.from };
}

void
gilk_plot_view_set_header_reserve (GilkPlotView *self,
                                   double        header_reserve)
{
  if (self->header_reserve == header_reserve)
    return;
  self->header_reserve = header_reserve;
  gilk_plot_view_changed (self);
}

void
gilk_plot_view_set_can_mark (GilkPlotView *self,
                             gboolean      marks)
{
  self->can_mark = marks;
}

void
gilk_plot_view_set_full_range (GilkPlotView *self,
                               double        from,
                               double        to)
{
  self->all_from = from;
  self->all_to = to;
}

void
gilk_plot_view_set_source (GilkPlotView *self,
                           const char   *source)
{
  g_free (self->source);
  self->source = g_strdup (source);
}

void
gilk_plot_view_add_caption (GilkPlotView *self,
                            const char   *words)
{
  g_autofree char *marked = gilk_plot_readout_describe_mark (get_figure (self), &self->mark), *both = NULL;

  if (get_figure (self) == NULL)
    return;
  gilk_figure_prepend_caption (self->data->figure, words);
  both = gilk_plot_readout_join_texts (marked, words);
  if (self->stop < 0)
    atk_object_set_description (gtk_widget_get_accessible (GTK_WIDGET (self)), both);
  gilk_plot_view_changed (self);
}

void
gilk_plot_view_pixel_size (GilkPlotView *self,
                           guint        *columns,
                           guint        *rows)
{
  GtkWidget *widget = GTK_WIDGET (self);
  int scale = gtk_widget_get_scale_factor (widget);

  *columns = (guint) (MAX (gtk_widget_get_allocated_width (widget) - MARGIN_X, 200) * scale);
  *rows = (guint) (MAX (gtk_widget_get_allocated_height (widget) - MARGIN_Y, 100) * scale);
}

void
gilk_plot_view_picture_size (GilkPlotView *self,
                             guint        *width,
                             guint        *height)
{
  *width = (guint) MAX (gtk_widget_get_allocated_width (GTK_WIDGET (self)), 100);
  *height = (guint) MAX (gtk_widget_get_allocated_height (GTK_WIDGET (self)), 80);
}

/* Paints the cached picture again after a change of the theme or of settings. */
static void
gilk_plot_view_style_updated (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (gilk_plot_view_parent_class)->style_updated (widget);
  gilk_plot_view_changed (GILK_PLOT_VIEW (widget));
}

/* ---- pointer and keys ---- */

/* Clears the mark, or resets the zoom if nothing is marked. */
static void
clear_mark_or_zoom (GilkPlotView *self)
{
  if (gilk_selection_is_set (&self->mark))
    g_signal_emit_by_name (self, "marked", (double) NAN, (double) NAN);
  else
    gilk_plot_view_show_all (self);
}

static gboolean
handle_button_press (GtkWidget      *widget,
                     GdkEventButton *event)
{
  GilkPlotView *self = GILK_PLOT_VIEW (widget);
  GilkPlotFrame frame;

  gtk_widget_grab_focus (widget);
  if (get_figure (self) == NULL)
    return GDK_EVENT_PROPAGATE;
  if (event->type == GDK_2BUTTON_PRESS)
    {
      self->drag = GILK_PLOT_DRAG_NONE;
      if (get_frame (self, &frame) && event->y < frame.y)
        g_signal_emit_by_name (self, "alone");
      else
        clear_mark_or_zoom (self);
      return GDK_EVENT_STOP;
    }
  if (event->type != GDK_BUTTON_PRESS || event->button > 2)
    return GDK_EVENT_PROPAGATE;
  self->drag = event->button == 2 || (event->state & GDK_SHIFT_MASK) != 0 ? GILK_PLOT_DRAG_PAN : GILK_PLOT_DRAG_SELECT;
  self->drag_from = self->drag_to = event->x;

  return GDK_EVENT_STOP;
}

static void
continue_drag (GilkPlotView *self, double x)
{
  GilkPlotFrame frame;

  if (self->drag == GILK_PLOT_DRAG_PAN && get_frame (self, &frame))
    {
      pan (self, (self->drag_to - x) / frame.width);
      self->drag_to = x;
      return;
    }
  self->drag_to = x;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
handle_motion (GtkWidget      *widget,
               GdkEventMotion *event)
{
  GilkPlotView *self = GILK_PLOT_VIEW (widget);

  if (self->drag != GILK_PLOT_DRAG_NONE)
    continue_drag (self, event->x);
  else
    show_read_out_at (self, event->x, event->y);

  return GDK_EVENT_PROPAGATE;
}

/* Marks the dragged range if marks are enabled, otherwise zooms to the range. */
static void
apply_drag (GilkPlotView        *self,
            const GilkPlotFrame *frame)
{
  double left = MAX (MIN (self->drag_from, self->drag_to), frame->x);
  double right = MIN (MAX (self->drag_from, self->drag_to), frame->x + frame->width);
  GilkSelectionRange span = { gilk_plot_frame_x (frame, left), gilk_plot_frame_x (frame, right) };
  const GilkFigure *figure = self->data->figure;

  if (!self->can_mark)
    {
      zoom_to (self, to_axis_units (figure, span.from), to_axis_units (figure, span.to));
      return;
    }
  gilk_selection_snap (figure, &span);
  g_signal_emit_by_name (self, "marked", span.from, span.to);
}

static gboolean
handle_button_release (GtkWidget      *widget,
                       GdkEventButton *event)
{
  GilkPlotView *self = GILK_PLOT_VIEW (widget);
  GilkPlotDrag drag = self->drag;
  GilkPlotFrame frame;

  self->drag = GILK_PLOT_DRAG_NONE;
  gtk_widget_queue_draw (widget);
  if (drag == GILK_PLOT_DRAG_SELECT && get_frame (self, &frame) && fabs (self->drag_to - self->drag_from) >= DRAG_MIN_PX)
    apply_drag (self, &frame);

  return drag != GILK_PLOT_DRAG_NONE ? GDK_EVENT_STOP : GDK_EVENT_PROPAGATE;
}

static gboolean
handle_scroll (GtkWidget      *widget,
               GdkEventScroll *event)
{
  GilkPlotView *self = GILK_PLOT_VIEW (widget);
  double dx = 0.0, dy = event->direction == GDK_SCROLL_UP ? -1.0 : event->direction == GDK_SCROLL_DOWN ? 1.0 : 0.0;
  GilkPlotFrame frame;

  if (!get_frame (self, &frame))
    return GDK_EVENT_PROPAGATE;
  if (event->direction == GDK_SCROLL_SMOOTH)
    gdk_event_get_scroll_deltas ((GdkEvent *) event, &dx, &dy);
  if (event->direction == GDK_SCROLL_LEFT || event->direction == GDK_SCROLL_RIGHT)
    dx = event->direction == GDK_SCROLL_LEFT ? -1.0 : 1.0;
  if ((event->state & GDK_SHIFT_MASK) != 0)
    {
      dx += dy;
      dy = 0.0;
    }
  if (dx != 0.0)
    pan (self, 0.1 * dx);
  if (dy != 0.0)
    zoom (self, pow (ZOOM_STEP, dy), CLAMP ((event->x - frame.x) / frame.width, 0.0, 1.0));

  return GDK_EVENT_STOP;
}

static gboolean
handle_leave (GtkWidget        *widget,
              GdkEventCrossing *event)
{
  GilkPlotView *self = GILK_PLOT_VIEW (widget);

  self->at = NAN;
  if (get_figure (self) != NULL && self->drag == GILK_PLOT_DRAG_NONE)
    show_stop (self, -1);

  return GDK_EVENT_PROPAGATE;
}

/* Extends the mark by one stop, starting at the read-out position (Shift and an arrow key). */
static void
extend_mark (GilkPlotView *self,
             int           step)
{
  const GilkFigure *figure = self->data->figure;
  int last = (int) gilk_plot_readout_n_stops (figure) - 1, before = MAX (self->stop, 0);
  int next = CLAMP (before + step, 0, last);
  double a, b, c, d;

  if (!self->can_mark || last < 1)
    return;
  gilk_plot_readout_stop_range (figure, (guint) before, &a, &b);
  gilk_plot_readout_stop_range (figure, (guint) next, &c, &d);
  if (!gilk_selection_is_set (&self->mark) || !self->marking)
    self->mark_at = step > 0 ? a : b;
  show_stop (self, next);
  self->marking = TRUE;
  c = self->mark_at < d ? d : c;
  if (c != self->mark_at)
    g_signal_emit_by_name (self, "marked", MIN (self->mark_at, c), MAX (self->mark_at, c));
}

static gboolean
move_position (GilkPlotView *self,
               guint         state,
               int           step)
{
  GilkFigure *figure = get_figure (self);

  if (figure == NULL)
    return FALSE;
  if ((state & GDK_CONTROL_MASK) != 0)
    pan (self, 0.2 * step);
  else if ((state & GDK_SHIFT_MASK) != 0)
    extend_mark (self, step);
  else
    {
      self->marking = FALSE;
      show_stop (self, CLAMP (self->stop + step, 0, (int) gilk_plot_readout_n_stops (figure) - 1));
    }

  return TRUE;
}

static gboolean
emit_key_signal (GilkPlotView *self,
                 guint         key)
{
  const char *name;

  if (key == GDK_KEY_Z || key == GDK_KEY_BackSpace)
    name = "undo";
  else if (key == GDK_KEY_Return || key == GDK_KEY_KP_Enter)
    name = "enter";
  else if (key == GDK_KEY_f || key == GDK_KEY_F)
    name = "alone";
  else if (key == GDK_KEY_n || key == GDK_KEY_N)
    name = "note";
  else
    return FALSE;
  g_signal_emit_by_name (self, name);

  return TRUE;
}

static gboolean
handle_key_press (GtkWidget   *widget,
                  GdkEventKey *event)
{
  GilkPlotView *self = GILK_PLOT_VIEW (widget);
  guint key = event->keyval;
  int step = key == GDK_KEY_Right ? 1 : key == GDK_KEY_Left ? -1 : 0;

  if (step != 0 && move_position (self, event->state, step))
    return GDK_EVENT_STOP;
  if (key == GDK_KEY_plus || key == GDK_KEY_equal || key == GDK_KEY_KP_Add)
    zoom (self, 1.0 / (ZOOM_STEP * ZOOM_STEP), 0.5);
  else if (key == GDK_KEY_minus || key == GDK_KEY_KP_Subtract)
    zoom (self, ZOOM_STEP * ZOOM_STEP, 0.5);
  else if (key == GDK_KEY_0 || key == GDK_KEY_KP_0 || key == GDK_KEY_Escape)
    clear_mark_or_zoom (self);
  else if ((event->state & GDK_CONTROL_MASK) != 0 || !emit_key_signal (self, key))
    return GTK_WIDGET_CLASS (g_type_class_peek (GTK_TYPE_DRAWING_AREA))->key_press_event (widget, event);

  return GDK_EVENT_STOP;
}

/* ---- GObject life cycle ---- */

static void
gilk_plot_view_finalize (GObject *object)
{
  g_clear_pointer (&GILK_PLOT_VIEW (object)->data, gilk_plot_data_free);
  gilk_cached_picture_clear (&GILK_PLOT_VIEW (object)->picture);
  g_free (GILK_PLOT_VIEW (object)->marked);
  g_free (GILK_PLOT_VIEW (object)->source);
  G_OBJECT_CLASS (gilk_plot_view_parent_class)->finalize (object);
}

static void
gilk_plot_view_class_init (GilkPlotViewClass *klass)
{
  static const char *const keys[] = { "undo", "enter", "alone", "note" };   /* without parameters */
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gilk_plot_view_finalize;
  widget_class->draw = draw_view;
  widget_class->style_updated = gilk_plot_view_style_updated;
  widget_class->motion_notify_event = handle_motion;
  widget_class->leave_notify_event = handle_leave;
  widget_class->button_press_event = handle_button_press;
  widget_class->button_release_event = handle_button_release;
  widget_class->scroll_event = handle_scroll;
  widget_class->key_press_event = handle_key_press;
  gilk_add_signal (klass, "read-out", 1, G_TYPE_STRING);
  gilk_add_signal (klass, "zoomed", 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  gilk_add_signal (klass, "marked", 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gilk_add_signal (klass, keys[i], 0);
}

static void
gilk_plot_view_init (GilkPlotView *self)
{
  self->stop = -1;
  self->mark = (GilkSelectionRange) { NAN, NAN };
  self->at = NAN;
  gtk_widget_set_can_focus (GTK_WIDGET (self), TRUE);
  gtk_widget_add_events (GTK_WIDGET (self), GDK_POINTER_MOTION_MASK | GDK_LEAVE_NOTIFY_MASK | GDK_KEY_PRESS_MASK |
                         GDK_BUTTON_PRESS_MASK | GDK_BUTTON_RELEASE_MASK | GDK_SCROLL_MASK | GDK_SMOOTH_SCROLL_MASK);
}
