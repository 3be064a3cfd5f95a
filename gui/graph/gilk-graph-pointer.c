/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-pointer.c - mouse, touchpad and touch input of the graph
 */
#include "gui/graph/gilk-graph-input.h"

#include <math.h>

#include "core/plot/gilk-graph-paint.h"
#include "gui/graph/gilk-graph-selection.h"
#include "gui/graph/gilk-graph-view-private.h"

#define ZOOM_STEP    1.15
#define MARK_SLOP        11.0    /* pixels around a mark that count as part of the mark */
#define EDGE_SLOP   5.0          /* pixels around an edge that count as part of the edge */
#define CLICK_SLOP        4      /* pixels the pointer may move during a click */
#define TITLE_HEIGHT        22   /* height of a block's title, in drawing units */

typedef enum {
  DRAG_NONE,                     /* the pointer has not moved far enough for a drag */
  DRAG_PAN,
  DRAG_MAP,
  DRAG_BAND,
} Drag;

struct _GilkGraphPointer {
  GilkGraphView *view;           /* owner */
  GtkGesture    *drag, *zoom;
  Drag           kind;
  double         from_x, from_y; /* the viewport's position at the start of the drag */
  guint          n_shared;       /* number of edges that share the line under the pointer */
  gint64         clicked_at;     /* time of the last click on @clicked, to detect a double click */
  int            clicked;
  int            clicked_block;  /* last clicked block, if it is a fold or a loop header; -1:
                                  * none */
  double         zoom_from;      /* scale of the drawing at the start of the pinch gesture */
};

static void
convert_to_drawing (GilkGraphView *view,
                    double        *x,
                    double        *y)
{
  *x = *x / view->port.scale + view->port.x;
  *y = *y / view->port.scale + view->port.y;
}

/* ---- what is under the pointer ---- */

int
gilk_graph_pointer_point (GilkGraphPointer *self,
                          double            x,
                          double            y)
{
  GilkGraphView *view = self->view;

  if (view->data == NULL || view->data->choices == NULL || gilk_graph_view_is_covered (view, x, y))
    return -1;
  convert_to_drawing (view, &x, &y);

  return gilk_graph_point_at (view->data->graph, x, y, MARK_SLOP / view->port.scale);
}

static int
find_block_at (GilkGraphPointer *self,
               double            x,
               double            y)
{
  if (self->view->data == NULL || gilk_graph_view_is_covered (self->view, x, y))
    return -1;
  convert_to_drawing (self->view, &x, &y);

  return gilk_graph_block_at (self->view->data->graph, x, y);
}

static int
find_edge_at (GilkGraphPointer *self,
              double            x,
              double            y)
{
  GilkGraphView *view = self->view;

  if (view->data == NULL || gilk_graph_view_is_covered (view, x, y) || find_block_at (self, x, y) >= 0)
    return -1;
  convert_to_drawing (view, &x, &y);

  return gilk_graph_edge_at (view->data->graph, x, y, EDGE_SLOP / view->port.scale, &self->n_shared);
}

guint
gilk_graph_pointer_shared (GilkGraphPointer *self)
{
  return self->n_shared;
}

static void
show_cursor (GilkGraphPointer *self,
             const char       *name)
{
  GtkWidget *widget = GTK_WIDGET (self->view);
  g_autoptr(GdkCursor) cursor = gdk_cursor_new_from_name (gtk_widget_get_display (widget), name);

  gdk_window_set_cursor (gtk_widget_get_window (widget), cursor);
}

static void
show_hover (GilkGraphPointer *self,
            int               point,
            int               edge)
{
  GilkGraphLook *look = &self->view->look;

  if (point == look->hover && (edge >= 0) == look->has_edge && (edge < 0 || (guint) edge == look->edge))
    return;

  look->hover = point;
  look->has_edge = edge >= 0;
  look->edge = MAX (edge, 0);
  show_cursor (self, point >= 0 || edge >= 0 ? "pointer" : "default");
  gtk_widget_trigger_tooltip_query (GTK_WIDGET (self->view));
  gtk_widget_queue_draw (GTK_WIDGET (self->view));
}

void
gilk_graph_pointer_motion (GilkGraphPointer *self,
                           double            x,
                           double            y)
{
  int point;

  if (self->kind != DRAG_NONE)
    return;
  point = gilk_graph_pointer_point (self, x, y);
  show_hover (self, point, point < 0 ? find_edge_at (self, x, y) : -1);
}

void
gilk_graph_pointer_leave (GilkGraphPointer *self)
{
  show_hover (self, -1, -1);
}

/* ---- scrolling and zooming by wheel and pinch ---- */

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

  gilk_overlay_from_map (&view->map, gilk_graph_view_layout (view), &x, &y);
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
      view->drags_map = TRUE;
      centre_from_map (view, x, y);
    }
}

static GdkModifierType
get_modifiers (GtkGesture *gesture)
{
  const GdkEvent *event = gtk_gesture_get_last_event (gesture, NULL);
  GdkModifierType state = 0;

  if (event != NULL)
    gdk_event_get_state (event, &state);

  return state;
}

static void
start_drag (GilkGraphPointer *self)
{
  gboolean band = get_modifiers (self->drag) & GDK_SHIFT_MASK;

  show_hover (self, -1, -1);
  show_cursor (self, band ? "crosshair" : "grabbing");
  self->kind = band ? DRAG_BAND : DRAG_PAN;
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
  if (self->kind == DRAG_NONE && hypot (dx, dy) < CLICK_SLOP)
    return;
  if (self->kind == DRAG_NONE)
    start_drag (self);

  if (self->kind == DRAG_BAND)
    {
      view->band = (GdkRectangle) { MIN (x, x + dx), MIN (y, y + dy), fabs (dx) + 1, fabs (dy) + 1 };
      gtk_widget_queue_draw (GTK_WIDGET (view));
    }
  else
    gilk_graph_view_move (view, self->from_x - dx / view->port.scale - view->port.x,
                          self->from_y - dy / view->port.scale - view->port.y);
}

/* Returns the farther end of the edge at x,y; if several edges share the line, their common
   target. */
static guint
find_far_end (GilkGraphPointer *self,
              const GilkEdge   *edge,
              double            x,
              double            y,
              GdkModifierType   state)
{
  const GilkBox *boxes = gilk_graph_view_layout (self->view)->blocks;
  const GilkBox *from = &boxes[edge->from], *to = &boxes[edge->to];

  if (state & GDK_CONTROL_MASK || (self->n_shared > 1 && !(state & GDK_MOD1_MASK)))
    return edge->to;
  if (state & GDK_MOD1_MASK)
    return edge->from;
  convert_to_drawing (self->view, &x, &y);

  return hypot (from->x + from->width / 2.0 - x, from->y + from->height - y) >
         hypot (to->x + to->width / 2.0 - x, to->y - y) ? edge->from : edge->to;
}

/* Selects @block, and the instruction that is drawn at @y if there is one. */
static void
select_insn_at (GilkGraphView *view,
                int            block,
                double         y)
{
  int insn = gilk_graph_insn_at (view->data->graph, block, y / view->port.scale + view->port.y);

  view->look.insn = -1;
  if (insn >= 0)
    gilk_graph_view_select_insn (view, insn, FALSE);
  else
    gilk_graph_view_select (view, 2 * block + (view->look.point & 1), FALSE);
}

/* Returns @block if a double click at @y folds or unfolds it, else -1. */
static int
find_foldable (GilkGraphView *view,
               int            block,
               double         y)
{
  const GilkBox *box = &gilk_graph_view_layout (view)->blocks[block];
  gboolean folded = gilk_graph_folded (view->data->graph, (guint) block) > 1;
  gboolean head = (view->data->cfg->blocks[block].flags & GILK_BLOCK_LOOP_HEAD) != 0;

  return folded || (head && y / view->port.scale + view->port.y < box->y + TITLE_HEIGHT) ? block : -1;
}

static void
handle_double_click (GilkGraphPointer *self,
                     int               block)
{
  gint64 now = g_get_monotonic_time ();
  int insn = self->view->look.insn, within;
  gboolean soon;

  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self->view)), "gtk-double-click-time", &within, NULL);
  soon = now - self->clicked_at < within * (gint64) 1000;
  if (block >= 0 && block == self->clicked_block && soon)
    {
      gilk_graph_view_fold (self->view, GILK_FOLD_TOGGLE);
      block = -1;
    }
  else if (insn >= 0 && insn == self->clicked && soon)
    g_signal_emit_by_name (self->view, "follow", (guint) insn);
  self->clicked = insn;
  self->clicked_block = block;
  self->clicked_at = now;
}

static void
handle_click (GilkGraphPointer *self,
              double            x,
              double            y,
              GdkModifierType   state)
{
  GilkGraphView *view = self->view;
  int point = gilk_graph_pointer_point (self, x, y), block = find_block_at (self, x, y), edge;

  if (point >= 0)
    gilk_graph_view_toggle (view, point);
  else if (block >= 0 && state & GDK_SHIFT_MASK)
    gilk_graph_selection_toggle (view, block);
  else if (block >= 0)
    {
      select_insn_at (view, block, y);
      handle_double_click (self, find_foldable (view, block, y));
    }
  else if ((edge = find_edge_at (self, x, y)) >= 0)
    gilk_graph_view_jump (view, find_far_end (self, &view->data->cfg->edges[edge], x, y, state));
  else if (!(state & GDK_SHIFT_MASK))
    gilk_graph_selection_clear (view);
}

static void
emit_menu_at (GilkGraphPointer *self,
              double            x,
              double            y)
{
  int block = find_block_at (self, x, y);

  if (block >= 0 && block != self->view->look.block)
    gilk_graph_view_select (self->view, 2 * block + (self->view->look.point & 1), FALSE);
  g_signal_emit_by_name (self->view, "menu", gtk_gesture_get_last_event (self->drag, NULL));
}

static void
drag_end (GtkGestureDrag   *gesture,
          double            dx,
          double            dy,
          GilkGraphPointer *self)
{
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));
  Drag kind = self->kind;
  double x, y;

  self->kind = DRAG_NONE;
  self->view->drags_map = FALSE;
  if (kind == DRAG_PAN || kind == DRAG_BAND)
    show_cursor (self, "default");
  if (self->view->data == NULL)
    return;

  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  if (kind == DRAG_BAND)
    {
      gilk_graph_selection_add_band (self->view, &self->view->band);
      self->view->band.width = 0;
    }
  else if (kind == DRAG_NONE && button == GDK_BUTTON_PRIMARY)
    handle_click (self, x, y, get_modifiers (self->drag));
  else if (kind == DRAG_NONE && button == GDK_BUTTON_SECONDARY)
    emit_menu_at (self, x, y);
}

GilkGraphPointer *
gilk_graph_pointer_new (GilkGraphView *view)
{
  GilkGraphPointer *self = g_new0 (GilkGraphPointer, 1);

  self->view = view;
  self->clicked_block = -1;
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
