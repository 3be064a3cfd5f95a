/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-view.c - one plot with a read-out under the pointer
 *
 * The read-out can be moved bar by bar with the arrow keys, and is the
 * widget's accessible description: a plot that can be heard.
 */
#include "gui/gilk-plot-view.h"

#include <glib/gi18n.h>
#include <math.h>

#include "gui/gilk-style.h"
#include "gui/gilk-text.h"

struct _GilkPlotView {
  GtkDrawingArea  parent_instance;

  GilkPlotData   *data;
  int             bin;           /* of the read-out, -1 none */
};

G_DEFINE_TYPE (GilkPlotView, gilk_plot_view, GTK_TYPE_DRAWING_AREA)

enum { READ_OUT, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- data ---- */

static void
bar_clear (gpointer data)
{
  GilkBar *bar = data;

  g_free ((char *) bar->label);
  g_free ((char *) bar->note);
}

GilkPlotData *
gilk_plot_data_new (void)
{
  GilkPlotData *data = g_new0 (GilkPlotData, 1);

  data->bars = g_array_new (FALSE, FALSE, sizeof (GilkBar));
  g_array_set_clear_func (data->bars, bar_clear);

  return data;
}

void
gilk_plot_data_free (GilkPlotData *data)
{
  g_clear_pointer (&data->times, g_array_unref);
  g_clear_pointer (&data->values, g_array_unref);
  g_clear_pointer (&data->histogram, gilk_histogram_free);
  g_array_unref (data->bars);
  g_free (data->title);
  g_free (data->subtitle);
  g_free (data->x_label);
  g_free (data->x_unit);
  g_free (data->y_label);
  g_clear_pointer (&data->gaps, g_array_unref);
  g_free (data->loss_note);
  g_free (data->message);
  g_free (data);
}

void
gilk_plot_data_add_bar (GilkPlotData *data,
                        const char   *label,
                        double        value,
                        const char   *note)
{
  GilkBar bar = { g_strdup (label), value, { 0, 0, 0, 1 }, g_strdup (note) };

  g_array_append_val (data->bars, bar);
}

static void
fill_text (const GilkPlotData *data,
           GilkPlotText       *text)
{
  *text = (GilkPlotText) {
    .title = data->title,
    .subtitle = data->subtitle,
    .x_label = data->x_label,
    .x_unit = data->x_unit,
    .y_label = data->y_label,
    .log_y = data->log_y,
    .select_from = NAN,
    .select_to = NAN,
    .loss_note = data->loss_note,
    .gaps = data->gaps,
  };
}

/* ---- painting ---- */

static void
paint (GilkPlotView        *self,
       cairo_t             *cr,
       double               width,
       double               height,
       const GilkPlotStyle *style)
{
  const GilkPlotData *data = self->data;
  GilkPlotText text;

  fill_text (data, &text);
  if (data->kind == GILK_PLOT_VIEW_HISTOGRAM)
    {
      if (self->bin >= 0)
        {
          text.select_from = data->histogram->edges[self->bin];
          text.select_to = data->histogram->edges[self->bin + 1];
        }
      gilk_plot_histogram (cr, width, height, style, &text, data->histogram);
    }
  else if (data->kind == GILK_PLOT_VIEW_SERIES || data->kind == GILK_PLOT_VIEW_RATE)
    gilk_plot_series (cr, width, height, style, &text, (const double *) data->times->data,
                      data->kind == GILK_PLOT_VIEW_RATE ? NULL : (const double *) data->values->data,
                      data->times->len, 0, data->duration);
  else if (data->kind == GILK_PLOT_VIEW_BARS)
    {
      for (guint i = 0; i < data->bars->len; i++)
        g_array_index (data->bars, GilkBar, i).colour = style->accent;
      gilk_plot_bars (cr, width, height, style, &text, (const GilkBar *) data->bars->data,
                      data->bars->len);
    }
}

static void
paint_message (GilkPlotView        *self,
               cairo_t             *cr,
               const GilkPlotStyle *style)
{
  GtkWidget *widget = GTK_WIDGET (self);
  const char *message = self->data != NULL && self->data->message != NULL
                        ? self->data->message : _("Choose a hook on the left.");
  g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout (widget, message);
  int width, height;

  pango_layout_set_width (layout, gtk_widget_get_allocated_width (widget) * PANGO_SCALE);
  pango_layout_set_alignment (layout, PANGO_ALIGN_CENTER);
  pango_layout_get_pixel_size (layout, &width, &height);
  cairo_set_source_rgb (cr, style->dim.r, style->dim.g, style->dim.b);
  cairo_move_to (cr, 0, (gtk_widget_get_allocated_height (widget) - height) / 2.0);
  pango_cairo_show_layout (cr, layout);
}

static gboolean
gilk_plot_view_draw (GtkWidget *widget,
                     cairo_t   *cr)
{
  GilkPlotView *self = GILK_PLOT_VIEW (widget);
  int width = gtk_widget_get_allocated_width (widget);
  int height = gtk_widget_get_allocated_height (widget);
  GilkPlotStyle style;

  gilk_style_fill (widget, &style);
  style.background = style.surface;
  cairo_set_source_rgb (cr, style.surface.r, style.surface.g, style.surface.b);
  cairo_paint (cr);
  if (gilk_plot_view_has_plot (self))
    paint (self, cr, width, height, &style);
  else
    paint_message (self, cr, &style);

  return FALSE;
}

/* ---- read-out ---- */

static char *
describe_bin (const GilkPlotData *data,
              int                 bin)
{
  const GilkHistogram *h = data->histogram;
  const char *unit = data->x_unit != NULL ? data->x_unit : "";
  g_autofree char *from = gilk_format_si (h->edges[bin], unit, 3);
  g_autofree char *to = gilk_format_si (h->edges[bin + 1], unit, 3);
  g_autofree char *count = gilk_text_count (h->counts[bin]);
  uint64_t below = 0;

  for (int i = 0; i <= bin; i++)
    below += h->counts[i];

  return g_strdup_printf (_("%s to %s: %s samples, %.2f %%, up to here %.2f %%"),
                          from, to, count, 100.0 * h->counts[bin] / MAX (h->n, 1),
                          100.0 * below / MAX (h->n, 1));
}

static void
show_bin (GilkPlotView *self,
          int           bin)
{
  g_autofree char *text = NULL;

  if (bin == self->bin)
    return;

  self->bin = bin;
  text = bin >= 0 ? describe_bin (self->data, bin) : g_strdup ("");
  atk_object_set_description (gtk_widget_get_accessible (GTK_WIDGET (self)), text);
  g_signal_emit (self, signals[READ_OUT], 0, text);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static int
bin_at (GilkPlotView *self,
        double        x,
        double        y)
{
  GtkWidget *widget = GTK_WIDGET (self);
  const GilkHistogram *h;
  GilkPlotFrame frame;
  GilkPlotStyle style;
  GilkPlotText text;
  double value;

  if (self->data == NULL || self->data->kind != GILK_PLOT_VIEW_HISTOGRAM)
    return -1;

  h = self->data->histogram;
  fill_text (self->data, &text);
  gilk_style_fill (widget, &style);
  gilk_plot_histogram_frame (gtk_widget_get_allocated_width (widget),
                             gtk_widget_get_allocated_height (widget), &text, &style, h, &frame);
  if (x < frame.x || x > frame.x + frame.width || y < frame.y || y > frame.y + frame.height)
    return -1;
  value = gilk_plot_frame_x (&frame, x);
  for (guint i = 0; i < h->n_bins; i++)
    if (value >= h->edges[i] && value < h->edges[i + 1])
      return i;

  return -1;
}

static gboolean
gilk_plot_view_motion (GtkWidget      *widget,
                       GdkEventMotion *event)
{
  GilkPlotView *self = GILK_PLOT_VIEW (widget);

  show_bin (self, bin_at (self, event->x, event->y));

  return GDK_EVENT_PROPAGATE;
}

static gboolean
gilk_plot_view_leave (GtkWidget        *widget,
                      GdkEventCrossing *event)
{
  show_bin (GILK_PLOT_VIEW (widget), -1);

  return GDK_EVENT_PROPAGATE;
}

static gboolean
gilk_plot_view_key_press (GtkWidget   *widget,
                          GdkEventKey *event)
{
  GilkPlotView *self = GILK_PLOT_VIEW (widget);
  int step = event->keyval == GDK_KEY_Right ? 1 : event->keyval == GDK_KEY_Left ? -1 : 0;

  if (step == 0 || self->data == NULL || self->data->kind != GILK_PLOT_VIEW_HISTOGRAM)
    return GTK_WIDGET_CLASS (gilk_plot_view_parent_class)->key_press_event (widget, event);

  show_bin (self, CLAMP (self->bin + step, 0, (int) self->data->histogram->n_bins - 1));

  return GDK_EVENT_STOP;
}

/* ---- public ---- */

gboolean
gilk_plot_view_has_plot (GilkPlotView *self)
{
  return self->data != NULL && self->data->kind != GILK_PLOT_VIEW_EMPTY && self->data->message == NULL;
}

void
gilk_plot_view_take_data (GilkPlotView *self,
                          GilkPlotData *data)
{
  g_clear_pointer (&self->data, gilk_plot_data_free);
  self->data = data;
  self->bin = -1;
  if (data != NULL && data->title != NULL)
    atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self)), data->title);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
paint_export (cairo_t  *cr,
              double    width,
              double    height,
              gpointer  user_data)
{
  paint (user_data, cr, width, height, &gilk_plot_light);
}

gboolean
gilk_plot_view_export (GilkPlotView    *self,
                       const char      *path,
                       GilkPlotFormat   format,
                       GError         **error)
{
  self->bin = -1;

  return gilk_plot_to_file (path, format, 960, 540, paint_export, self, error);
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
  widget_class->key_press_event = gilk_plot_view_key_press;
  signals[READ_OUT] = g_signal_new ("read-out", GILK_TYPE_PLOT_VIEW, G_SIGNAL_RUN_LAST,
                                    0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
gilk_plot_view_init (GilkPlotView *self)
{
  self->bin = -1;
  gtk_widget_set_can_focus (GTK_WIDGET (self), TRUE);
  gtk_widget_add_events (GTK_WIDGET (self), GDK_POINTER_MOTION_MASK | GDK_LEAVE_NOTIFY_MASK |
                         GDK_KEY_PRESS_MASK | GDK_BUTTON_PRESS_MASK);
}
