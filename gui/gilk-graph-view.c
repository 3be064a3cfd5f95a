/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-view.c - the canvas: pan, zoom, select and toggle over a painted graph
 *
 * Zooming keeps the drawing under the pointer where it is. Keys live in
 * gilk-graph-keys.c, the map between drawing and widget in gilk-viewport.c.
 */
#include "gui/gilk-graph-view.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/base/gilk-refusal.h"
#include "gui/gilk-graph-accessible.h"
#include "gui/gilk-graph-keys.h"
#include "gui/gilk-graph-overlay.h"
#include "gui/gilk-style.h"
#include "gui/gilk-text.h"
#include "gui/gilk-viewport.h"

#define ZOOM_STEP    1.15
#define CATCH        11.0        /* pixels around a mark that count as on it */

struct _GilkGraphView {
  GtkDrawingArea  parent_instance;

  GilkGraphData  *data;
  GilkGraphLook   look;
  uint8_t        *marks;
  uint64_t       *hits;

  GilkViewport    port;
  gboolean        placed;        /* the first size is known and the graph was put */
  gboolean        minimap;

  GtkGesture     *drag;
  double          drag_x, drag_y;
  gboolean        dragging;
};

G_DEFINE_TYPE (GilkGraphView, gilk_graph_view, GTK_TYPE_DRAWING_AREA)

enum { SELECTED, TOGGLE, OPEN, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- geometry ---- */

/* As large as the widget is now. */
static GilkViewport *
port_of (GilkGraphView *self)
{
  self->port.width = gtk_widget_get_allocated_width (GTK_WIDGET (self));
  self->port.height = gtk_widget_get_allocated_height (GTK_WIDGET (self));

  return &self->port;
}

static const GilkLayout *
layout_of (GilkGraphView *self)
{
  return self->data->graph->layout;
}

static void
zoom_about (GilkGraphView *self,
            double         factor,
            double         px,
            double         py)
{
  if (self->data == NULL)
    return;

  gilk_viewport_zoom (port_of (self), layout_of (self), self->port.scale * factor, px, py);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
move_by (GilkGraphView *self,
         double         dx,
         double         dy)
{
  gilk_viewport_move (port_of (self), layout_of (self), dx, dy);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
gilk_graph_view_fit (GilkGraphView *self)
{
  if (self->data == NULL)
    return;

  gilk_viewport_fit (port_of (self), layout_of (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
gilk_graph_view_zoom (GilkGraphView *self,
                      double         factor)
{
  const GilkViewport *port = port_of (self);

  zoom_about (self, factor, port->width / 2.0, port->height / 2.0);
}

void
gilk_graph_view_zoom_one (GilkGraphView *self)
{
  gilk_graph_view_zoom (self, 1.0 / self->port.scale);
}

void
gilk_graph_view_block_extents (GilkGraphView *self,
                               int            block,
                               GdkRectangle  *extents)
{
  gilk_viewport_extents (&self->port, &layout_of (self)->blocks[block], extents);
}

void
gilk_graph_view_point_extents (GilkGraphView *self,
                               int            point,
                               GdkRectangle  *extents)
{
  double x, y;

  gilk_graph_point_xy (self->data->graph, point, &x, &y);
  extents->width = extents->height = 14;
  extents->x = round ((x - self->port.x) * self->port.scale) - 7;
  extents->y = round ((y - self->port.y) * self->port.scale) - 7;
}

static void
reveal_block (GilkGraphView *self,
              int            block)
{
  gilk_viewport_reveal (port_of (self), &layout_of (self)->blocks[block], GILK_OVERLAY_LEGEND);
}

/* ---- state ---- */

void
gilk_graph_view_set_data (GilkGraphView *self,
                          GilkGraphData *data)
{
  if (data != NULL)
    gilk_graph_data_ref (data);
  g_clear_pointer (&self->data, gilk_graph_data_unref);
  g_clear_pointer (&self->marks, g_free);
  g_clear_pointer (&self->hits, g_free);
  self->data = data;
  self->look = (GilkGraphLook) { .block = -1, .point = -1, .hover = -1 };
  self->placed = FALSE;
  if (data != NULL)
    {
      self->look.block = data->cfg->entry;
      self->look.point = 2 * data->cfg->entry;
      self->look.recorded = data->choices == NULL;
    }
  gilk_graph_accessible_reset (gtk_widget_get_accessible (GTK_WIDGET (self)));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

GilkGraphData *
gilk_graph_view_data (GilkGraphView *self)
{
  return self->data;
}

const GilkGraphLook *
gilk_graph_view_look (GilkGraphView *self)
{
  return &self->look;
}

void
gilk_graph_view_set_marks (GilkGraphView  *self,
                           const uint8_t  *marks,
                           const uint64_t *hits,
                           gboolean        log_heat)
{
  guint n;

  if (self->data == NULL)
    return;

  n = self->data->cfg->n_blocks;
  g_free (self->marks);
  g_free (self->hits);
  self->marks = g_memdup2 (marks, 2 * n);
  self->hits = hits != NULL ? g_memdup2 (hits, n * sizeof *hits) : NULL;
  self->look.marks = self->marks;
  self->look.hits = self->hits;
  self->look.log_heat = log_heat;
  self->look.hits_max = 0;
  for (guint i = 0; hits != NULL && i < n; i++)
    if (hits[i] != GILK_HITS_UNKNOWN)
      self->look.hits_max = MAX (self->look.hits_max, hits[i]);
  gilk_graph_accessible_update (gtk_widget_get_accessible (GTK_WIDGET (self)));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

GilkMark
gilk_graph_view_mark (GilkGraphView *self,
                      int            point)
{
  return self->marks != NULL ? self->marks[point] : GILK_MARK_FREE;
}

int
gilk_graph_view_point (GilkGraphView *self)
{
  return self->data != NULL ? self->look.point : -1;
}

void
gilk_graph_view_select (GilkGraphView *self,
                        int            point,
                        gboolean       reveal)
{
  if (self->data == NULL || point < 0 || point >= (int) (2 * self->data->cfg->n_blocks))
    return;

  self->look.point = point;
  self->look.block = point / 2;
  if (reveal && self->placed)
    reveal_block (self, point / 2);
  gilk_graph_accessible_update (gtk_widget_get_accessible (GTK_WIDGET (self)));
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[SELECTED], 0, point);
}

void
gilk_graph_view_toggle (GilkGraphView *self,
                        int            point)
{
  if (self->data == NULL || point < 0)
    return;

  gilk_graph_view_select (self, point, FALSE);
  if (self->data->choices != NULL)
    g_signal_emit (self, signals[TOGGLE], 0, point);
}

void
gilk_graph_view_set_minimap (GilkGraphView *self,
                             gboolean       shown)
{
  self->minimap = shown;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* ---- drawing ---- */

static gboolean
on_map (GilkGraphView *self,
        double         x,
        double         y)
{
  return self->minimap && self->data != NULL && gilk_overlay_on_map (port_of (self), x, y);
}

static gboolean
gilk_graph_view_draw (GtkWidget *widget,
                      cairo_t   *cr)
{
  GilkGraphView *self = GILK_GRAPH_VIEW (widget);
  GilkViewport *port;
  GilkPlotStyle style;
  GilkBox visible;

  gilk_style_fill (widget, &style);
  cairo_set_source_rgb (cr, style.background.r, style.background.g, style.background.b);
  cairo_paint (cr);
  if (self->data == NULL)
    return FALSE;
  port = port_of (self);
  if (!self->placed)
    {
      gilk_viewport_start (port, layout_of (self), &layout_of (self)->blocks[self->data->cfg->entry]);
      if (self->look.block != (int) self->data->cfg->entry)          /* chosen meanwhile */
        reveal_block (self, self->look.block);
    }
  self->placed = TRUE;

  visible.x = floor (port->x);
  visible.y = floor (port->y);
  visible.width = ceil (port->width / port->scale) + 1;
  visible.height = ceil (port->height / port->scale) + 1;
  self->look.focus = gtk_widget_has_focus (widget);

  cairo_save (cr);
  cairo_scale (cr, port->scale, port->scale);
  cairo_translate (cr, -port->x, -port->y);
  gilk_graph_paint (cr, self->data->graph, &style, &self->look, &visible, port->scale);
  cairo_restore (cr);

  if (self->minimap)
    gilk_overlay_map (cr, port, self->data->graph, &style, &self->look, &visible);
  gilk_overlay_legend (cr, port, &style, &self->look);

  return FALSE;
}

/* ---- pointer ---- */

static int
point_under (GilkGraphView *self,
             double         x,
             double         y)
{
  if (self->data == NULL || self->data->choices == NULL || on_map (self, x, y))
    return -1;

  return gilk_graph_point_at (self->data->graph, x / self->port.scale + self->port.x,
                              y / self->port.scale + self->port.y, CATCH / self->port.scale);
}

static gboolean
gilk_graph_view_motion (GtkWidget      *widget,
                        GdkEventMotion *event)
{
  GilkGraphView *self = GILK_GRAPH_VIEW (widget);
  int point = point_under (self, event->x, event->y);

  if (point != self->look.hover)
    {
      g_autoptr(GdkCursor) cursor = gdk_cursor_new_from_name (gtk_widget_get_display (widget),
                                                              point >= 0 ? "pointer" : "default");

      self->look.hover = point;
      gdk_window_set_cursor (gtk_widget_get_window (widget), cursor);
      gtk_widget_trigger_tooltip_query (widget);
      gtk_widget_queue_draw (widget);
    }

  return GDK_EVENT_PROPAGATE;
}

static gboolean
gilk_graph_view_scroll (GtkWidget      *widget,
                        GdkEventScroll *event)
{
  GilkGraphView *self = GILK_GRAPH_VIEW (widget);
  double dx = 0, dy = 0;

  if (self->data == NULL)
    return GDK_EVENT_PROPAGATE;
  if (!gdk_event_get_scroll_deltas ((GdkEvent *) event, &dx, &dy))
    {
      dx = event->direction == GDK_SCROLL_RIGHT ? 1 : event->direction == GDK_SCROLL_LEFT ? -1 : 0;
      dy = event->direction == GDK_SCROLL_DOWN ? 1 : event->direction == GDK_SCROLL_UP ? -1 : 0;
    }

  if (event->state & GDK_CONTROL_MASK)
    {
      zoom_about (self, pow (ZOOM_STEP, -dy), event->x, event->y);
      return GDK_EVENT_STOP;
    }
  if (event->state & GDK_SHIFT_MASK && dx == 0)
    {
      dx = dy;
      dy = 0;
    }
  move_by (self, dx * 64 / self->port.scale, dy * 64 / self->port.scale);

  return GDK_EVENT_STOP;
}

static void
centre_from_map (GilkGraphView *self,
                 double         x,
                 double         y)
{
  const GilkViewport *port = port_of (self);

  gilk_overlay_from_map (port, layout_of (self), &x, &y);
  move_by (self, x - port->width / (2 * port->scale) - port->x,
           y - port->height / (2 * port->scale) - port->y);
}

static void
drag_begin (GtkGestureDrag *gesture,
            double          x,
            double          y,
            GilkGraphView  *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->drag_x = self->port.x;
  self->drag_y = self->port.y;
  self->dragging = FALSE;
  if (on_map (self, x, y))
    centre_from_map (self, x, y);
}

static void
drag_update (GtkGestureDrag *gesture,
             double          dx,
             double          dy,
             GilkGraphView  *self)
{
  double x, y;

  if (self->data == NULL)
    return;
  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  if (on_map (self, x, y))
    {
      centre_from_map (self, x + dx, y + dy);
      return;
    }
  if (!self->dragging && hypot (dx, dy) < 4)
    return;

  self->dragging = TRUE;
  move_by (self, self->drag_x - dx / self->port.scale - self->port.x,
           self->drag_y - dy / self->port.scale - self->port.y);
}

/* A press and release without a drag between is a click. */
static void
drag_end (GtkGestureDrag *gesture,
          double          dx,
          double          dy,
          GilkGraphView  *self)
{
  double x, y;
  int point, block;

  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  if (self->dragging || self->data == NULL || on_map (self, x, y) ||
      gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture)) != GDK_BUTTON_PRIMARY)
    return;

  point = point_under (self, x, y);
  block = gilk_graph_block_at (self->data->graph, x / self->port.scale + self->port.x,
                               y / self->port.scale + self->port.y);
  if (point >= 0)
    gilk_graph_view_toggle (self, point);
  else if (block >= 0)
    gilk_graph_view_select (self, 2 * block + (self->look.point & 1), FALSE);
}

/* ---- tooltip ---- */

static gboolean
gilk_graph_view_query_tooltip (GtkWidget  *widget,
                               int         x,
                               int         y,
                               gboolean    keyboard,
                               GtkTooltip *tooltip)
{
  GilkGraphView *self = GILK_GRAPH_VIEW (widget);
  int point = keyboard ? self->look.point : point_under (self, x, y);
  g_autofree char *text = NULL;
  const GilkChoice *choice;
  const char *title;
  GdkRectangle area;

  if (self->data == NULL || self->data->choices == NULL || point < 0)
    return FALSE;

  choice = &self->data->choices[point];
  title = self->data->graph->titles[point / 2];
  if (choice->refusal != 0)
    text = g_strdup_printf (_("%s of block %s cannot be hooked.\n%s\n%s"),
                            point % 2 == 0 ? _("Start") : _("End"), title,
                            gilk_refusal_cause (choice->refusal),
                            gilk_refusal_remedy (choice->refusal));
  else
    text = g_strdup_printf (_("%s of block %s\n%s, a count costs %u instructions a hit%s%s\nClick to %s"),
                            point % 2 == 0 ? _("Pre-hook") : _("Post-hook"), title,
                            gilk_text_tactic (choice->tactic),
                            choice->cost,
                            choice->why_not_splice != 0 ? _("\nNo splice: ") : "",
                            choice->why_not_splice != 0 ? gilk_refusal_cause (choice->why_not_splice) : "",
                            gilk_graph_view_mark (self, point) == GILK_MARK_FREE ? _("plan it")
                                                                                 : _("take it out of the plan"));
  gtk_tooltip_set_text (tooltip, text);
  gilk_graph_view_point_extents (self, point, &area);
  gtk_tooltip_set_tip_area (tooltip, &area);

  return TRUE;
}

static gboolean
gilk_graph_view_key_press (GtkWidget   *widget,
                           GdkEventKey *event)
{
  GilkGraphView *self = GILK_GRAPH_VIEW (widget);

  if (self->data != NULL && event->keyval == GDK_KEY_Return)
    {
      g_signal_emit (self, signals[OPEN], 0);
      return GDK_EVENT_STOP;
    }
  if (self->data != NULL && gilk_graph_keys_handle (self, event))
    return GDK_EVENT_STOP;

  return GTK_WIDGET_CLASS (gilk_graph_view_parent_class)->key_press_event (widget, event);
}

static gboolean
redraw_on_focus (GtkWidget     *widget,
                 GdkEventFocus *event)
{
  gtk_widget_queue_draw (widget);

  return GDK_EVENT_PROPAGATE;
}

/* A message above takes height away: the block one works at stays in view. */
static void
gilk_graph_view_size_allocate (GtkWidget     *widget,
                               GtkAllocation *allocation)
{
  GilkGraphView *self = GILK_GRAPH_VIEW (widget);
  int block = self->look.point / 2, before = port_of (self)->height;
  GdkRectangle box = { .y = -1 };

  if (self->placed && self->look.point >= 0)
    gilk_graph_view_block_extents (self, block, &box);
  GTK_WIDGET_CLASS (gilk_graph_view_parent_class)->size_allocate (widget, allocation);
  if (allocation->height < before && box.y >= 0 && box.y < before)
    reveal_block (self, block);
}

static void
gilk_graph_view_finalize (GObject *object)
{
  GilkGraphView *self = GILK_GRAPH_VIEW (object);

  g_clear_pointer (&self->data, gilk_graph_data_unref);
  g_free (self->marks);
  g_free (self->hits);
  g_clear_object (&self->drag);
  G_OBJECT_CLASS (gilk_graph_view_parent_class)->finalize (object);
}

static void
gilk_graph_view_class_init (GilkGraphViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gilk_graph_view_finalize;
  widget_class->size_allocate = gilk_graph_view_size_allocate;
  widget_class->draw = gilk_graph_view_draw;
  widget_class->motion_notify_event = gilk_graph_view_motion;
  widget_class->scroll_event = gilk_graph_view_scroll;
  widget_class->key_press_event = gilk_graph_view_key_press;
  widget_class->focus_in_event = redraw_on_focus;
  widget_class->focus_out_event = redraw_on_focus;
  widget_class->query_tooltip = gilk_graph_view_query_tooltip;
  gtk_widget_class_set_accessible_type (widget_class, GILK_TYPE_GRAPH_ACCESSIBLE);

  signals[SELECTED] = g_signal_new ("selected", GILK_TYPE_GRAPH_VIEW, G_SIGNAL_RUN_LAST,
                                    0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  signals[TOGGLE] = g_signal_new ("toggle", GILK_TYPE_GRAPH_VIEW, G_SIGNAL_RUN_LAST,
                                  0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  signals[OPEN] = g_signal_new ("open", GILK_TYPE_GRAPH_VIEW, G_SIGNAL_RUN_LAST,
                                0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
gilk_graph_view_init (GilkGraphView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->look = (GilkGraphLook) { .block = -1, .point = -1, .hover = -1 };
  self->port.scale = 1;
  self->minimap = TRUE;
  gtk_widget_set_can_focus (widget, TRUE);
  gtk_widget_set_has_tooltip (widget, TRUE);
  gtk_widget_add_events (widget, GDK_POINTER_MOTION_MASK | GDK_SCROLL_MASK |
                         GDK_SMOOTH_SCROLL_MASK | GDK_BUTTON_PRESS_MASK |
                         GDK_BUTTON_RELEASE_MASK | GDK_KEY_PRESS_MASK | GDK_FOCUS_CHANGE_MASK);

  self->drag = gtk_gesture_drag_new (widget);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (self->drag), 0);
  g_signal_connect (self->drag, "drag-begin", G_CALLBACK (drag_begin), self);
  g_signal_connect (self->drag, "drag-update", G_CALLBACK (drag_update), self);
  g_signal_connect (self->drag, "drag-end", G_CALLBACK (drag_end), self);
}
