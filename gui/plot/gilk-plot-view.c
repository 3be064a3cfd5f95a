/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-view.c - one plot with a read-out under the pointer, zoom and pan
 *
 * The arrow keys move the read-out step by step, and its text is the widget's accessible
 * description, so that a screen reader can read the plot.
 */
#include "gui/plot/gilk-plot-private.h"

#include <math.h>

#include "gui/plot/gilk-plot-readout.h"
#include "gui/base/gilk-text.h"

#define ZOOM_MIN  1e-9            /* smallest zoom, as a fraction of the whole axis */
#define MARGIN_X 90               /* approximate px taken by axes and heading */
#define MARGIN_Y 130

G_DEFINE_TYPE (GilkPlotView, gilk_plot_view, GTK_TYPE_DRAWING_AREA)

guint gilk_plot_view_signals[GILK_PLOT_VIEW_N_SIGNALS];

GilkFigure *
gilk_plot_view_figure (GilkPlotView *self)
{
  GilkFigure *figure = self->data != NULL ? self->data->figure : NULL;

  return figure != NULL && figure->message == NULL ? figure : NULL;
}

/* ---- read-out ---- */

static void
announce_text (GilkPlotView *self,
               const char   *text)
{
  atk_object_set_description (gtk_widget_get_accessible (GTK_WIDGET (self)), text);
  g_signal_emit (self, gilk_plot_view_signals[GILK_PLOT_VIEW_READ_OUT], 0, text);
}

void
gilk_plot_view_show_stop (GilkPlotView *self,
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

void
gilk_plot_view_show_read_out_at (GilkPlotView *self,
                                 double        x,
                                 double        y)
{
  g_autofree char *text = NULL;
  GilkPlotFrame frame;

  if (!gilk_plot_view_frame (self, &frame) || x < frame.x || x > frame.x + frame.width || y < frame.y ||
      y > frame.y + frame.height)
    {
      self->at = NAN;
      if (gilk_plot_view_figure (self) != NULL && self->stop >= 0)
        gilk_plot_view_show_stop (self, -1);
      return;
    }
  self->at = gilk_plot_frame_x (&frame, x);
  if (gilk_plot_view_figure (self)->histogram != NULL)
    {
      gilk_plot_view_show_stop (self, gilk_plot_readout_stop_at (self->data->figure, gilk_plot_frame_x (&frame, x)));
      return;
    }
  text = gilk_plot_readout_describe_at (self->data->figure, gilk_plot_frame_x (&frame, x), gilk_plot_frame_y (&frame, y));
  announce_text (self, text);
}

/* ---- zoom ---- */

double
gilk_plot_view_to_axis_units (const GilkFigure *figure, double value)
{
  return figure->x.scale == GILK_SCALE_LOG ? log (value) : value;
}

static double
from_axis_units (const GilkFigure *figure, double value)
{
  return figure->x.scale == GILK_SCALE_LOG ? exp (value) : value;
}

/* Zooms to a range in axis units, clamped to the whole axis and to a minimum width. */
void
gilk_plot_view_zoom_to (GilkPlotView *self, double from, double to)
{
  GilkFigure *figure = gilk_plot_view_figure (self);
  double low = gilk_plot_view_to_axis_units (figure, self->all_from), high = gilk_plot_view_to_axis_units (figure, self->all_to);
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
    g_signal_emit (self, gilk_plot_view_signals[GILK_PLOT_VIEW_ZOOMED], 0, (double) NAN, (double) NAN);
  else
    g_signal_emit (self, gilk_plot_view_signals[GILK_PLOT_VIEW_ZOOMED], 0, figure->x.from, figure->x.to);
}

/* Scales the visible range by @times, around the fraction @at (0 to 1) of it. */
void
gilk_plot_view_zoom (GilkPlotView *self, double times, double at)
{
  GilkFigure *figure = gilk_plot_view_figure (self);
  double from, to, middle;

  if (figure == NULL)
    return;
  from = gilk_plot_view_to_axis_units (figure, figure->x.from);
  to = gilk_plot_view_to_axis_units (figure, figure->x.to);
  middle = from + at * (to - from);
  gilk_plot_view_zoom_to (self, middle - (middle - from) * times, middle + (to - middle) * times);
}

void
gilk_plot_view_pan (GilkPlotView *self, double share)
{
  GilkFigure *figure = gilk_plot_view_figure (self);
  double from, to;

  if (figure == NULL)
    return;
  from = gilk_plot_view_to_axis_units (figure, figure->x.from);
  to = gilk_plot_view_to_axis_units (figure, figure->x.to);
  gilk_plot_view_zoom_to (self, from + share * (to - from), to + share * (to - from));
}

void
gilk_plot_view_show_all (GilkPlotView *self)
{
  GilkFigure *figure = gilk_plot_view_figure (self);

  /* A range without data has no figure; let the owner reset the zoom. */
  if (figure == NULL)
    g_signal_emit (self, gilk_plot_view_signals[GILK_PLOT_VIEW_ZOOMED], 0, (double) NAN, (double) NAN);
  else
    gilk_plot_view_zoom_to (self, gilk_plot_view_to_axis_units (figure, self->all_from), gilk_plot_view_to_axis_units (figure, self->all_to));
}

/* ---- public ---- */

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
    atk_object_set_description (gtk_widget_get_accessible (GTK_WIDGET (self)), gilk_plot_view_message (self));
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
  GilkFigure *figure = gilk_plot_view_figure (self);

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
  words = gilk_plot_readout_describe_mark (gilk_plot_view_figure (self), &self->mark);
  if (words != NULL && g_strcmp0 (words, before) != 0)
    announce_text (self, words);
  else if (words == NULL && before != NULL && g_strcmp0 (before, atk_object_get_description (accessible)) == 0)
    announce_text (self, "");
  if (g_strcmp0 (words, before) != 0)           /* part of the picture; the mark is painted above it */
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
  if (self->stop >= 0 && gilk_plot_view_figure (self) != NULL)
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
  g_autofree char *marked = gilk_plot_readout_describe_mark (gilk_plot_view_figure (self), &self->mark), *both = NULL;

  if (gilk_plot_view_figure (self) == NULL)
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

/* A change of the theme or of settings makes the cached picture stale. */
static void
gilk_plot_view_style_updated (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (gilk_plot_view_parent_class)->style_updated (widget);
  gilk_plot_view_changed (GILK_PLOT_VIEW (widget));
}

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
  static const char *const plain[] = { "undo", "enter", "alone", "note" };
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gilk_plot_view_finalize;
  widget_class->draw = gilk_plot_view_draw;
  widget_class->style_updated = gilk_plot_view_style_updated;
  widget_class->motion_notify_event = gilk_plot_view_motion;
  widget_class->leave_notify_event = gilk_plot_view_leave;
  widget_class->button_press_event = gilk_plot_view_button_press;
  widget_class->button_release_event = gilk_plot_view_button_release;
  widget_class->scroll_event = gilk_plot_view_scroll;
  widget_class->key_press_event = gilk_plot_view_key_press;
  gilk_plot_view_signals[GILK_PLOT_VIEW_READ_OUT] = g_signal_new ("read-out", GILK_TYPE_PLOT_VIEW, G_SIGNAL_RUN_LAST,
                                    0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  gilk_plot_view_signals[GILK_PLOT_VIEW_ZOOMED] = g_signal_new ("zoomed", GILK_TYPE_PLOT_VIEW, G_SIGNAL_RUN_LAST,
                                  0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  gilk_plot_view_signals[GILK_PLOT_VIEW_MARKED] = g_signal_new ("marked", GILK_TYPE_PLOT_VIEW, G_SIGNAL_RUN_LAST,
                                                                0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  for (guint i = GILK_PLOT_VIEW_UNDO; i <= GILK_PLOT_VIEW_NOTE; i++)
    gilk_plot_view_signals[i] = g_signal_new (plain[i - GILK_PLOT_VIEW_UNDO], GILK_TYPE_PLOT_VIEW, G_SIGNAL_RUN_LAST,
                                              0, NULL, NULL, NULL, G_TYPE_NONE, 0);
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
