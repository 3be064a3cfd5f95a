/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-view.c - a drawn graph: contents, visible part, folds, history
 *
 * Zooming keeps the point of the drawing under the pointer fixed. gilk-viewport.c converts between
 * drawing and widget coordinates.
 */
#include "gui/graph/gilk-graph-view-private.h"

#include <math.h>
#include <string.h>

#include "gui/base/gilk-canvas.h"
#include "gui/base/gilk-object.h"
#include "gui/base/gilk-settings.h"

#define JUMPS_MAX 100

/* A position in a graph to which the user can return: the selected point and instruction, and the
 * visible part. */
typedef struct {
  guint        n_blocks;         /* number of blocks, to detect that the function has changed */
  int          point, insn;
  GilkViewport port;
} Position;

G_DEFINE_ABSTRACT_TYPE (GilkGraphView, gilk_graph_view, GTK_TYPE_DRAWING_AREA)

/* ---- scrolling and zooming ---- */

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

/* ---- the shown function and the selection ---- */

static Position
get_position (GilkGraphView *self)
{
  return (Position) { self->data->cfg->n_blocks, self->look.point, self->look.insn, self->port };
}

/* Saves the position before another function is shown. */
static void
save_position (GilkGraphView *self)
{
  Position *place;

  if (self->data == NULL || !self->placed || self->data->name == NULL)
    return;

  place = g_new (Position, 1);
  *place = get_position (self);
  g_hash_table_replace (self->positions, g_strdup (self->data->name), place);
}

/* Reports a change. @whole: another graph or another layout is shown; otherwise marks, counts,
 * selections, or the current block or instruction have changed. */
static void
notify_changed (GilkGraphView *self,
                gboolean       whole)
{
  GILK_GRAPH_VIEW_GET_CLASS (self)->changed (self, whole);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
clear_dimmed (GilkGraphView *self)
{
  self->look.dimmed = NULL;
  self->look.dim_reason = NULL;
  g_clear_pointer (&self->dimmed, g_free);
  g_clear_pointer (&self->dim_reason, g_free);
}

/* Sets the members of @self->look that are derived from @self->data. */
static void
look_at_data (GilkGraphView *self)
{
  self->look.recorded = self->data->choices == NULL;
  self->look.tactics = self->data->tactics;
  self->look.bpf_tactics = self->data->bpf_tactics;
  self->look.costs = self->data->costs;
  self->look.costs_max = self->data->costs_max;
}

/* Returns whether @data is the same code as the data shown now, and would be drawn in the same way.
 * Returns FALSE if parts of the graph are folded, because the folded graph must be computed again
 * for the new data. */
static gboolean
can_renew (GilkGraphView *self,
           GilkGraphData *data)
{
  return self->data != NULL && self->data->graph->whole == NULL && gilk_graph_data_is_same_code (self->data, data);
}

/* Replaces the data by @data, the same code as read again. Keeps the selected and found blocks, the
 * position, and the accessible objects, because a screen reader may be reading them. Keeps the old
 * source lines if @data has none yet. */
static void
renew_data (GilkGraphView *self,
            GilkGraphData *data)
{
  gilk_graph_data_ref (data);
  if (data->source == NULL)
    data->source = g_steal_pointer (&self->data->source);
  gilk_graph_data_unref (self->data);
  self->data = data;
  look_at_data (self);
  clear_dimmed (self);
  notify_changed (self, FALSE);
}

static void
replace_data (GilkGraphView *self,
              GilkGraphData *data)
{
  g_array_set_size (self->jumps, 0);
  if (data != NULL)
    gilk_graph_data_ref (data);
  g_clear_pointer (&self->data, gilk_graph_data_unref);
  g_clear_pointer (&self->marks, g_free);
  g_clear_pointer (&self->hits, g_free);
  g_clear_pointer (&self->known, gilk_known_counts_unref);
  g_clear_pointer (&self->selected, g_free);
  g_clear_pointer (&self->highlighted, g_free);
  g_clear_pointer (&self->found, g_free);
  clear_dimmed (self);
  self->data = data;
  self->look = (GilkGraphLook) { .block = -1, .point = -1, .hover = -1, .insn = -1 };
  self->placed = FALSE;
  if (data != NULL)
    {
      self->look.block = data->cfg->entry;
      self->look.point = 2 * data->cfg->entry;
      self->look.layer = self->layer;
      look_at_data (self);
    }
  notify_changed (self, TRUE);
  self->wanted_point = self->wanted_insn = -1;
}

void
gilk_graph_view_set_data (GilkGraphView *self,
                          GilkGraphData *data,
                          gboolean       again)
{
  save_position (self);
  if (again && data != NULL && can_renew (self, data))
    renew_data (self, data);
  else
    replace_data (self, data);
  gilk_graph_folds_restore (self->folds, data);
  g_signal_emit_by_name (self, "chosen");
  g_signal_emit_by_name (self, "shown");
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
  g_signal_emit_by_name (self, "counted");
}

void
gilk_graph_view_set_known (GilkGraphView   *self,
                           GilkKnownCounts *known)
{
  GilkKnownCounts *before = self->known;

  self->known = known != NULL ? gilk_known_counts_ref (known) : NULL;
  gilk_known_counts_unref (before);
  self->look.known = self->known;
  for (guint i = 0; known != NULL && i < known->n_blocks; i++)
    if (known->inferred[i])
      self->look.hits_max = MAX (self->look.hits_max, known->blocks[i]);
  notify_changed (self, FALSE);
}

void
gilk_graph_view_set_layer (GilkGraphView *self,
                           const char    *layer)
{
  self->layer = g_str_equal (layer, "tactic") ? GILK_LAYER_TACTIC
              : g_str_equal (layer, "cost") ? GILK_LAYER_COST : GILK_LAYER_HEAT;
  self->look.layer = self->layer;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
gilk_graph_view_set_selected (GilkGraphView *self,
                              uint8_t       *selected,
                              uint8_t       *highlighted)
{
  g_free (self->selected);
  g_free (self->highlighted);
  self->look.selected = self->selected = selected;
  self->look.highlighted = self->highlighted = highlighted;
  notify_changed (self, FALSE);
  g_signal_emit_by_name (self, "chosen");
}

void
gilk_graph_view_set_dimmed (GilkGraphView *self,
                            uint8_t       *dimmed,
                            char          *reason)
{
  clear_dimmed (self);
  self->look.dimmed = self->dimmed = dimmed;
  self->look.dim_reason = self->dim_reason = reason;
  notify_changed (self, FALSE);
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

/* Unfolds all folds that contain @point, then selects @point or the instruction @insn (-1: none).
 * Returns TRUE if this is done already, because no new layout has to be computed. */
static gboolean
unfold_around (GilkGraphView *self,
               int            point,
               int            insn)
{
  self->wanted_point = point;
  self->wanted_insn = insn;
  gilk_graph_folds_show (self->folds, self->data, (guint) point / 2);

  return !gilk_graph_folds_is_busy (self->folds);
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
      if (reveal && unfold_around (self, point, -1))
        return;
      point = 2 * (int) gilk_cfg_fold_shown (self->data->graph->fold, (guint) point / 2) + (point & 1);
    }
  self->look.point = point;
  self->look.block = point / 2;
  if (self->look.insn >= 0 && gilk_graph_insn_block (self->data->graph, self->look.insn) != self->look.block)
    self->look.insn = -1;
  if (reveal && self->placed)
    reveal_block (self, point / 2);
  notify_changed (self, FALSE);
  g_signal_emit_by_name (self, "selected", point);
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
      unfold_around (self, 2 * block, (int) insn);
      return;
    }
  self->look.insn = insn;
  gilk_graph_view_select (self, 2 * block + (MAX (self->look.point, 0) & 1), reveal);
  if (!reveal || !self->placed)
    return;
  /* Scroll to the instruction: its block may be taller than the window. */
  gilk_graph_insn_box (self->data->graph, insn, &box);
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
  g_signal_emit_by_name (self, "chosen");
}

void
gilk_graph_view_toggle (GilkGraphView *self,
                        int            point)
{
  if (self->data == NULL || point < 0)
    return;

  gilk_graph_view_select (self, point, FALSE);
  if (self->data->choices != NULL)
    g_signal_emit_by_name (self, "toggle", point);
}

void
gilk_graph_view_set_minimap (GilkGraphView *self,
                             gboolean       shown)
{
  self->minimap = shown;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* ---- folding and unfolding ---- */

/* Selects the point or instruction that was requested before the layout was computed. If none was
 * requested, selects the current point again, because its place in the new layout may differ. */
static void
select_wanted (GilkGraphView *self)
{
  int point = self->wanted_point, insn = self->wanted_insn;

  self->wanted_point = self->wanted_insn = -1;
  if (insn >= 0)
    gilk_graph_view_select_insn (self, (guint) insn, TRUE);
  else if (point >= 0)
    gilk_graph_view_select (self, point, TRUE);
  else
    {
      gilk_graph_view_select (self, self->look.point, FALSE);
      if (self->placed)
        gilk_graph_view_select (self, self->look.point, TRUE);
    }
}

/* Replaces the graph with @graph, and scrolls so that the current block keeps its position on
 * screen. */
static void
swap_graph (gpointer   owner,
            GilkGraph *graph)
{
  GilkGraphView *self = owner;
  GilkGraph *before = self->data->graph;
  int block = MAX (self->look.block, 0);
  const GilkBox *was = &before->layout->blocks[block], *is = &graph->layout->blocks[block];

  self->port.x += is->x - was->x;
  self->port.y += is->y - was->y;
  self->data->graph = gilk_graph_ref (graph);
  gilk_graph_unref (before);
  self->look.has_edge = FALSE;
  self->look.hover = -1;
  if (self->look.insn >= 0 && gilk_graph_folded (graph, (guint) block) > 1)
    self->look.insn = -1;
  notify_changed (self, TRUE);
  select_wanted (self);
}

gboolean
gilk_graph_view_fold (GilkGraphView *self,
                      GilkFoldAction act)
{
  if (self->data == NULL || self->look.block < 0 || !gilk_graph_folds_apply (self->folds, self->data, &self->look, act))
    return FALSE;
  if (act == GILK_FOLD_SELECTED)
    gilk_graph_view_set_selected (self, NULL, NULL);

  return TRUE;
}

/* ---- jumping to a position and back ---- */

static void
restore_position (GilkGraphView  *self,
                  const Position *place)
{
  self->port = place->port;
  self->placed = TRUE;
  self->look.insn = place->insn;
  gilk_graph_view_select (self, place->point, FALSE);
}

gboolean
gilk_graph_view_can_back (GilkGraphView *self)
{
  return self->jumps->len > 0;
}

void
gilk_graph_view_back (GilkGraphView *self)
{
  Position place;

  if (self->jumps->len == 0)
    return;
  place = g_array_index (self->jumps, Position, self->jumps->len - 1);
  g_array_set_size (self->jumps, self->jumps->len - 1);
  restore_position (self, &place);
}

static void
save_jump (GilkGraphView *self)
{
  Position place = get_position (self);

  if (self->jumps->len >= JUMPS_MAX)
    g_array_remove_index (self->jumps, 0);
  g_array_append_val (self->jumps, place);
}

void
gilk_graph_view_jump_insn (GilkGraphView *self,
                           guint          insn)
{
  if (self->data == NULL || (int) insn == self->look.insn)
    return;

  save_jump (self);
  gilk_graph_view_select_insn (self, insn, TRUE);
}

void
gilk_graph_view_jump (GilkGraphView *self,
                      int            block)
{
  if (self->data == NULL)
    return;
  /* Select the fold that contains the block, without unfolding the fold. */
  if (gilk_graph_is_hidden (self->data->graph, (guint) block))
    block = (int) gilk_cfg_fold_shown (self->data->graph->fold, (guint) block);
  if (block == self->look.block)
    return;

  save_jump (self);
  gilk_graph_view_select (self, 2 * block + (MAX (self->look.point, 0) & 1), TRUE);
}

void
gilk_graph_view_restore_position (GilkGraphView *self)
{
  const Position *place = self->data != NULL ? g_hash_table_lookup (self->positions, self->data->name) : NULL;

  if (place == NULL || place->n_blocks != self->data->cfg->n_blocks)
    return;

  restore_position (self, place);
}

/* ---- drawing, and GObject life cycle ---- */

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

/* Places the minimap, but not while the minimap is being dragged. */
static void
place_map (GilkGraphView *self)
{
  if (!self->drags_map && !(self->minimap && gilk_overlay_place_map (&self->port, self->data->graph, &self->map)))
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
      /* If a block other than the entry was selected before this first draw, scroll to it. */
      if (self->look.block != (int) self->data->cfg->entry)
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

/* Keeps the current block visible if the widget shrinks, such as when a message appears. */
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
  g_clear_pointer (&self->known, gilk_known_counts_unref);
  gilk_graph_folds_free (self->folds);
  clear_dimmed (self);
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
  widget_class->focus_in_event = gilk_canvas_redraw_on_focus;
  widget_class->focus_out_event = gilk_canvas_redraw_on_focus;

  gilk_add_signal (klass, "selected", 1, G_TYPE_INT);
  gilk_add_signal (klass, "toggle", 1, G_TYPE_INT);
  gilk_add_signal (klass, "chosen", 0);
  gilk_add_signal (klass, "counted", 0);
  gilk_add_signal (klass, "menu", 1, GDK_TYPE_EVENT | G_SIGNAL_TYPE_STATIC_SCOPE);
  gilk_add_signal (klass, "follow", 1, G_TYPE_UINT);
  gilk_add_signal (klass, "shown", 0);
  gilk_add_signal (klass, "open", 0);
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

  self->wanted_point = self->wanted_insn = -1;
  self->folds = gilk_graph_folds_new (self, swap_graph);
  self->jumps = g_array_new (FALSE, FALSE, sizeof (Position));
  self->positions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}
