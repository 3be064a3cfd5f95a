/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-view.c - graph widget: visible part and selection of a drawn graph
 *
 * Zooming keeps the point of the drawing under the pointer fixed. gilk-viewport.c converts between
 * drawing and widget coordinates.
 */
#include "gui/graph/gilk-graph-view-private.h"

#include <math.h>
#include <string.h>

#include "core/plot/gilk-graph-paint.h"
#include "gui/base/gilk-canvas.h"
#include "gui/graph/gilk-graph-accessible.h"
#include "gui/graph/gilk-graph-counts.h"
#include "gui/graph/gilk-graph-dim.h"
#include "gui/graph/gilk-graph-folds.h"
#include "gui/graph/gilk-graph-keys.h"
#include "gui/graph/gilk-graph-overlay.h"
#include "gui/graph/gilk-graph-tips.h"
#include "gui/base/gilk-settings.h"

G_DEFINE_TYPE (GilkGraphView, gilk_graph_view, GTK_TYPE_DRAWING_AREA)

enum { SELECTED, TOGGLE, OPEN, CHOSEN, MENU, FOLLOW, SHOWN, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- geometry ---- */

GilkViewport *
gilk_graph_view_port (GilkGraphView *self)
{
  self->port.width = gtk_widget_get_allocated_width (GTK_WIDGET (self));
  self->port.height = MAX (gtk_widget_get_allocated_height (GTK_WIDGET (self)) - GILK_OVERLAY_STRIP, 1);

  return &self->port;
}

const GilkLayout *
gilk_graph_view_layout (GilkGraphView *self)
{
  return self->data->graph->layout;
}

void
gilk_graph_view_zoom_at (GilkGraphView *self,
                         double         factor,
                         double         px,
                         double         py)
{
  if (self->data == NULL)
    return;

  gilk_viewport_zoom (gilk_graph_view_port (self), gilk_graph_view_layout (self), self->port.scale * factor, px, py);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
gilk_graph_view_move (GilkGraphView *self,
                      double         dx,
                      double         dy)
{
  gilk_viewport_move (gilk_graph_view_port (self), gilk_graph_view_layout (self), dx, dy);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
gilk_graph_view_fit (GilkGraphView *self)
{
  if (self->data == NULL)
    return;

  gilk_viewport_fit (gilk_graph_view_port (self), gilk_graph_view_layout (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
gilk_graph_view_zoom (GilkGraphView *self,
                      double         factor)
{
  const GilkViewport *port = gilk_graph_view_port (self);

  gilk_graph_view_zoom_at (self, factor, port->width / 2.0, port->height / 2.0);
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
  gilk_viewport_extents (&self->port, &gilk_graph_view_layout (self)->blocks[block], extents);
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

void
gilk_graph_view_areas (GilkGraphView *self,
                       GdkRectangle  *drawing,
                       GdkRectangle  *map)
{
  const GilkViewport *port = gilk_graph_view_port (self);

  *drawing = (GdkRectangle) { 0, 0, port->width, port->height };
  *map = self->map;
}

static void
reveal_block (GilkGraphView *self,
              int            block)
{
  gilk_viewport_scroll_to (gilk_graph_view_port (self), &gilk_graph_view_layout (self)->blocks[block]);
}

/* ---- state ---- */

void
gilk_graph_view_set_data (GilkGraphView *self,
                          GilkGraphData *data)
{
  gilk_graph_view_save_position (self);
  if (data != NULL)
    gilk_graph_data_ref (data);
  g_clear_pointer (&self->data, gilk_graph_data_unref);
  g_clear_pointer (&self->marks, g_free);
  g_clear_pointer (&self->hits, g_free);
  g_clear_pointer (&self->known, gilk_known_counts_unref);
  g_clear_pointer (&self->selected, g_free);
  g_clear_pointer (&self->highlighted, g_free);
  g_clear_pointer (&self->found, g_free);
  gilk_graph_dim_clear (self);
  self->data = data;
  self->look = (GilkGraphLook) { .block = -1, .point = -1, .hover = -1, .insn = -1 };
  self->placed = FALSE;
  if (data != NULL)
    {
      self->look.block = data->cfg->entry;
      self->look.point = 2 * data->cfg->entry;
      self->look.recorded = data->choices == NULL;
      self->look.layer = self->layer;
      self->look.tactics = data->tactics;
      self->look.costs = data->costs;
      self->look.costs_max = data->costs_max;
    }
  gilk_graph_accessible_reset (gtk_widget_get_accessible (GTK_WIDGET (self)));
  gtk_widget_queue_draw (GTK_WIDGET (self));
  gilk_graph_folds_restore (self);
  g_signal_emit (self, signals[CHOSEN], 0);
  g_signal_emit (self, signals[SHOWN], 0);
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
  self->look.others = memchr (marks, GILK_MARK_OTHER, 2 * n) != NULL;
  for (guint i = 0; hits != NULL && i < n; i++)
    if (hits[i] != GILK_HITS_UNKNOWN)
      self->look.hits_max = MAX (self->look.hits_max, hits[i]);
  gilk_graph_view_set_known (self, self->data->known);
  gilk_graph_dim_update (self);
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

  if (gilk_graph_is_hidden (self->data->graph, (guint) point / 2))
    {
      if (reveal && gilk_graph_folds_show (self, point, -1))
        return;
      point = 2 * (int) gilk_cfg_fold_shown (self->data->graph->fold, (guint) point / 2) + (point & 1);
    }
  self->look.point = point;
  self->look.block = point / 2;
  if (self->look.insn >= 0 && gilk_graph_insn_block (self->data->graph, self->look.insn) != self->look.block)
    self->look.insn = -1;
  if (reveal && self->placed)
    reveal_block (self, point / 2);
  gilk_graph_accessible_update (gtk_widget_get_accessible (GTK_WIDGET (self)));
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[SELECTED], 0, point);
}

int
gilk_graph_view_insn (GilkGraphView *self)
{
  return self->data != NULL ? self->look.insn : -1;
}

void
gilk_graph_view_select_insn (GilkGraphView *self,
                             guint          insn,
                             gboolean       reveal)
{
  int block = self->data != NULL ? gilk_graph_insn_block (self->data->graph, insn) : -1;
  GilkBox box;

  if (block < 0)
    return;

  if (gilk_graph_is_hidden (self->data->graph, (guint) block) || gilk_graph_folded (self->data->graph, (guint) block) > 1)
    {
      gilk_graph_folds_show (self, 2 * block, (int) insn);
      return;
    }
  self->look.insn = insn;
  gilk_graph_view_select (self, 2 * block + (MAX (self->look.point, 0) & 1), reveal);
  if (!reveal || !self->placed)
    return;
  gilk_graph_insn_box (self->data->graph, insn, &box);          /* may be taller than the window */
  gilk_viewport_scroll_to (gilk_graph_view_port (self), &box);
}

void
gilk_graph_view_set_found (GilkGraphView *self,
                           uint8_t       *found)
{
  g_free (self->found);
  self->found = found;
  self->look.found = found;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[CHOSEN], 0);
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

gboolean
gilk_graph_view_on_map (GilkGraphView *self,
                        double         x,
                        double         y)
{
  const GdkRectangle *map = &self->map;

  return self->data != NULL && x >= map->x && y >= map->y && x < map->x + map->width && y < map->y + map->height;
}

gboolean
gilk_graph_view_is_covered (GilkGraphView *self,
                            double         x,
                            double         y)
{
  return y >= gilk_graph_view_port (self)->height || gilk_graph_view_on_map (self, x, y);
}

/* Keeps the minimap in its place while it is being dragged. */
static void
place_map (GilkGraphView *self)
{
  if (!gilk_graph_pointer_drags_map (self->pointer) &&
      !(self->minimap && gilk_overlay_place_map (&self->port, self->data->graph, &self->map)))
    self->map = (GdkRectangle) { 0 };
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
  port = gilk_graph_view_port (self);
  if (!self->placed)
    {
      gilk_viewport_show_entry (port, gilk_graph_view_layout (self), &gilk_graph_view_layout (self)->blocks[self->data->cfg->entry]);
      if (self->look.block != (int) self->data->cfg->entry)          /* before first draw */
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

  place_map (self);
  if (self->map.width > 0)
    gilk_overlay_draw_map (cr, &self->map, self->data->graph, &style, &self->look, &visible);
  gilk_overlay_draw_legend (cr, port, &style, &self->look);
  gilk_overlay_draw_band (cr, &style, &self->band);

  return FALSE;
}

/* ---- pointer ---- */

static gboolean
gilk_graph_view_motion (GtkWidget      *widget,
                        GdkEventMotion *event)
{
  gilk_graph_pointer_motion (GILK_GRAPH_VIEW (widget)->pointer, event->x, event->y);

  /* GTK's own handler feeds the gestures. */
  return GTK_WIDGET_CLASS (gilk_graph_view_parent_class)->motion_notify_event (widget, event);
}

static gboolean
gilk_graph_view_leave (GtkWidget        *widget,
                       GdkEventCrossing *event)
{
  gilk_graph_pointer_leave (GILK_GRAPH_VIEW (widget)->pointer);

  return GDK_EVENT_PROPAGATE;
}

static gboolean
gilk_graph_view_scroll (GtkWidget      *widget,
                        GdkEventScroll *event)
{
  return gilk_graph_pointer_scroll (GILK_GRAPH_VIEW (widget)->pointer, event);
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
  int point = keyboard ? self->look.point : gilk_graph_pointer_point (self->pointer, x, y);
  g_autofree char *text = NULL;
  GdkRectangle area = { x, y, 1, 1 };

  if (self->data == NULL)
    return FALSE;
  if (self->data->choices != NULL && point >= 0)
    {
      text = gilk_graph_tip_point (self, point);
      gilk_graph_view_point_extents (self, point, &area);
    }
  else if (!keyboard && self->look.has_edge)
    text = gilk_graph_tip_edge (self, self->look.edge, gilk_graph_pointer_shared (self->pointer));
  if (text == NULL)
    return FALSE;

  gtk_tooltip_set_text (tooltip, text);
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
gilk_graph_view_popup_menu (GtkWidget *widget)
{
  g_signal_emit (widget, signals[MENU], 0, NULL);

  return TRUE;
}

/* Keeps the current block visible if the widget shrinks, as when a message appears. */
static void
gilk_graph_view_size_allocate (GtkWidget     *widget,
                               GtkAllocation *allocation)
{
  GilkGraphView *self = GILK_GRAPH_VIEW (widget);
  int block = self->look.point / 2, before = gilk_graph_view_port (self)->height;
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
  g_clear_pointer (&self->pointer, gilk_graph_pointer_free);
  gilk_graph_folds_free (self);
  gilk_graph_dim_clear (self);
  g_free (self->selected);
  g_free (self->highlighted);
  g_free (self->found);
  g_array_unref (self->jumps);
  g_hash_table_unref (self->positions);
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
  widget_class->leave_notify_event = gilk_graph_view_leave;
  widget_class->scroll_event = gilk_graph_view_scroll;
  widget_class->key_press_event = gilk_graph_view_key_press;
  widget_class->focus_in_event = gilk_canvas_redraw_on_focus;
  widget_class->focus_out_event = gilk_canvas_redraw_on_focus;
  widget_class->popup_menu = gilk_graph_view_popup_menu;
  widget_class->query_tooltip = gilk_graph_view_query_tooltip;
  gtk_widget_class_set_accessible_type (widget_class, GILK_TYPE_GRAPH_ACCESSIBLE);
  gtk_widget_class_set_accessible_role (widget_class, ATK_ROLE_LIST);

  signals[SELECTED] = g_signal_new ("selected", GILK_TYPE_GRAPH_VIEW, G_SIGNAL_RUN_LAST,
                                    0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  signals[TOGGLE] = g_signal_new ("toggle", GILK_TYPE_GRAPH_VIEW, G_SIGNAL_RUN_LAST,
                                  0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  signals[CHOSEN] = g_signal_new ("chosen", GILK_TYPE_GRAPH_VIEW, G_SIGNAL_RUN_LAST,
                                  0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[MENU] = g_signal_new ("menu", GILK_TYPE_GRAPH_VIEW, G_SIGNAL_RUN_LAST,
                                0, NULL, NULL, NULL, G_TYPE_NONE, 1, GDK_TYPE_EVENT | G_SIGNAL_TYPE_STATIC_SCOPE);
  signals[FOLLOW] = g_signal_new ("follow", GILK_TYPE_GRAPH_VIEW, G_SIGNAL_RUN_LAST,
                                  0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[SHOWN] = g_signal_new ("shown", GILK_TYPE_GRAPH_VIEW, G_SIGNAL_RUN_LAST,
                                 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[OPEN] = g_signal_new ("open", GILK_TYPE_GRAPH_VIEW, G_SIGNAL_RUN_LAST,
                                0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
gilk_graph_view_init (GilkGraphView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->look = (GilkGraphLook) { .block = -1, .point = -1, .hover = -1, .insn = -1 };
  self->port.scale = 1;
  self->minimap = TRUE;
  gtk_widget_set_can_focus (widget, TRUE);
  gtk_widget_set_has_tooltip (widget, TRUE);
  gtk_widget_add_events (widget, GDK_POINTER_MOTION_MASK | GDK_LEAVE_NOTIFY_MASK | GDK_SCROLL_MASK |
                         GDK_SMOOTH_SCROLL_MASK | GDK_TOUCH_MASK | GDK_BUTTON_PRESS_MASK |
                         GDK_BUTTON_RELEASE_MASK | GDK_KEY_PRESS_MASK | GDK_FOCUS_CHANGE_MASK);

  self->pointer = gilk_graph_pointer_new (self);
  gilk_graph_view_history_init (self);
}
