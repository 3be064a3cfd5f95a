/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-calls-canvas.c - drawing of a call graph: pan, zoom and selection of a function
 */
#include "gui/graph/gilk-calls.h"

#include <glib/gi18n.h>
#include <math.h>

#include "gui/base/gilk-canvas.h"
#include "gui/base/gilk-object.h"
#include "gui/base/gilk-settings.h"
#include "gui/base/gilk-text.h"

#define ZOOM_STEP 1.15
#define MIN_SCALE  0.75
#define CLICK_SLOP     4            /* pixels the pointer may move during a click */

struct _GilkCallsCanvas {
  GtkDrawingArea    parent_instance;

  GilkCallsPicture *picture;
  GilkCallsLook     look;
  GilkViewport      port;
  gboolean          placed;
  GtkGesture       *drag;
  double            from_x, from_y;
  gboolean          dragged;
};

G_DEFINE_FINAL_TYPE (GilkCallsCanvas, gilk_calls_canvas, GTK_TYPE_DRAWING_AREA)

/* ---- positions and scale of the drawing ---- */

static GilkViewport *
update_port (GilkCallsCanvas *self)
{
  self->port.width = gtk_widget_get_allocated_width (GTK_WIDGET (self));
  self->port.height = gtk_widget_get_allocated_height (GTK_WIDGET (self));

  return &self->port;
}

/* Returns the drawing coordinate at which the visible range starts on one axis. If the whole
 * drawing (@all) fits into the visible size @seen, centres the drawing; otherwise centres the box
 * that starts at @start and has the size @size. */
static double
compute_origin (int    all,
                int    start,
                int    size,
                double seen)
{
  return all <= seen ? (all - seen) / 2 : start + size / 2.0 - seen / 2;
}

/* Fits the whole graph into the widget if the graph is readable at that scale; otherwise centres
 * the root function. */
static void
place_picture (GilkCallsCanvas *self)
{
  GilkViewport *port = update_port (self);
  const GilkBox *box = &self->picture->layout->blocks[0];

  gilk_viewport_fit (port, self->picture->layout);
  if (port->scale < MIN_SCALE)
    {
      port->scale = MIN_SCALE;
      port->x = compute_origin (self->picture->layout->width, box->x, box->width, port->width / port->scale);
      port->y = compute_origin (self->picture->layout->height, box->y, box->height, port->height / port->scale);
    }
  self->placed = TRUE;
}

static int
find_node_at (GilkCallsCanvas *self,
              double           x,
              double           y)
{
  if (self->picture == NULL)
    return -1;

  return gilk_calls_node_at (self->picture, x / self->port.scale + self->port.x, y / self->port.scale + self->port.y);
}

static void
get_extents (GilkCallsCanvas *self,
             int              node,
             GdkRectangle    *extents)
{
  gilk_viewport_extents (update_port (self), &self->picture->layout->blocks[node], extents);
}

void
gilk_calls_canvas_zoom (GilkCallsCanvas *self,
                        double           factor)
{
  GilkViewport *port = update_port (self);

  if (self->picture == NULL)
    return;
  if (factor == GILK_CALLS_ZOOM_FIT)
    gilk_viewport_fit (port, self->picture->layout);
  else
    gilk_viewport_zoom (port, self->picture->layout, factor < 0 ? 1 : port->scale * factor, port->width / 2.0,
                        port->height / 2.0);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* ---- the call graph and its current node ---- */

/* Returns the node of @picture that shows the same function as the current node of the previous
 * picture; -1: there is none. */
static int
find_same_node (GilkCallsCanvas        *self,
                const GilkCallsPicture *picture)
{
  const GilkAroundNode *was = &self->picture->around->nodes[MAX (self->look.current, 0)];

  for (guint i = 0; i < picture->around->n_nodes; i++)
    if (picture->around->nodes[i].function == was->function && (picture->around->nodes[i].more > 0) == (was->more > 0))
      return (int) i;

  return -1;
}

void
gilk_calls_canvas_set_picture (GilkCallsCanvas  *self,
                               GilkCallsPicture *picture,
                               gboolean          keep)
{
  AtkObject *accessible = gtk_widget_get_accessible (GTK_WIDGET (self));
  int same = keep && self->picture != NULL && picture != NULL ? find_same_node (self, picture) : -1;

  if (picture != NULL)
    gilk_calls_picture_ref (picture);
  if (same >= 0)
    {
      const GilkBox *was = &self->picture->layout->blocks[MAX (self->look.current, 0)], *is = &picture->layout->blocks[same];

      self->port.x += is->x - was->x;
      self->port.y += is->y - was->y;
    }
  g_clear_pointer (&self->picture, gilk_calls_picture_unref);
  self->picture = picture;
  self->look = (GilkCallsLook) { MAX (same, 0), -1, FALSE };
  self->placed = self->placed && same >= 0;
  if (GILK_IS_CANVAS_ACCESSIBLE (accessible))
    gilk_canvas_accessible_reset (GILK_CANVAS_ACCESSIBLE (accessible));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

GilkCallsPicture *
gilk_calls_canvas_picture (GilkCallsCanvas *self)
{
  return self->picture;
}

static int
get_current (GilkCallsCanvas *self)
{
  return self->picture != NULL ? self->look.current : -1;
}

static void
select_node (GilkCallsCanvas *self,
             int              node)
{
  AtkObject *accessible = gtk_widget_get_accessible (GTK_WIDGET (self));

  if (self->picture == NULL || node < 0 || node >= (int) self->picture->around->n_nodes)
    return;
  self->look.current = node;
  if (self->placed)
    gilk_viewport_scroll_to (update_port (self), &self->picture->layout->blocks[node]);
  if (GILK_IS_CANVAS_ACCESSIBLE (accessible))
    gilk_canvas_accessible_set_current (GILK_CANVAS_ACCESSIBLE (accessible), node);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
activate_node (GilkCallsCanvas *self,
               int              node)
{
  select_node (self, node);
  g_signal_emit_by_name (self, "activated", node);
}

/* ---- text descriptions of functions ---- */

static void
append_callers (GilkCallsCanvas *self,
                int              node,
                GString         *text)
{
  const GilkCallAround *around = self->picture->around;

  for (guint i = 0; i < around->n_edges; i++)
    {
      const GilkAroundEdge *edge = &around->edges[i];
      g_autofree char *seen = gilk_text_count (edge->seen);

      if ((int) edge->to != node || around->nodes[edge->from].more > 0)
        continue;
      g_string_append_printf (text, _("\ncalled by %s"), self->picture->names[edge->from]);
      if (edge->n > 0)
        g_string_append_printf (text, g_dngettext (NULL, ", at %u call site", ", at %u call sites", edge->n), edge->n);
      if (edge->n > 0 && edge->n == edge->n_tail)
        g_string_append (text, _(", by tail call"));
      if (edge->seen > 0)
        g_string_append_printf (text, _(", %s times through a pointer"), seen);
    }
}

/* Returns a description of @node for a tooltip and for screen readers. (transfer full) */
static char *
describe_node (GilkCallsCanvas *self,
               int              node)
{
  const GilkAroundNode *at = &self->picture->around->nodes[node];
  GString *text = g_string_new (NULL);

  if (at->more > 0)
    {
      g_string_printf (text, at->level < 0 ? g_dngettext (NULL, "%u more caller of %s", "%u more callers of %s", at->more)
                                           : g_dngettext (NULL, "%u more callee of %s", "%u more callees of %s", at->more),
                       at->more, at->function->name);
      return g_string_free (text, FALSE);
    }
  g_string_printf (text, "%s [%s]", self->picture->names[node], self->picture->modules[node]);
  if (self->picture->hits[node] != GILK_CALLS_UNKNOWN)
    {
      g_autofree char *count = gilk_text_count (self->picture->hits[node]);

      g_string_append_printf (text, _(", %s hits"), count);
    }
  g_string_append_printf (text, g_dngettext (NULL, ", %u direct caller", ", %u direct callers", at->n_callers),
                          at->n_callers);
  append_callers (self, node, text);

  return g_string_free (text, FALSE);
}

/* ---- drawing the call graph ---- */

static gboolean
gilk_calls_canvas_draw (GtkWidget *widget,
                        cairo_t   *cr)
{
  GilkCallsCanvas *self = GILK_CALLS_CANVAS (widget);
  GilkPlotStyle style;

  gilk_style_fill (widget, &style);
  cairo_set_source_rgb (cr, style.background.r, style.background.g, style.background.b);
  cairo_paint (cr);
  if (self->picture == NULL)
    return FALSE;
  if (!self->placed)
    place_picture (self);
  self->look.focus = gtk_widget_has_focus (widget);
  cairo_scale (cr, self->port.scale, self->port.scale);
  cairo_translate (cr, -self->port.x, -self->port.y);
  gilk_calls_paint (cr, self->picture, &style, &self->look);

  return FALSE;
}

/* ---- pointer input ---- */

static void
show_hover (GilkCallsCanvas *self,
            int              node)
{
  g_autoptr(GdkCursor) cursor = NULL;

  if (node == self->look.hover)
    return;
  self->look.hover = node;
  cursor = gdk_cursor_new_from_name (gtk_widget_get_display (GTK_WIDGET (self)), node >= 0 ? "pointer" : "default");
  gdk_window_set_cursor (gtk_widget_get_window (GTK_WIDGET (self)), cursor);
  gtk_widget_trigger_tooltip_query (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
gilk_calls_canvas_motion (GtkWidget      *widget,
                          GdkEventMotion *event)
{
  show_hover (GILK_CALLS_CANVAS (widget), find_node_at (GILK_CALLS_CANVAS (widget), event->x, event->y));

  /* The parent class's handler passes the event to the gestures. */
  return GTK_WIDGET_CLASS (gilk_calls_canvas_parent_class)->motion_notify_event (widget, event);
}

static gboolean
gilk_calls_canvas_leave (GtkWidget        *widget,
                         GdkEventCrossing *event)
{
  show_hover (GILK_CALLS_CANVAS (widget), -1);

  return GDK_EVENT_PROPAGATE;
}

static gboolean
gilk_calls_canvas_scroll (GtkWidget      *widget,
                          GdkEventScroll *event)
{
  GilkCallsCanvas *self = GILK_CALLS_CANVAS (widget);
  double dx = 0, dy = 0;

  if (self->picture == NULL)
    return GDK_EVENT_PROPAGATE;
  if (!gdk_event_get_scroll_deltas ((const GdkEvent *) event, &dx, &dy))
    {
      dx = event->direction == GDK_SCROLL_RIGHT ? 1 : event->direction == GDK_SCROLL_LEFT ? -1 : 0;
      dy = event->direction == GDK_SCROLL_DOWN ? 1 : event->direction == GDK_SCROLL_UP ? -1 : 0;
    }
  if (event->state & GDK_CONTROL_MASK)
    gilk_viewport_zoom (update_port (self), self->picture->layout, self->port.scale * pow (ZOOM_STEP, -dy), event->x, event->y);
  else if (event->state & GDK_SHIFT_MASK && dx == 0)
    gilk_viewport_move (update_port (self), self->picture->layout, dy * 64 / self->port.scale, 0);
  else
    gilk_viewport_move (update_port (self), self->picture->layout, dx * 64 / self->port.scale, dy * 64 / self->port.scale);
  gtk_widget_queue_draw (widget);

  return GDK_EVENT_STOP;
}

static void
drag_begin (GilkCallsCanvas *self)
{
  self->from_x = self->port.x;
  self->from_y = self->port.y;
  self->dragged = FALSE;
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

static void
drag_update (GilkCallsCanvas *self,
             double           dx,
             double           dy)
{
  if (self->picture == NULL || (!self->dragged && hypot (dx, dy) <= CLICK_SLOP))
    return;
  self->dragged = TRUE;
  self->port.x = self->from_x - dx / self->port.scale;
  self->port.y = self->from_y - dy / self->port.scale;
  gilk_viewport_move (update_port (self), self->picture->layout, 0, 0);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
drag_end (GilkCallsCanvas *self)
{
  double x, y;
  int node;

  if (self->dragged || !gtk_gesture_drag_get_start_point (GTK_GESTURE_DRAG (self->drag), &x, &y))
    return;
  node = find_node_at (self, x, y);
  if (node >= 0)
    activate_node (self, node);
}

static gboolean
gilk_calls_canvas_query_tooltip (GtkWidget  *widget,
                                 int         x,
                                 int         y,
                                 gboolean    keyboard,
                                 GtkTooltip *tooltip)
{
  GilkCallsCanvas *self = GILK_CALLS_CANVAS (widget);
  int node = self->picture == NULL ? -1 : keyboard ? self->look.current : find_node_at (self, x, y);
  g_autofree char *text = node >= 0 ? describe_node (self, node) : NULL;
  GdkRectangle area;

  if (text == NULL)
    return FALSE;
  get_extents (self, node, &area);
  gtk_tooltip_set_text (tooltip, text);
  gtk_tooltip_set_tip_area (tooltip, &area);

  return TRUE;
}

/* ---- keyboard input ---- */

/* Selects the nearest node in the arrow key's direction; perpendicular distance counts twice. */
static void
select_nearest (GilkCallsCanvas *self,
                int              dx,
                int              dy)
{
  const GilkLayout *layout = self->picture->layout;
  const GilkBox *at = &layout->blocks[self->look.current];
  double best = G_MAXDOUBLE;
  int found = -1;

  for (guint i = 0; i < layout->n_blocks; i++)
    {
      const GilkBox *box = &layout->blocks[i];
      double x = box->x + box->width / 2.0 - at->x - at->width / 2.0, y = box->y + box->height / 2.0 - at->y - at->height / 2.0;
      double along = dx != 0 ? (dx > 0 ? box->x - at->x - at->width : at->x - box->x - box->width) : dy * y;
      double aside = dx != 0 ? fabs (y) : fabs (x);

      if ((int) i != self->look.current && along > 0 && along + 2 * aside < best)
        {
          best = along + 2 * aside;
          found = (int) i;
        }
    }
  select_node (self, found);
}

static gboolean
gilk_calls_canvas_key_press (GtkWidget   *widget,
                             GdkEventKey *event)
{
  GilkCallsCanvas *self = GILK_CALLS_CANVAS (widget);

  if (self->picture == NULL || event->state & gtk_accelerator_get_default_mod_mask ())
    return GTK_WIDGET_CLASS (gilk_calls_canvas_parent_class)->key_press_event (widget, event);
  switch (event->keyval)
    {
    case GDK_KEY_Left:     select_nearest (self, -1, 0); break;
    case GDK_KEY_Right:    select_nearest (self, 1, 0);  break;
    case GDK_KEY_Up:       select_nearest (self, 0, -1); break;
    case GDK_KEY_Down:     select_nearest (self, 0, 1);  break;
    case GDK_KEY_Home:     select_node (self, 0); break;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter: activate_node (self, self->look.current); break;
    default:
      return GTK_WIDGET_CLASS (gilk_calls_canvas_parent_class)->key_press_event (widget, event);
    }

  return GDK_EVENT_STOP;
}

/* ---- finalization ---- */

static void
gilk_calls_canvas_finalize (GObject *object)
{
  GilkCallsCanvas *self = GILK_CALLS_CANVAS (object);

  g_clear_object (&self->drag);
  gilk_calls_picture_unref (self->picture);
  G_OBJECT_CLASS (gilk_calls_canvas_parent_class)->finalize (object);
}

/* ---- functions as accessible children ---- */

#define GILK_TYPE_CALLS_ACCESSIBLE (gilk_calls_accessible_get_type ())
G_DECLARE_FINAL_TYPE (GilkCallsAccessible, gilk_calls_accessible, GILK, CALLS_ACCESSIBLE, GilkCanvasAccessible)

struct _GilkCallsAccessible {
  GilkCanvasAccessible parent_instance;
};

G_DEFINE_FINAL_TYPE (GilkCallsAccessible, gilk_calls_accessible, GILK_TYPE_CANVAS_ACCESSIBLE)

#define GILK_TYPE_CALLS_NODE (gilk_calls_node_get_type ())
G_DECLARE_FINAL_TYPE (GilkCallsNode, gilk_calls_node, GILK, CALLS_NODE, GilkCanvasNode)

struct _GilkCallsNode {
  GilkCanvasNode parent_instance;
};

G_DEFINE_FINAL_TYPE (GilkCallsNode, gilk_calls_node, GILK_TYPE_CANVAS_NODE)

static GilkCallsCanvas *
get_canvas (GilkCanvasNode *node)
{
  return GILK_CALLS_CANVAS (gilk_canvas_node_widget (node));
}

static char *
node_name (GilkCanvasNode *node)
{
  return describe_node (get_canvas (node), gilk_canvas_node_index (node));
}

/* Adds the accessible relations: FLOWS_TO the callees, FLOWS_FROM the callers. */
static void
node_add_relations (GilkCanvasNode *node,
                    AtkRelationSet *set)
{
  const GilkCallAround *around = gilk_calls_canvas_picture (get_canvas (node))->around;
  const int index = gilk_canvas_node_index (node);

  for (guint i = 0; i < around->n_edges; i++)
    {
      const GilkAroundEdge *edge = &around->edges[i];
      gboolean out = (int) edge->from == index, in = (int) edge->to == index;
      g_autoptr(AtkObject) other = out || in ? atk_object_ref_accessible_child (gilk_canvas_node_owner (node),
                                                                                (int) (out ? edge->to : edge->from)) : NULL;

      if (other != NULL)
        atk_relation_set_add_relation_by_type (set, out ? ATK_RELATION_FLOWS_TO : ATK_RELATION_FLOWS_FROM, other);
    }
}

static void
node_add_states (GilkCanvasNode *node,
                 AtkStateSet    *set)
{
  static const AtkStateType always[] = { ATK_STATE_VISIBLE, ATK_STATE_SHOWING, ATK_STATE_FOCUSABLE, ATK_STATE_SELECTABLE,
                                         ATK_STATE_ENABLED, ATK_STATE_SENSITIVE };

  gilk_canvas_node_add_all (set, always, G_N_ELEMENTS (always));
  if (get_current (get_canvas (node)) == gilk_canvas_node_index (node))
    gilk_canvas_node_add_current (node, set);
}

static const char *
node_action (GilkCanvasNode *node)
{
  return "open";
}

static void
node_act (GilkCanvasNode *node)
{
  activate_node (get_canvas (node), gilk_canvas_node_index (node));
}

static void
node_extents (GilkCanvasNode *node,
              GdkRectangle   *box)
{
  get_extents (get_canvas (node), gilk_canvas_node_index (node), box);
}

static void
node_select (GilkCanvasNode *node)
{
  select_node (get_canvas (node), gilk_canvas_node_index (node));
}

static void
gilk_calls_node_class_init (GilkCallsNodeClass *klass)
{
  GilkCanvasNodeClass *node_class = GILK_CANVAS_NODE_CLASS (klass);

  node_class->name = node_name;
  node_class->add_relations = node_add_relations;
  node_class->add_states = node_add_states;
  node_class->action = node_action;
  node_class->act = node_act;
  node_class->extents = node_extents;
  node_class->select = node_select;
}

static void
gilk_calls_node_init (GilkCallsNode *self)
{
}

static int
picture_n_nodes (GtkWidget *widget)
{
  const GilkCallsPicture *picture = gilk_calls_canvas_picture (GILK_CALLS_CANVAS (widget));

  return picture != NULL ? (int) picture->around->n_nodes : 0;
}

static GilkCanvasNode *
picture_new_node (GilkCanvasAccessible *self,
                  GtkWidget            *widget,
                  int                   index)
{
  GilkCanvasNode *node = g_object_new (GILK_TYPE_CALLS_NODE, NULL);

  gilk_canvas_node_set_up (node, widget, ATK_OBJECT (self), index, ATK_ROLE_LIST_ITEM);

  return node;
}

static const char *
picture_get_name (AtkObject *object)
{
  return _("Call graph");
}

static void
gilk_calls_accessible_class_init (GilkCallsAccessibleClass *klass)
{
  ATK_OBJECT_CLASS (klass)->get_name = picture_get_name;
  GILK_CANVAS_ACCESSIBLE_CLASS (klass)->n_nodes = picture_n_nodes;
  GILK_CANVAS_ACCESSIBLE_CLASS (klass)->new_node = picture_new_node;
}

static void
gilk_calls_accessible_init (GilkCallsAccessible *self)
{
}

/* ---- class and instance initialisation ---- */

static void
gilk_calls_canvas_class_init (GilkCallsCanvasClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gilk_calls_canvas_finalize;
  widget_class->draw = gilk_calls_canvas_draw;
  widget_class->motion_notify_event = gilk_calls_canvas_motion;
  widget_class->leave_notify_event = gilk_calls_canvas_leave;
  widget_class->scroll_event = gilk_calls_canvas_scroll;
  widget_class->query_tooltip = gilk_calls_canvas_query_tooltip;
  widget_class->key_press_event = gilk_calls_canvas_key_press;
  widget_class->focus_in_event = gilk_canvas_redraw_on_focus;
  widget_class->focus_out_event = gilk_canvas_redraw_on_focus;
  gtk_widget_class_set_accessible_type (widget_class, GILK_TYPE_CALLS_ACCESSIBLE);
  gtk_widget_class_set_accessible_role (widget_class, ATK_ROLE_LIST);
  gilk_add_signal (klass, "activated", 1, G_TYPE_INT);
}

static void
gilk_calls_canvas_init (GilkCallsCanvas *self)
{
  self->look = (GilkCallsLook) { 0, -1, FALSE };
  self->port.scale = 1;
  gtk_widget_set_can_focus (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_widget_add_events (GTK_WIDGET (self), GDK_POINTER_MOTION_MASK | GDK_LEAVE_NOTIFY_MASK | GDK_BUTTON_PRESS_MASK |
                         GDK_BUTTON_RELEASE_MASK | GDK_SCROLL_MASK | GDK_SMOOTH_SCROLL_MASK | GDK_KEY_PRESS_MASK);
  self->drag = gtk_gesture_drag_new (GTK_WIDGET (self));
  g_signal_connect_swapped (self->drag, "drag-begin", G_CALLBACK (drag_begin), self);
  g_signal_connect_swapped (self->drag, "drag-update", G_CALLBACK (drag_update), self);
  g_signal_connect_swapped (self->drag, "drag-end", G_CALLBACK (drag_end), self);
}

GtkWidget *
gilk_calls_canvas_new (void)
{
  return g_object_new (GILK_TYPE_CALLS_CANVAS, "visible", TRUE, "expand", TRUE, NULL);
}
