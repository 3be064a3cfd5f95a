/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-view.c - one plot with a read-out under the pointer, zoom and pan
 *
 * The read-out can be moved step by step with the arrow keys, and is the
 * widget's accessible description: a plot that can be heard.
 */
#include "gui/gilk-plot-private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "gui/gilk-plot-words.h"
#include "gui/gilk-style.h"
#include "gui/gilk-text.h"

#define ROOMY_PX 560              /* less: what is marked is said instead of where it is from */
#define DEEPEST  1e-9             /* of the whole axis */
#define MARGIN_X 90               /* what axes and head take of the widget, about */
#define MARGIN_Y 130

G_DEFINE_TYPE (GilkPlotView, gilk_plot_view, GTK_TYPE_DRAWING_AREA)

guint gilk_plot_view_signals[GILK_PLOT_VIEW_N_SIGNALS];

/* ---- painting ---- */

GilkFigure *
gilk_plot_view_figure (GilkPlotView *self)
{
  GilkFigure *figure = self->data != NULL ? self->data->figure : NULL;

  return figure != NULL && figure->message == NULL ? figure : NULL;
}

/* (transfer full) (nullable) */
static char *
mark_words (GilkPlotView *self)
{
  const GilkFigure *figure = gilk_plot_view_figure (self);
  g_autofree char *from = NULL, *to = NULL, *count = NULL;
  gboolean exact;
  double share;
  uint64_t n;

  if (figure == NULL || !gilk_look_is_set (&self->mark))
    return NULL;
  from = gilk_format_si (self->mark.from, figure->x.unit, 3);
  to = gilk_format_si (self->mark.to, figure->x.unit, 3);
  if (!gilk_look_count (figure, &self->mark, &n, &share, &exact))
    return g_strdup_printf (_("selected %s to %s"), from, to);
  count = gilk_text_count (n);

  return g_strdup_printf (exact ? _("selected %s to %s: %s samples, %.1f %%") : _("selected %s to %s: about %s samples, %.1f %%"),
                          from, to, count, 100.0 * share);
}

/* (transfer full) (nullable) */
static char *
join (const char *one,
      const char *other)
{
  if (one == NULL || other == NULL || *one == '\0' || *other == '\0')
    return g_strdup (one != NULL && *one != '\0' ? one : other);

  return g_strdup_printf ("%s · %s", one, other);
}

/* @source: (nullable): whose it is */
static void
paint (GilkPlotView        *self,
       cairo_t             *cr,
       double               width,
       double               height,
       const GilkPlotStyle *style,
       const char          *source)
{
  const GilkPlotData *data = self->data;
  g_autofree char *whose = join (source, data->figure != NULL ? data->figure->subtitle : data->subtitle);
  const GilkPlotText text = { .title = data->title, .subtitle = whose, .loss_note = data->loss_note };

  if (data->figure != NULL)
    {
      char *subtitle = data->figure->subtitle;
      g_autofree char *more = mark_words (self);
      g_autofree char *all = width < ROOMY_PX && more != NULL ? join (source, more) : join (whose, more);

      data->figure->subtitle = all;
      gilk_plot_figure (cr, width, height, style, data->figure);
      data->figure->subtitle = subtitle;
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
  g_autofree char *text = gilk_text_tame (why_none (self));
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
  style->corner = self->corner;
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

/* What is outside of it is paler, so that what is in it stands out. */
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

  gilk_plot_words_stop (self->data->figure, self->stop, &from, &to);
  from = gilk_plot_frame_px (frame, from);
  to = gilk_plot_frame_px (frame, to);
  if (!(to >= frame->x) || !(from <= right))
    return;
  cairo_rectangle (cr, MAX (from, frame->x), frame->y, MAX (1.0, MIN (to, right) - MAX (from, frame->x)), frame->height);
  cairo_set_source_rgba (cr, style->accent2.r, style->accent2.g, style->accent2.b, 0.30);
  cairo_fill (cr);
}

/* What is dragged over or marked, and the place that is read out. */
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
  else if (gilk_look_is_set (&self->mark))
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

  if (!gilk_plot_view_has_plot (self) || data->figure != NULL)
    return -1;
  fill_style (self, &style);

  return gilk_plot_bar_at (gtk_widget_get_allocated_width (widget), gtk_widget_get_allocated_height (widget), &style,
                           &(GilkPlotText) { .title = data->title, .subtitle = data->subtitle, .loss_note = data->loss_note },
                           (const GilkBar *) (gpointer) data->bars->data, data->bars->len, y);
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
      paint (self, cr, gtk_widget_get_allocated_width (widget), gtk_widget_get_allocated_height (widget), &style, NULL);
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
  text = stop >= 0 ? gilk_plot_words_describe (self->data->figure, stop) : g_strdup ("");
  say (self, text);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
gilk_plot_view_show_place (GilkPlotView *self,
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
      gilk_plot_view_show_stop (self, gilk_plot_words_stop_at (self->data->figure, gilk_plot_frame_x (&frame, x)));
      return;
    }
  text = gilk_plot_words_at (self->data->figure, gilk_plot_frame_x (&frame, x), gilk_plot_frame_y (&frame, y));
  say (self, text);
}

/* ---- zoom ---- */

double
gilk_plot_view_measure (const GilkFigure *figure, double value)
{
  return figure->x.scale == GILK_SCALE_LOG ? log (value) : value;
}

static double
unmeasure (const GilkFigure *figure, double value)
{
  return figure->x.scale == GILK_SCALE_LOG ? exp (value) : value;
}

/* In the axis' measure; kept inside of all there is, and wide enough to be told apart. */
void
gilk_plot_view_look_at (GilkPlotView *self, double from, double to)
{
  GilkFigure *figure = gilk_plot_view_figure (self);
  double low = gilk_plot_view_measure (figure, self->all_from), high = gilk_plot_view_measure (figure, self->all_to);
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
    g_signal_emit (self, gilk_plot_view_signals[GILK_PLOT_VIEW_ZOOMED], 0, (double) NAN, (double) NAN);
  else
    g_signal_emit (self, gilk_plot_view_signals[GILK_PLOT_VIEW_ZOOMED], 0, figure->x.from, figure->x.to);
}

/* @times of what is seen now, around @at, 0 to 1 of it. */
void
gilk_plot_view_zoom (GilkPlotView *self, double times, double at)
{
  GilkFigure *figure = gilk_plot_view_figure (self);
  double from, to, middle;

  if (figure == NULL)
    return;
  from = gilk_plot_view_measure (figure, figure->x.from);
  to = gilk_plot_view_measure (figure, figure->x.to);
  middle = from + at * (to - from);
  gilk_plot_view_look_at (self, middle - (middle - from) * times, middle + (to - middle) * times);
}

void
gilk_plot_view_pan (GilkPlotView *self, double share)
{
  GilkFigure *figure = gilk_plot_view_figure (self);
  double from, to;

  if (figure == NULL)
    return;
  from = gilk_plot_view_measure (figure, figure->x.from);
  to = gilk_plot_view_measure (figure, figure->x.to);
  gilk_plot_view_look_at (self, from + share * (to - from), to + share * (to - from));
}

void
gilk_plot_view_show_all (GilkPlotView *self)
{
  GilkFigure *figure = gilk_plot_view_figure (self);

  /* What is zoomed into where there is nothing has no plot, but a way out. */
  if (figure == NULL)
    g_signal_emit (self, gilk_plot_view_signals[GILK_PLOT_VIEW_ZOOMED], 0, (double) NAN, (double) NAN);
  else
    gilk_plot_view_look_at (self, gilk_plot_view_measure (figure, self->all_from), gilk_plot_view_measure (figure, self->all_to));
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
  GilkFigure *figure = gilk_plot_view_figure (self);

  if (figure == NULL)
    return;
  figure->x.from = isnan (from) ? self->all_from : from;
  figure->x.to = isnan (to) ? self->all_to : to;
  self->stop = -1;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
gilk_plot_view_set_mark (GilkPlotView *self,
                         double        from,
                         double        to)
{
  g_autofree char *words = NULL, *before = g_steal_pointer (&self->marked);
  AtkObject *accessible = gtk_widget_get_accessible (GTK_WIDGET (self));

  self->mark = (GilkLookSpan) { from, to };
  words = mark_words (self);
  if (words != NULL && g_strcmp0 (words, before) != 0)
    say (self, words);
  else if (words == NULL && before != NULL && g_strcmp0 (before, atk_object_get_description (accessible)) == 0)
    say (self, "");
  self->marked = g_steal_pointer (&words);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

GilkLookSpan
gilk_plot_view_place (GilkPlotView *self)
{
  GilkLookSpan stop = { NAN, NAN };

  if (gilk_look_is_set (&self->mark))
    return self->mark;
  if (self->stop >= 0 && gilk_plot_view_figure (self) != NULL)
    gilk_plot_words_stop (self->data->figure, self->stop, &stop.from, &stop.to);
  else
    stop.from = self->at;

  return (GilkLookSpan) { stop.from, stop.from };
}

void
gilk_plot_view_set_corner (GilkPlotView *self,
                           double        corner)
{
  self->corner = corner;
}

void
gilk_plot_view_set_marks (GilkPlotView *self,
                          gboolean      marks)
{
  self->marks = marks;
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
gilk_plot_view_set_source (GilkPlotView *self,
                           const char   *source)
{
  g_free (self->source);
  self->source = g_strdup (source);
}

void
gilk_plot_view_say (GilkPlotView *self,
                    const char   *words)
{
  g_autofree char *marked = mark_words (self), *both = NULL;

  if (gilk_plot_view_figure (self) == NULL)
    return;
  gilk_figure_say (self->data->figure, words);
  both = join (marked, words);
  if (self->stop < 0)
    atk_object_set_description (gtk_widget_get_accessible (GTK_WIDGET (self)), both);
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

void
gilk_plot_view_paint (GilkPlotView *self,
                      cairo_t      *cr,
                      double        width,
                      double        height)
{
  paint (self, cr, width, height, &gilk_plot_light, self->source);
}

static void
gilk_plot_view_finalize (GObject *object)
{
  g_clear_pointer (&GILK_PLOT_VIEW (object)->data, gilk_plot_data_free);
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
  self->mark = (GilkLookSpan) { NAN, NAN };
  self->at = NAN;
  gtk_widget_set_can_focus (GTK_WIDGET (self), TRUE);
  gtk_widget_add_events (GTK_WIDGET (self), GDK_POINTER_MOTION_MASK | GDK_LEAVE_NOTIFY_MASK | GDK_KEY_PRESS_MASK |
                         GDK_BUTTON_PRESS_MASK | GDK_BUTTON_RELEASE_MASK | GDK_SCROLL_MASK | GDK_SMOOTH_SCROLL_MASK);
}
