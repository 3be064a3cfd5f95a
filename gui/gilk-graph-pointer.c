/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-pointer.c - mouse, touchpad and touch on the canvas
 */
#include "gui/gilk-graph-view-private.h"

#include <math.h>

#include "gui/gilk-graph-overlay.h"

#define ZOOM_STEP    1.15
#define CATCH        11.0        /* pixels around a mark that count as on it */
#define STILL        4           /* pixels that a click may wander */

typedef enum {
  DRAG_NONE,                     /* so far a click */
  DRAG_PAN,
  DRAG_MAP,
} Drag;

struct _GilkGraphPointer {
  GilkGraphView *view;           /* owns this */
  GtkGesture    *drag, *zoom;
  Drag           kind;
  double         from_x, from_y; /* the viewport's when the drag began */
  double         zoom_from;      /* its scale when two fingers came down */
};

static void
to_drawing (GilkGraphView *view,
            double        *x,
            double        *y)
{
  *x = *x / view->port.scale + view->port.x;
  *y = *y / view->port.scale + view->port.y;
}

/* ---- what is under it ---- */

int
gilk_graph_pointer_point (GilkGraphPointer *self,
                          double            x,
                          double            y)
{
  GilkGraphView *view = self->view;

  if (view->data == NULL || view->data->choices == NULL || gilk_graph_view_on_map (view, x, y))
    return -1;
  to_drawing (view, &x, &y);

  return gilk_graph_point_at (view->data->graph, x, y, CATCH / view->port.scale);
}

static void
show_hover (GilkGraphPointer *self,
            int               point)
{
  GtkWidget *widget = GTK_WIDGET (self->view);
  g_autoptr(GdkCursor) cursor = NULL;

  if (point == self->view->look.hover)
    return;

  cursor = gdk_cursor_new_from_name (gtk_widget_get_display (widget), point >= 0 ? "pointer" : "default");
  self->view->look.hover = point;
  gdk_window_set_cursor (gtk_widget_get_window (widget), cursor);
  gtk_widget_trigger_tooltip_query (widget);
  gtk_widget_queue_draw (widget);
}

void
gilk_graph_pointer_motion (GilkGraphPointer *self,
                           double            x,
                           double            y)
{
  if (self->kind == DRAG_NONE)
    show_hover (self, gilk_graph_pointer_point (self, x, y));
}

void
gilk_graph_pointer_leave (GilkGraphPointer *self)
{
  show_hover (self, -1);
}

/* ---- wheel and two fingers ---- */

gboolean
gilk_graph_pointer_scroll (GilkGraphPointer     *self,
                           const GdkEventScroll *event)
{
  GilkGraphView *view = self->view;
  double dx = 0, dy = 0;

  if (view->data == NULL)
    return GDK_EVENT_PROPAGATE;
  if (!gdk_event_get_scroll_deltas ((const GdkEvent *) event, &dx, &dy))
    {
      dx = event->direction == GDK_SCROLL_RIGHT ? 1 : event->direction == GDK_SCROLL_LEFT ? -1 : 0;
      dy = event->direction == GDK_SCROLL_DOWN ? 1 : event->direction == GDK_SCROLL_UP ? -1 : 0;
    }

  if (event->state & GDK_CONTROL_MASK)
    {
      gilk_graph_view_zoom_at (view, pow (ZOOM_STEP, -dy), event->x, event->y);
      return GDK_EVENT_STOP;
    }
  if (event->state & GDK_SHIFT_MASK && dx == 0)
    {
      dx = dy;
      dy = 0;
    }
  gilk_graph_view_move (view, dx * 64 / view->port.scale, dy * 64 / view->port.scale);

  return GDK_EVENT_STOP;
}

static void
zoom_begin (GtkGesture       *gesture,
            GdkEventSequence *sequence,
            GilkGraphPointer *self)
{
  self->zoom_from = self->view->port.scale;
  gtk_gesture_set_state (self->drag, GTK_EVENT_SEQUENCE_DENIED);
}

static void
zoom_changed (GtkGestureZoom   *gesture,
              double            scale,
              GilkGraphPointer *self)
{
  double x, y;

  if (gtk_gesture_get_bounding_box_center (GTK_GESTURE (gesture), &x, &y))
    gilk_graph_view_zoom_at (self->view, scale * self->zoom_from / self->view->port.scale, x, y);
}

/* ---- drags and clicks ---- */

static void
centre_from_map (GilkGraphView *view,
                 double         x,
                 double         y)
{
  const GilkViewport *port = gilk_graph_view_port (view);

  gilk_overlay_from_map (port, gilk_graph_view_layout (view), &x, &y);
  gilk_graph_view_move (view, x - port->width / (2 * port->scale) - port->x,
                        y - port->height / (2 * port->scale) - port->y);
}

static void
drag_begin (GtkGestureDrag   *gesture,
            double            x,
            double            y,
            GilkGraphPointer *self)
{
  GilkGraphView *view = self->view;

  gtk_widget_grab_focus (GTK_WIDGET (view));
  self->from_x = view->port.x;
  self->from_y = view->port.y;
  self->kind = DRAG_NONE;
  if (gilk_graph_view_on_map (view, x, y))
    {
      self->kind = DRAG_MAP;
      centre_from_map (view, x, y);
    }
}

static void
show_grip (GilkGraphPointer *self,
           const char       *name)
{
  GtkWidget *widget = GTK_WIDGET (self->view);
  g_autoptr(GdkCursor) cursor = gdk_cursor_new_from_name (gtk_widget_get_display (widget), name);

  gdk_window_set_cursor (gtk_widget_get_window (widget), cursor);
}

static void
drag_update (GtkGestureDrag   *gesture,
             double            dx,
             double            dy,
             GilkGraphPointer *self)
{
  GilkGraphView *view = self->view;
  double x, y;

  if (view->data == NULL)
    return;
  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  if (self->kind == DRAG_MAP)
    {
      centre_from_map (view, x + dx, y + dy);
      return;
    }
  if (self->kind == DRAG_NONE)
    {
      if (hypot (dx, dy) < STILL)
        return;
      show_hover (self, -1);
      show_grip (self, "grabbing");
      self->kind = DRAG_PAN;
    }

  gilk_graph_view_move (view, self->from_x - dx / view->port.scale - view->port.x,
                        self->from_y - dy / view->port.scale - view->port.y);
}

static void
clicked (GilkGraphPointer *self,
         double            x,
         double            y)
{
  GilkGraphView *view = self->view;
  int point = gilk_graph_pointer_point (self, x, y), block;

  if (point >= 0)
    {
      gilk_graph_view_toggle (view, point);
      return;
    }
  to_drawing (view, &x, &y);
  block = gilk_graph_block_at (view->data->graph, x, y);
  if (block < 0)
    return;

  gilk_graph_view_select (view, 2 * block + (view->look.point & 1), FALSE);
  gilk_graph_view_uncover (view, block);
}

static void
drag_end (GtkGestureDrag   *gesture,
          double            dx,
          double            dy,
          GilkGraphPointer *self)
{
  gboolean click = self->kind == DRAG_NONE && self->view->data != NULL &&
                   gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture)) == GDK_BUTTON_PRIMARY;
  double x, y;

  if (self->kind == DRAG_PAN)
    show_grip (self, "default");
  self->kind = DRAG_NONE;
  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  if (click)
    clicked (self, x, y);
}

GilkGraphPointer *
gilk_graph_pointer_new (GilkGraphView *view)
{
  GilkGraphPointer *self = g_new0 (GilkGraphPointer, 1);

  self->view = view;
  self->drag = gtk_gesture_drag_new (GTK_WIDGET (view));
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (self->drag), 0);
  g_signal_connect (self->drag, "drag-begin", G_CALLBACK (drag_begin), self);
  g_signal_connect (self->drag, "drag-update", G_CALLBACK (drag_update), self);
  g_signal_connect (self->drag, "drag-end", G_CALLBACK (drag_end), self);
  self->zoom = gtk_gesture_zoom_new (GTK_WIDGET (view));
  g_signal_connect (self->zoom, "begin", G_CALLBACK (zoom_begin), self);
  g_signal_connect (self->zoom, "scale-changed", G_CALLBACK (zoom_changed), self);

  return self;
}

void
gilk_graph_pointer_free (GilkGraphPointer *self)
{
  g_object_unref (self->drag);
  g_object_unref (self->zoom);
  g_free (self);
}
