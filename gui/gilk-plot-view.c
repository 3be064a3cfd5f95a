/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-view.c - one plot with a read-out under the pointer, zoom and pan
 *
 * The read-out can be moved step by step with the arrow keys, and is the
 * widget's accessible description: a plot that can be heard.
 */
#include "gui/gilk-plot-view.h"

#include <glib/gi18n.h>
#include <math.h>

#include "gui/gilk-plot-words.h"
#include "gui/gilk-style.h"

#define WHEEL    1.25             /* of one notch */
#define DRAG_PX  6.0              /* less is a click */
#define DEEPEST  1e-9             /* of the whole axis */
#define MARGIN_X 90               /* what axes and head take of the widget, about */
#define MARGIN_Y 130

typedef enum { DRAG_NONE, DRAG_SELECT, DRAG_PAN } Drag;

struct _GilkPlotView {
  GtkDrawingArea  parent_instance;

  GilkPlotData   *data;
  int             stop;           /* of the read-out, -1 none */
  double          all_from, all_to;
  Drag            drag;
  double          drag_from, drag_to;   /* px */
};

G_DEFINE_TYPE (GilkPlotView, gilk_plot_view, GTK_TYPE_DRAWING_AREA)

enum { READ_OUT, ZOOMED, UNDO, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- painting ---- */

static GilkFigure *
shown_figure (GilkPlotView *self)
{
  GilkFigure *figure = self->data != NULL ? self->data->figure : NULL;

  return figure != NULL && figure->message == NULL ? figure : NULL;
}

static void
paint (GilkPlotView        *self,
       cairo_t             *cr,
       double               width,
       double               height,
       const GilkPlotStyle *style)
{
  const GilkPlotData *data = self->data;
  const GilkPlotText text = { .title = data->title, .subtitle = data->subtitle,
                              .loss_note = data->loss_note };

  if (data->figure != NULL)
    {
      gilk_plot_figure (cr, width, height, style, data->figure);
      return;
    }
  gilk_plot_bars (cr, width, height, style, &text, (const GilkBar *) (gpointer) data->bars->data,
                  data->bars->len);
}

/* What is said instead of a plot. */
static const char *
why_none (GilkPlotView *self)
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
  g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout (widget, why_none (self));
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
}

static gboolean
find_frame (GilkPlotView  *self,
            GilkPlotFrame *frame)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GilkPlotStyle style;

  if (shown_figure (self) == NULL)
    return FALSE;
  fill_style (self, &style);

  return gilk_plot_figure_frame (gtk_widget_get_allocated_width (widget), gtk_widget_get_allocated_height (widget),
                                 &style, self->data->figure, frame);
}

/* What is dragged over, or the place that is read out. */
static void
paint_marks (GilkPlotView        *self,
             cairo_t             *cr,
             const GilkPlotStyle *style)
{
  GilkPlotFrame frame;
  double from, to;

  if (!find_frame (self, &frame))
    return;
  if (self->drag == DRAG_SELECT)
    {
      from = CLAMP (MIN (self->drag_from, self->drag_to), frame.x, frame.x + frame.width);
      to = CLAMP (MAX (self->drag_from, self->drag_to), frame.x, frame.x + frame.width);
      cairo_rectangle (cr, from, frame.y, to - from, frame.height);
      cairo_set_source_rgba (cr, style->accent.r, style->accent.g, style->accent.b, 0.15);
      cairo_fill_preserve (cr);
      cairo_set_line_width (cr, 1.0);
      cairo_set_source_rgba (cr, style->accent.r, style->accent.g, style->accent.b, 0.8);
      cairo_stroke (cr);
      return;
    }
  if (self->stop < 0)
    return;
  gilk_plot_words_stop (self->data->figure, self->stop, &from, &to);
  from = gilk_plot_frame_px (&frame, from);
  to = gilk_plot_frame_px (&frame, to);
  if (!(to >= frame.x) || !(from <= frame.x + frame.width))
    return;
  cairo_rectangle (cr, MAX (from, frame.x), frame.y, MAX (1.0, MIN (to, frame.x + frame.width) - MAX (from, frame.x)),
                   frame.height);
  cairo_set_source_rgba (cr, style->accent2.r, style->accent2.g, style->accent2.b, 0.30);
  cairo_fill (cr);
}

static gboolean
gilk_plot_view_draw (GtkWidget *widget,
                     cairo_t   *cr)
{
  GilkPlotView *self = GILK_PLOT_VIEW (widget);
  GilkPlotStyle style;

  fill_style (self, &style);
  cairo_set_source_rgb (cr, style.surface.r, style.surface.g, style.surface.b);
  cairo_paint (cr);
  if (gilk_plot_view_has_plot (self))
    {
      paint (self, cr, gtk_widget_get_allocated_width (widget), gtk_widget_get_allocated_height (widget), &style);
      paint_marks (self, cr, &style);
    }
  else
    paint_message (self, cr, &style);

  return FALSE;
}

/* ---- read-out ---- */

static void
say (GilkPlotView *self,
     const char   *text)
{
  atk_object_set_description (gtk_widget_get_accessible (GTK_WIDGET (self)), text);
  g_signal_emit (self, signals[READ_OUT], 0, text);
}

static void
show_stop (GilkPlotView *self,
           int           stop)
{
  g_autofree char *text = NULL;

  if (stop == self->stop)
    return;
  self->stop = stop;
  text = stop >= 0 ? gilk_plot_words_describe (self->data->figure, stop) : g_strdup ("");
  say (self, text);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
show_place (GilkPlotView *self,
            double        x,
            double        y)
{
  g_autofree char *text = NULL;
  GilkPlotFrame frame;

  if (!find_frame (self, &frame) || x < frame.x || x > frame.x + frame.width || y < frame.y ||
      y > frame.y + frame.height)
    {
      if (shown_figure (self) != NULL && self->stop >= 0)
        show_stop (self, -1);
      return;
    }
  if (shown_figure (self)->histogram != NULL)
    {
      show_stop (self, gilk_plot_words_stop_at (self->data->figure, gilk_plot_frame_x (&frame, x)));
      return;
    }
  text = gilk_plot_words_at (self->data->figure, gilk_plot_frame_x (&frame, x), gilk_plot_frame_y (&frame, y));
  say (self, text);
}

/* ---- zoom ---- */

static double
measure (const GilkFigure *figure, double value)
{
  return figure->x.scale == GILK_SCALE_LOG ? log (value) : value;
}

static double
unmeasure (const GilkFigure *figure, double value)
{
  return figure->x.scale == GILK_SCALE_LOG ? exp (value) : value;
}

/* In the axis' measure; kept inside of all there is, and wide enough to be told apart. */
static void
look_at (GilkPlotView *self, double from, double to)
{
  GilkFigure *figure = shown_figure (self);
  double low = measure (figure, self->all_from), high = measure (figure, self->all_to);
  double width = MIN (to - from, high - low);

  if (!(width > DEEPEST * (high - low)))
    return;
  from = CLAMP (from, low, high - width);
  to = from + width;
  figure->x.from = unmeasure (figure, from);
  figure->x.to = unmeasure (figure, to);
  self->stop = -1;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (width >= (high - low) * (1.0 - 1e-9))
    g_signal_emit (self, signals[ZOOMED], 0, (double) NAN, (double) NAN);
  else
    g_signal_emit (self, signals[ZOOMED], 0, figure->x.from, figure->x.to);
}

/* @times of what is seen now, around @at, 0 to 1 of it. */
static void
zoom (GilkPlotView *self, double times, double at)
{
  GilkFigure *figure = shown_figure (self);
  double from, to, middle;

  if (figure == NULL)
    return;
  from = measure (figure, figure->x.from);
  to = measure (figure, figure->x.to);
  middle = from + at * (to - from);
  look_at (self, middle - (middle - from) * times, middle + (to - middle) * times);
}

static void
pan (GilkPlotView *self, double share)
{
  GilkFigure *figure = shown_figure (self);
  double from, to;

  if (figure == NULL)
    return;
  from = measure (figure, figure->x.from);
  to = measure (figure, figure->x.to);
  look_at (self, from + share * (to - from), to + share * (to - from));
}

void
gilk_plot_view_show_all (GilkPlotView *self)
{
  GilkFigure *figure = shown_figure (self);

  /* What is zoomed into where there is nothing has no plot, but a way out. */
  if (figure == NULL)
    g_signal_emit (self, signals[ZOOMED], 0, (double) NAN, (double) NAN);
  else
    look_at (self, measure (figure, self->all_from), measure (figure, self->all_to));
}

/* ---- events ---- */

static gboolean
gilk_plot_view_button_press (GtkWidget      *widget,
                             GdkEventButton *event)
{
  GilkPlotView *self = GILK_PLOT_VIEW (widget);

  gtk_widget_grab_focus (widget);
  if (shown_figure (self) == NULL)
    return GDK_EVENT_PROPAGATE;
  if (event->type == GDK_2BUTTON_PRESS)
    {
      self->drag = DRAG_NONE;
      gilk_plot_view_show_all (self);
      return GDK_EVENT_STOP;
    }
  if (event->type != GDK_BUTTON_PRESS || event->button > 2)
    return GDK_EVENT_PROPAGATE;
  self->drag = event->button == 2 || (event->state & GDK_SHIFT_MASK) != 0 ? DRAG_PAN : DRAG_SELECT;
  self->drag_from = self->drag_to = event->x;

  return GDK_EVENT_STOP;
}

static void
drag_on (GilkPlotView *self, double x)
{
  GilkPlotFrame frame;

  if (self->drag == DRAG_PAN && find_frame (self, &frame))
    {
      pan (self, (self->drag_to - x) / frame.width);
      self->drag_to = x;
      return;
    }
  self->drag_to = x;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
gilk_plot_view_motion (GtkWidget      *widget,
                       GdkEventMotion *event)
{
  GilkPlotView *self = GILK_PLOT_VIEW (widget);

  if (self->drag != DRAG_NONE)
    drag_on (self, event->x);
  else
    show_place (self, event->x, event->y);

  return GDK_EVENT_PROPAGATE;
}

static gboolean
gilk_plot_view_button_release (GtkWidget      *widget,
                               GdkEventButton *event)
{
  GilkPlotView *self = GILK_PLOT_VIEW (widget);
  Drag drag = self->drag;
  GilkPlotFrame frame;

  self->drag = DRAG_NONE;
  gtk_widget_queue_draw (widget);
  if (drag == DRAG_SELECT && find_frame (self, &frame) && fabs (self->drag_to - self->drag_from) >= DRAG_PX)
    {
      double from = gilk_plot_frame_x (&frame, MAX (MIN (self->drag_from, self->drag_to), frame.x));
      double to = gilk_plot_frame_x (&frame, MIN (MAX (self->drag_from, self->drag_to), frame.x + frame.width));

      look_at (self, measure (self->data->figure, from), measure (self->data->figure, to));
    }

  return drag != DRAG_NONE ? GDK_EVENT_STOP : GDK_EVENT_PROPAGATE;
}

static gboolean
gilk_plot_view_scroll (GtkWidget      *widget,
                       GdkEventScroll *event)
{
  GilkPlotView *self = GILK_PLOT_VIEW (widget);
  double dx = 0.0, dy = event->direction == GDK_SCROLL_UP ? -1.0 : event->direction == GDK_SCROLL_DOWN ? 1.0 : 0.0;
  GilkPlotFrame frame;

  if (!find_frame (self, &frame))
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
    zoom (self, pow (WHEEL, dy), CLAMP ((event->x - frame.x) / frame.width, 0.0, 1.0));

  return GDK_EVENT_STOP;
}

static gboolean
gilk_plot_view_leave (GtkWidget        *widget,
                      GdkEventCrossing *event)
{
  GilkPlotView *self = GILK_PLOT_VIEW (widget);

  if (shown_figure (self) != NULL && self->drag == DRAG_NONE)
    show_stop (self, -1);

  return GDK_EVENT_PROPAGATE;
}

static gboolean
gilk_plot_view_key_press (GtkWidget   *widget,
                          GdkEventKey *event)
{
  GilkPlotView *self = GILK_PLOT_VIEW (widget);
  gboolean control = (event->state & GDK_CONTROL_MASK) != 0;
  int step = event->keyval == GDK_KEY_Right ? 1 : event->keyval == GDK_KEY_Left ? -1 : 0;
  GilkFigure *figure = shown_figure (self);

  if (step != 0 && figure != NULL && control)
    pan (self, 0.2 * step);
  else if (step != 0 && figure != NULL)
    show_stop (self, CLAMP (self->stop + step, 0, (int) gilk_plot_words_n_stops (figure) - 1));
  else if (event->keyval == GDK_KEY_plus || event->keyval == GDK_KEY_equal || event->keyval == GDK_KEY_KP_Add)
    zoom (self, 1.0 / (WHEEL * WHEEL), 0.5);
  else if (event->keyval == GDK_KEY_minus || event->keyval == GDK_KEY_KP_Subtract)
    zoom (self, WHEEL * WHEEL, 0.5);
  else if (event->keyval == GDK_KEY_0 || event->keyval == GDK_KEY_KP_0 || event->keyval == GDK_KEY_Escape)
    gilk_plot_view_show_all (self);
  else if (event->keyval == GDK_KEY_Z || event->keyval == GDK_KEY_BackSpace)
    g_signal_emit (self, signals[UNDO], 0);
  else
    return GTK_WIDGET_CLASS (gilk_plot_view_parent_class)->key_press_event (widget, event);

  return GDK_EVENT_STOP;
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
gilk_plot_view_take_data (GilkPlotView *self,
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
    atk_object_set_description (gtk_widget_get_accessible (GTK_WIDGET (self)), why_none (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

GilkPlotData *
gilk_plot_view_data (GilkPlotView *self)
{
  return self->data;
}

void
gilk_plot_view_look (GilkPlotView *self,
                     double        from,
                     double        to)
{
  GilkFigure *figure = shown_figure (self);

  if (figure == NULL)
    return;
  figure->x.from = isnan (from) ? self->all_from : from;
  figure->x.to = isnan (to) ? self->all_to : to;
  self->stop = -1;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
gilk_plot_view_set_whole (GilkPlotView *self,
                          double        from,
                          double        to)
{
  self->all_from = from;
  self->all_to = to;
}

void
gilk_plot_view_say (GilkPlotView *self,
                    const char   *words)
{
  if (shown_figure (self) == NULL)
    return;
  gilk_figure_say (self->data->figure, words);
  if (self->stop < 0)
    atk_object_set_description (gtk_widget_get_accessible (GTK_WIDGET (self)), words);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
gilk_plot_view_pixels (GilkPlotView *self,
                       guint        *columns,
                       guint        *rows)
{
  GtkWidget *widget = GTK_WIDGET (self);
  int scale = gtk_widget_get_scale_factor (widget);

  *columns = (guint) (MAX (gtk_widget_get_allocated_width (widget) - MARGIN_X, 200) * scale);
  *rows = (guint) (MAX (gtk_widget_get_allocated_height (widget) - MARGIN_Y, 100) * scale);
}

void
gilk_plot_view_picture (GilkPlotView *self,
                        guint        *width,
                        guint        *height)
{
  *width = (guint) MAX (gtk_widget_get_allocated_width (GTK_WIDGET (self)), 100);
  *height = (guint) MAX (gtk_widget_get_allocated_height (GTK_WIDGET (self)), 80);
}

static void
paint_export (cairo_t  *cr,
              double    width,
              double    height,
              gpointer  user_data)
{
  paint (user_data, cr, width, height, &gilk_plot_light);
}

GByteArray *
gilk_plot_view_export (GilkPlotView    *self,
                       GilkPlotFormat   format,
                       GError         **error)
{
  guint width, height;

  gilk_plot_view_picture (self, &width, &height);

  return gilk_plot_to_bytes (format, width, height, paint_export, self, error);
}

static void
gilk_plot_view_finalize (GObject *object)
{
  g_clear_pointer (&GILK_PLOT_VIEW (object)->data, gilk_plot_data_free);
  G_OBJECT_CLASS (gilk_plot_view_parent_class)->finalize (object);
}

static void
gilk_plot_view_class_init (GilkPlotViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gilk_plot_view_finalize;
  widget_class->draw = gilk_plot_view_draw;
  widget_class->motion_notify_event = gilk_plot_view_motion;
  widget_class->leave_notify_event = gilk_plot_view_leave;
  widget_class->button_press_event = gilk_plot_view_button_press;
  widget_class->button_release_event = gilk_plot_view_button_release;
  widget_class->scroll_event = gilk_plot_view_scroll;
  widget_class->key_press_event = gilk_plot_view_key_press;
  signals[READ_OUT] = g_signal_new ("read-out", GILK_TYPE_PLOT_VIEW, G_SIGNAL_RUN_LAST,
                                    0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[ZOOMED] = g_signal_new ("zoomed", GILK_TYPE_PLOT_VIEW, G_SIGNAL_RUN_LAST,
                                  0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  signals[UNDO] = g_signal_new ("undo", GILK_TYPE_PLOT_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
gilk_plot_view_init (GilkPlotView *self)
{
  self->stop = -1;
  gtk_widget_set_can_focus (GTK_WIDGET (self), TRUE);
  gtk_widget_add_events (GTK_WIDGET (self), GDK_POINTER_MOTION_MASK | GDK_LEAVE_NOTIFY_MASK | GDK_KEY_PRESS_MASK |
                         GDK_BUTTON_PRESS_MASK | GDK_BUTTON_RELEASE_MASK | GDK_SCROLL_MASK | GDK_SMOOTH_SCROLL_MASK);
}
