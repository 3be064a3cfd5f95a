/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-schedule-view.c - the schedule: a bar for each hook, draggable at both ends
 *
 * A drag shows its outcome at once but edits the plan only on release, so that
 * one drag is one step of undo. A plan may have tens of thousands of hooks: what is
 * drawn are the rows in view, and nothing else asks each hook at each frame.
 */
#include "gui/gilk-schedule-view.h"

#include <glib/gi18n.h>
#include <math.h>

#include "gui/gilk-style.h"
#include "gui/gilk-text.h"

#define AXIS      26
#define ROW       26
#define BAR       14
#define GRIP      7
#define PAD       12

typedef enum { DRAG_NONE, DRAG_START, DRAG_STOP, DRAG_BODY } DragKind;

struct _GilkScheduleView {
  GtkDrawingArea  parent_instance;

  GilkPlanModel  *model;
  uint64_t        last_ns;               /* at which a hook of the model starts or stops */
  uint64_t        duration_ns;
  double          elapsed;

  GtkGesture     *drag;
  DragKind        kind;
  int             row;
  uint64_t        from_ns, to_ns;        /* of the dragged bar, while dragging */
};

G_DEFINE_TYPE (GilkScheduleView, gilk_schedule_view, GTK_TYPE_DRAWING_AREA)

/* ---- geometry ---- */

static uint64_t
span_ns (GilkScheduleView *self)
{
  uint64_t span = MAX (self->duration_ns, self->last_ns);

  if (self->duration_ns == 0)
    span = MAX (MAX (span + span / 4, (uint64_t) (MAX (self->elapsed, 0) * 1.1e9)), 10 * G_GUINT64_CONSTANT (1000000000));

  return span;
}

static double
label_width (GilkScheduleView *self)
{
  int width = gtk_widget_get_allocated_width (GTK_WIDGET (self));

  return CLAMP (width * 0.36, 60, 230);
}

static double
time_x (GilkScheduleView *self,
        uint64_t   ns)
{
  double left = label_width (self);
  double right = gtk_widget_get_allocated_width (GTK_WIDGET (self)) - PAD - 8;

  return left + (right - left) * ns / span_ns (self);
}

static double
time_step (uint64_t span)
{
  double raw = span / 8.0, unit = pow (10, floor (log10 (raw)));

  return raw / unit > 5 ? 10 * unit : raw / unit > 2 ? 5 * unit : raw / unit > 1 ? 2 * unit : unit;
}

/* Bars snap to a tenth of a grid step. */
static uint64_t
x_time (GilkScheduleView *self,
        double     x)
{
  double left = label_width (self);
  double right = gtk_widget_get_allocated_width (GTK_WIDGET (self)) - PAD - 8;
  uint64_t span = span_ns (self);
  double snap = time_step (span) / 10;
  double ns = CLAMP ((x - left) / (right - left), 0, 1) * span;

  return round (ns / snap) * snap;
}

static void
bar_times (GilkScheduleView *self,
           guint      row,
           uint64_t  *from,
           uint64_t  *to)
{
  const GilkPlanHook *hook = gilk_plan_model_hook (self->model, row);

  *from = hook->start_ns;
  *to = hook->stop_ns != 0 ? hook->stop_ns : span_ns (self);
  if (self->kind != DRAG_NONE && self->row == (int) row)
    {
      *from = self->from_ns;
      *to = self->to_ns;
    }
}

static DragKind
grip_at (GilkScheduleView *self,
         double     x,
         double     y,
         int       *row)
{
  uint64_t from, to;

  *row = (y - AXIS) / ROW;
  if (self->model == NULL || y < AXIS || *row >= (int) gilk_plan_model_n_hooks (self->model))
    return DRAG_NONE;

  bar_times (self, *row, &from, &to);
  if (fabs (x - time_x (self, to)) <= GRIP)
    return DRAG_STOP;
  if (fabs (x - time_x (self, from)) <= GRIP)
    return DRAG_START;
  if (x > time_x (self, from) && x < time_x (self, to))
    return DRAG_BODY;

  return DRAG_NONE;
}

/* ---- drawing ---- */

static void
draw_text (GilkScheduleView        *self,
           cairo_t          *cr,
           const GilkColour *colour,
           const char       *text,
           double            x,
           double            middle,
           double            width,
           double            align)
{
  g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  PangoAttrList *attributes = pango_attr_list_new ();
  int w, h;

  pango_attr_list_insert (attributes, pango_attr_scale_new (0.85));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  if (width > 0)
    {
      pango_layout_set_width (layout, width * PANGO_SCALE);
      pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_MIDDLE);
    }
  pango_layout_get_pixel_size (layout, &w, &h);
  cairo_set_source_rgba (cr, colour->r, colour->g, colour->b, colour->a);
  cairo_move_to (cr, x - w * align, middle - h / 2.0);
  pango_cairo_show_layout (cr, layout);
}

static void
draw_axis (GilkScheduleView           *self,
           cairo_t             *cr,
           const GilkPlotStyle *style,
           double               bottom)
{
  uint64_t span = span_ns (self);
  double step = time_step (span);

  for (double at = 0; at <= span; at += step)
    {
      double x = round (time_x (self, at)) + 0.5;
      g_autofree char *text = at == 0 ? g_strdup ("0") : gilk_format_duration (at);

      cairo_set_source_rgba (cr, style->grid.r, style->grid.g, style->grid.b, style->grid.a);
      cairo_set_line_width (cr, 1);
      cairo_move_to (cr, x, AXIS - 4);
      cairo_line_to (cr, x, bottom);
      cairo_stroke (cr);
      draw_text (self, cr, &style->dim, text, x, AXIS / 2.0 - 1, 0, 0.5);
    }
}

static GilkColour
bar_colour (const GilkPlotStyle *style,
             guint                row)
{
  const GilkColour colours[] = { style->accent, style->series[4], style->good, style->accent2 };

  return colours[row % G_N_ELEMENTS (colours)];
}

#define BLOCK_LEAST 2.0   /* pixels; of finer blocks only a tint is left */

/* Which blocks the run has the switched hooks on in; NULL: none are switched, or too often to be drawn. */
static uint8_t *
lay_blocks (GilkScheduleView *self,
            guint            *n_blocks)
{
  const GilkPlanAb *ab = &gilk_plan_model_plan (self->model)->ab;

  if (ab->period_ns == 0 || time_x (self, ab->period_ns) - time_x (self, 0) < BLOCK_LEAST)
    return NULL;
  *n_blocks = (guint) (span_ns (self) / ab->period_ns) + 2;

  return gilk_ab_blocks (ab, *n_blocks);
}

/* Adds the parts of [x0, x1) in which hook @row is on. */
static void
add_bar (GilkScheduleView *self,
         cairo_t          *cr,
         const uint8_t    *on,
         guint             n_blocks,
         guint             row,
         double            x0,
         double            x1)
{
  const GilkPlan *plan = gilk_plan_model_plan (self->model);
  double top = AXIS + row * ROW + (ROW - BAR) / 2.0;

  if (on == NULL || !gilk_plan_switches (plan, gilk_plan_model_hook (self->model, row)))
    {
      cairo_rectangle (cr, x0, top, MAX (x1 - x0, 0), BAR);
      return;
    }
  for (guint i = 0; i < n_blocks; i++)
    {
      double from = MAX (time_x (self, i * plan->ab.period_ns), x0);
      double to = MIN (time_x (self, (i + 1) * plan->ab.period_ns), x1);

      if (on[i] && to > from)
        cairo_rectangle (cr, from, top, to - from, BAR);
    }
}

static void
draw_bar (GilkScheduleView           *self,
           cairo_t             *cr,
           const GilkPlotStyle *style,
           const uint8_t       *on,
           guint                n_blocks,
           guint                row)
{
  const GilkPlanHook *hook = gilk_plan_model_hook (self->model, row);
  const GilkHookStatus *status = gilk_plan_model_status (self->model, row);
  g_autofree char *name = gilk_text_hook (hook);
  g_autofree char *label = hook->watch != NULL ? g_strdup (name)
                           : g_strdup_printf ("%s %s", name, gilk_text_where (hook->where));
  GilkColour colour = bar_colour (style, row);
  double tint = on == NULL && gilk_plan_switches (gilk_plan_model_plan (self->model), hook) ? 0.5 : 1.0;
  double middle = AXIS + row * ROW + ROW / 2.0;
  double left = label_width (self), right, x0, x1;
  uint64_t from, to;

  bar_times (self, row, &from, &to);
  x0 = time_x (self, from);
  x1 = MAX (time_x (self, to), x0 + 2);
  right = time_x (self, span_ns (self));

  draw_text (self, cr, &style->text, label, PAD, middle, left - 2 * PAD, 0);
  cairo_rectangle (cr, left, middle - BAR / 2.0, right - left, BAR);
  cairo_set_source_rgba (cr, style->grid.r, style->grid.g, style->grid.b, 0.45);
  cairo_fill (cr);

  if (status->problem != NULL)
    {
      cairo_rectangle (cr, x0, middle - BAR / 2.0, x1 - x0, BAR);
      cairo_set_source_rgba (cr, style->bad.r, style->bad.g, style->bad.b, 0.9);
      cairo_set_dash (cr, (double[]) { 4, 3 }, 2, 0);
      cairo_set_line_width (cr, 1.5);
      cairo_stroke (cr);
      cairo_set_dash (cr, NULL, 0, 0);
      return;
    }
  add_bar (self, cr, on, n_blocks, row, x0, x1);
  cairo_set_source_rgba (cr, colour.r, colour.g, colour.b, tint * (self->elapsed >= 0 ? 0.35 : 0.85));
  cairo_fill (cr);
  if (self->elapsed >= 0)
    {
      add_bar (self, cr, on, n_blocks, row, x0, MIN (time_x (self, self->elapsed * 1e9), x1));
      cairo_set_source_rgba (cr, colour.r, colour.g, colour.b, tint * 0.95);
      cairo_fill (cr);
    }
}

/* Rows from @first on and before @end are to be drawn, of @n. */
static void
rows_in_view (cairo_t *cr, guint n, guint *first, guint *end)
{
  double x0, y0, x1, y1;

  cairo_clip_extents (cr, &x0, &y0, &x1, &y1);
  *first = (guint) CLAMP ((y0 - AXIS) / ROW, 0.0, (double) n);
  *end = (guint) CLAMP ((y1 - AXIS) / ROW + 1.0, (double) *first, (double) n);
}

static gboolean
gilk_schedule_view_draw (GtkWidget *widget,
                 cairo_t   *cr)
{
  GilkScheduleView *self = GILK_SCHEDULE_VIEW (widget);
  int width = gtk_widget_get_allocated_width (widget);
  int height = gtk_widget_get_allocated_height (widget);
  GilkPlotStyle style;
  guint n = self->model != NULL ? gilk_plan_model_n_hooks (self->model) : 0;
  g_autofree uint8_t *on = NULL;
  guint n_blocks = 0, first, end;

  gilk_style_fill (widget, &style);
  cairo_set_source_rgb (cr, style.surface.r, style.surface.g, style.surface.b);
  cairo_paint (cr);
  if (n == 0)
    {
      draw_text (self, cr, &style.dim, _("Planned hooks appear here as bars over time."),
                 width / 2.0, height / 2.0, 0, 0.5);
      return FALSE;
    }

  draw_axis (self, cr, &style, MIN (height, AXIS + (int) n * ROW));
  on = lay_blocks (self, &n_blocks);
  rows_in_view (cr, n, &first, &end);
  for (guint i = first; i < end; i++)
    draw_bar (self, cr, &style, on, n_blocks, i);
  if (self->elapsed >= 0)
    {
      double x = round (time_x (self, self->elapsed * 1e9)) + 0.5;

      cairo_set_source_rgb (cr, style.bad.r, style.bad.g, style.bad.b);
      cairo_set_line_width (cr, 1.5);
      cairo_move_to (cr, x, AXIS - 8);
      cairo_line_to (cr, x, MIN (height, AXIS + (int) n * ROW + 4));
      cairo_stroke (cr);
    }

  return FALSE;
}

/* ---- dragging ---- */

static void
drag_begin (GtkGestureDrag *gesture,
            double          x,
            double          y,
            GilkScheduleView      *self)
{
  DragKind kind = grip_at (self, x, y, &self->row);

  if (kind == DRAG_NONE || self->elapsed >= 0)
    {
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  bar_times (self, self->row, &self->from_ns, &self->to_ns);
  self->kind = kind;
}

static void
drag_update (GtkGestureDrag *gesture,
             double          dx,
             double          dy,
             GilkScheduleView      *self)
{
  const GilkPlanHook *hook;
  double x, y;

  if (self->kind == DRAG_NONE || self->row >= (int) gilk_plan_model_n_hooks (self->model))
    return;

  hook = gilk_plan_model_hook (self->model, self->row);
  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  if (self->kind == DRAG_START)
    self->from_ns = MIN (x_time (self, x + dx), self->to_ns);
  else if (self->kind == DRAG_STOP)
    self->to_ns = MAX (x_time (self, x + dx), self->from_ns);
  else
    {
      uint64_t length = self->to_ns - self->from_ns;

      self->from_ns = x_time (self, time_x (self, hook->start_ns) + dx);
      self->to_ns = self->from_ns + length;
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
drag_end (GtkGestureDrag *gesture,
          double          dx,
          double          dy,
          GilkScheduleView      *self)
{
  DragKind kind = self->kind;
  const GilkPlanHook *hook;
  gboolean open;

  self->kind = DRAG_NONE;
  if (kind == DRAG_NONE || fabs (dx) < 2 ||
      self->row >= (int) gilk_plan_model_n_hooks (self->model))
    return;

  /* A bar that runs until the end keeps doing so unless its end was dragged. */
  hook = gilk_plan_model_hook (self->model, self->row);
  open = (hook->stop_ns == 0 && kind != DRAG_STOP) || self->to_ns >= span_ns (self);
  gilk_plan_model_set_times (self->model, self->row, self->from_ns, open ? 0 : self->to_ns);
}

static gboolean
gilk_schedule_view_motion (GtkWidget      *widget,
                   GdkEventMotion *event)
{
  static const char *const names[] = { "default", "ew-resize", "ew-resize", "grab" };
  GilkScheduleView *self = GILK_SCHEDULE_VIEW (widget);
  int row;
  DragKind kind = self->elapsed >= 0 ? DRAG_NONE : grip_at (self, event->x, event->y, &row);
  g_autoptr(GdkCursor) cursor = gdk_cursor_new_from_name (gtk_widget_get_display (widget), names[kind]);

  gdk_window_set_cursor (gtk_widget_get_window (widget), cursor);

  return GDK_EVENT_PROPAGATE;
}

/* ---- model ---- */

static void
model_changed (GilkScheduleView *self)
{
  guint n = gilk_plan_model_n_hooks (self->model);

  self->last_ns = 0;
  for (guint i = 0; i < n; i++)
    {
      const GilkPlanHook *hook = gilk_plan_model_hook (self->model, i);

      self->last_ns = MAX (self->last_ns, MAX (hook->start_ns, hook->stop_ns));
    }
  gtk_widget_set_size_request (GTK_WIDGET (self), -1, AXIS + MAX (n, 2) * ROW + 8);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
gilk_schedule_view_set_model (GilkScheduleView     *self,
                      GilkPlanModel *model)
{
  self->model = g_object_ref (model);
  g_signal_connect_object (model, "changed", G_CALLBACK (model_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (model, "status-changed", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
  model_changed (self);
}

void
gilk_schedule_view_set_time (GilkScheduleView *self,
                     uint64_t   duration_ns,
                     double     elapsed)
{
  self->duration_ns = duration_ns;
  self->elapsed = elapsed;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
gilk_schedule_view_finalize (GObject *object)
{
  GilkScheduleView *self = GILK_SCHEDULE_VIEW (object);

  g_clear_object (&self->model);
  g_clear_object (&self->drag);
  G_OBJECT_CLASS (gilk_schedule_view_parent_class)->finalize (object);
}

static void
gilk_schedule_view_class_init (GilkScheduleViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gilk_schedule_view_finalize;
  widget_class->draw = gilk_schedule_view_draw;
  widget_class->motion_notify_event = gilk_schedule_view_motion;
}

static void
gilk_schedule_view_init (GilkScheduleView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->elapsed = -1;
  atk_object_set_name (gtk_widget_get_accessible (widget), _("Schedule of the planned hooks"));
  gtk_widget_add_events (widget, GDK_POINTER_MOTION_MASK | GDK_BUTTON_PRESS_MASK | GDK_BUTTON_RELEASE_MASK);
  self->drag = gtk_gesture_drag_new (widget);
  g_signal_connect (self->drag, "drag-begin", G_CALLBACK (drag_begin), self);
  g_signal_connect (self->drag, "drag-update", G_CALLBACK (drag_update), self);
  g_signal_connect (self->drag, "drag-end", G_CALLBACK (drag_end), self);
}
