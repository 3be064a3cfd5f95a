/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-pointer.c - pointer and keyboard input of a plot: zoom, pan, marks, read-out
 */
#include "gui/plot/gilk-plot-private.h"

#include <math.h>

#include "gui/plot/gilk-plot-readout.h"

#define ZOOM_STEP    1.25         /* zoom factor per notch */
#define DRAG_MIN_PX  6.0          /* shorter drags are clicks */

/* Clears the mark, or resets the zoom if nothing is marked. */
static void
clear_mark_or_zoom (GilkPlotView *self)
{
  if (gilk_selection_is_set (&self->mark))
    g_signal_emit (self, gilk_plot_view_signals[GILK_PLOT_VIEW_MARKED], 0, (double) NAN, (double) NAN);
  else
    gilk_plot_view_show_all (self);
}

gboolean
gilk_plot_view_button_press (GtkWidget      *widget,
                             GdkEventButton *event)
{
  GilkPlotView *self = GILK_PLOT_VIEW (widget);
  GilkPlotFrame frame;

  gtk_widget_grab_focus (widget);
  if (gilk_plot_view_figure (self) == NULL)
    return GDK_EVENT_PROPAGATE;
  if (event->type == GDK_2BUTTON_PRESS)
    {
      self->drag = GILK_PLOT_DRAG_NONE;
      if (gilk_plot_view_frame (self, &frame) && event->y < frame.y)
        g_signal_emit (self, gilk_plot_view_signals[GILK_PLOT_VIEW_SHOW_ALONE], 0);
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

  if (self->drag == GILK_PLOT_DRAG_PAN && gilk_plot_view_frame (self, &frame))
    {
      gilk_plot_view_pan (self, (self->drag_to - x) / frame.width);
      self->drag_to = x;
      return;
    }
  self->drag_to = x;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

gboolean
gilk_plot_view_motion (GtkWidget      *widget,
                       GdkEventMotion *event)
{
  GilkPlotView *self = GILK_PLOT_VIEW (widget);

  if (self->drag != GILK_PLOT_DRAG_NONE)
    continue_drag (self, event->x);
  else
    gilk_plot_view_show_read_out_at (self, event->x, event->y);

  return GDK_EVENT_PROPAGATE;
}

/* Marks the dragged range if marks are enabled, otherwise zooms to it. */
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
      gilk_plot_view_zoom_to (self, gilk_plot_view_to_axis_units (figure, span.from), gilk_plot_view_to_axis_units (figure, span.to));
      return;
    }
  gilk_selection_snap (figure, &span);
  g_signal_emit (self, gilk_plot_view_signals[GILK_PLOT_VIEW_MARKED], 0, span.from, span.to);
}

gboolean
gilk_plot_view_button_release (GtkWidget      *widget,
                               GdkEventButton *event)
{
  GilkPlotView *self = GILK_PLOT_VIEW (widget);
  GilkPlotDrag drag = self->drag;
  GilkPlotFrame frame;

  self->drag = GILK_PLOT_DRAG_NONE;
  gtk_widget_queue_draw (widget);
  if (drag == GILK_PLOT_DRAG_SELECT && gilk_plot_view_frame (self, &frame) && fabs (self->drag_to - self->drag_from) >= DRAG_MIN_PX)
    apply_drag (self, &frame);

  return drag != GILK_PLOT_DRAG_NONE ? GDK_EVENT_STOP : GDK_EVENT_PROPAGATE;
}

gboolean
gilk_plot_view_scroll (GtkWidget      *widget,
                       GdkEventScroll *event)
{
  GilkPlotView *self = GILK_PLOT_VIEW (widget);
  double dx = 0.0, dy = event->direction == GDK_SCROLL_UP ? -1.0 : event->direction == GDK_SCROLL_DOWN ? 1.0 : 0.0;
  GilkPlotFrame frame;

  if (!gilk_plot_view_frame (self, &frame))
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
    gilk_plot_view_pan (self, 0.1 * dx);
  if (dy != 0.0)
    gilk_plot_view_zoom (self, pow (ZOOM_STEP, dy), CLAMP ((event->x - frame.x) / frame.width, 0.0, 1.0));

  return GDK_EVENT_STOP;
}

gboolean
gilk_plot_view_leave (GtkWidget        *widget,
                      GdkEventCrossing *event)
{
  GilkPlotView *self = GILK_PLOT_VIEW (widget);

  self->at = NAN;
  if (gilk_plot_view_figure (self) != NULL && self->drag == GILK_PLOT_DRAG_NONE)
    gilk_plot_view_show_stop (self, -1);

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
  gilk_plot_view_show_stop (self, next);
  self->marking = TRUE;
  c = self->mark_at < d ? d : c;
  if (c != self->mark_at)
    g_signal_emit (self, gilk_plot_view_signals[GILK_PLOT_VIEW_MARKED], 0, MIN (self->mark_at, c), MAX (self->mark_at, c));
}

static gboolean
move_position (GilkPlotView *self,
               guint         state,
               int           step)
{
  GilkFigure *figure = gilk_plot_view_figure (self);

  if (figure == NULL)
    return FALSE;
  if ((state & GDK_CONTROL_MASK) != 0)
    gilk_plot_view_pan (self, 0.2 * step);
  else if ((state & GDK_SHIFT_MASK) != 0)
    extend_mark (self, step);
  else
    {
      self->marking = FALSE;
      gilk_plot_view_show_stop (self, CLAMP (self->stop + step, 0, (int) gilk_plot_readout_n_stops (figure) - 1));
    }

  return TRUE;
}

static gboolean
emit_key_signal (GilkPlotView *self,
                 guint         key)
{
  GilkPlotViewSignal what;

  if (key == GDK_KEY_Z || key == GDK_KEY_BackSpace)
    what = GILK_PLOT_VIEW_UNDO;
  else if (key == GDK_KEY_Return || key == GDK_KEY_KP_Enter)
    what = GILK_PLOT_VIEW_ENTER;
  else if (key == GDK_KEY_f || key == GDK_KEY_F)
    what = GILK_PLOT_VIEW_SHOW_ALONE;
  else if (key == GDK_KEY_n || key == GDK_KEY_N)
    what = GILK_PLOT_VIEW_NOTE;
  else
    return FALSE;
  g_signal_emit (self, gilk_plot_view_signals[what], 0);

  return TRUE;
}

gboolean
gilk_plot_view_key_press (GtkWidget   *widget,
                          GdkEventKey *event)
{
  GilkPlotView *self = GILK_PLOT_VIEW (widget);
  guint key = event->keyval;
  int step = key == GDK_KEY_Right ? 1 : key == GDK_KEY_Left ? -1 : 0;

  if (step != 0 && move_position (self, event->state, step))
    return GDK_EVENT_STOP;
  if (key == GDK_KEY_plus || key == GDK_KEY_equal || key == GDK_KEY_KP_Add)
    gilk_plot_view_zoom (self, 1.0 / (ZOOM_STEP * ZOOM_STEP), 0.5);
  else if (key == GDK_KEY_minus || key == GDK_KEY_KP_Subtract)
    gilk_plot_view_zoom (self, ZOOM_STEP * ZOOM_STEP, 0.5);
  else if (key == GDK_KEY_0 || key == GDK_KEY_KP_0 || key == GDK_KEY_Escape)
    clear_mark_or_zoom (self);
  else if ((event->state & GDK_CONTROL_MASK) != 0 || !emit_key_signal (self, key))
    return GTK_WIDGET_CLASS (g_type_class_peek (GTK_TYPE_DRAWING_AREA))->key_press_event (widget, event);

  return GDK_EVENT_STOP;
}
