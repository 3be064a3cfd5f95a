/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-accessible.c - blocks and probe points of the graph as accessible children
 */
#include "gui/graph/gilk-graph-view-private.h"

#include <string.h>

#include <glib/gi18n.h>

#include "core/base/gilk-refusal.h"
#include "gui/graph/gilk-graph-selection.h"
#include "gui/graph/gilk-graph-text.h"
#include "gui/graph/gilk-graph-view.h"

#define WHOLE_BLOCK -1

struct _GilkGraphAccessible {
  GilkCanvasAccessible parent_instance;

  int                  current;      /* block last reported to screen readers as active */
  int                  insn;         /* instruction at which the caret was last reported to screen
                                      * readers */
};

G_DEFINE_FINAL_TYPE (GilkGraphAccessible, gilk_graph_accessible, GILK_TYPE_CANVAS_ACCESSIBLE)

/* ---- accessible objects of blocks and probe points ---- */

#define GILK_TYPE_GRAPH_NODE (gilk_graph_node_get_type ())
G_DECLARE_FINAL_TYPE (GilkGraphNode, gilk_graph_node, GILK, GRAPH_NODE, GilkCanvasNode)

struct _GilkGraphNode {
  GilkCanvasNode  parent_instance;

  int             block;
  int             post;               /* 0: pre-hook, 1: post-hook, or WHOLE_BLOCK */
  GilkCanvasNode *points[2];          /* the two children of a block: pre-hook and post-hook */
  GilkMark        announced;          /* mark (planned, live, refused …) last announced to screen
                                       * readers */
  gboolean        announced_selected; /* whether the block was last announced as selected */
};

static void node_text_init (AtkTextIface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GilkGraphNode, gilk_graph_node, GILK_TYPE_CANVAS_NODE,
                               G_IMPLEMENT_INTERFACE (ATK_TYPE_TEXT, node_text_init))

/* Returns the node's view; NULL: the node is defunct. */
static GilkGraphView *
get_view (GilkGraphNode *self)
{
  GtkWidget *widget = gilk_canvas_node_widget (GILK_CANVAS_NODE (self));

  return widget != NULL ? GILK_GRAPH_VIEW (widget) : NULL;
}

static int
node_point (GilkGraphNode *self)
{
  return 2 * self->block + MAX (self->post, 0);
}

static GilkMark
node_mark (GilkGraphNode *self)
{
  return gilk_graph_view_mark (get_view (self), node_point (self));
}

static GilkCanvasNode *
node_new (GtkWidget *widget,
          AtkObject *owner,
          int        block,
          int        post)
{
  GilkGraphNode *self = g_object_new (GILK_TYPE_GRAPH_NODE, NULL);
  gboolean whole = post == WHOLE_BLOCK;

  gilk_canvas_node_set_up (GILK_CANVAS_NODE (self), widget, owner, whole ? block : post,
                           whole ? ATK_ROLE_LIST_ITEM : ATK_ROLE_CHECK_BOX);
  self->block = block;
  self->post = post;
  self->announced = node_mark (self);

  return GILK_CANVAS_NODE (self);
}

static void
node_retire (GilkCanvasNode *node)
{
  GilkGraphNode *self = GILK_GRAPH_NODE (node);

  for (int i = 0; i < 2; i++)
    gilk_canvas_node_retire (g_steal_pointer (&self->points[i]));
}

static char *
node_name (GilkCanvasNode *node)
{
  static const char *const states[] = { N_("free"), N_("planned"), N_("live"), N_("refused"),
                                        N_("another client's") };
  static const char *const recorded[] = { N_("not hooked"), N_("was hooked") };
  GilkGraphNode *self = GILK_GRAPH_NODE (node);
  const GilkGraphData *data = gilk_graph_view_data (get_view (self));

  if (self->post == WHOLE_BLOCK)
    return gilk_graph_block_name (data, gilk_graph_view_look (get_view (self)), (guint) self->block);

  return g_strdup_printf (self->post ? _("post-hook of block %s, %s")
                                     : _("pre-hook of block %s, %s"),
                          data->graph->titles[self->block],
                          data->choices == NULL ? _(recorded[node_mark (self) != GILK_MARK_FREE]) : _(states[node_mark (self)]));
}

static char *
node_description (GilkCanvasNode *node)
{
  GilkGraphNode *self = GILK_GRAPH_NODE (node);
  const GilkGraphData *data = gilk_graph_view_data (get_view (self));
  const GilkChoice *choices = data->choices;

  if (self->post == WHOLE_BLOCK)
    return gilk_graph_block_description (data, gilk_graph_view_look (get_view (self)), (guint) self->block);
  if (choices == NULL || choices[node_point (self)].refusal == 0)
    return NULL;

  return g_strdup (gilk_refusal_cause (choices[node_point (self)].refusal));
}

/* Adds the successors and predecessors of a block as accessible relations. A probe point has
 * none. */
static void
node_add_relations (GilkCanvasNode *node,
                    AtkRelationSet *set)
{
  GilkGraphNode *self = GILK_GRAPH_NODE (node);
  AtkObject *owner = gilk_canvas_node_owner (node);
  const GilkCfg *cfg = gilk_graph_view_data (get_view (self))->cfg;

  for (guint i = 0; self->post == WHOLE_BLOCK && i < cfg->n_edges; i++)
    {
      gboolean out = (int) cfg->edges[i].from == self->block, in = (int) cfg->edges[i].to == self->block;
      g_autoptr(AtkObject) to = out ? atk_object_ref_accessible_child (owner, (int) cfg->edges[i].to) : NULL;
      g_autoptr(AtkObject) from = in ? atk_object_ref_accessible_child (owner, (int) cfg->edges[i].from) : NULL;

      if (out)
        atk_relation_set_add_relation_by_type (set, ATK_RELATION_FLOWS_TO, to);
      if (in)
        atk_relation_set_add_relation_by_type (set, ATK_RELATION_FLOWS_FROM, from);
    }
}

/* Gets the block of @node, and the view. Returns FALSE if @node is defunct or not a block. */
static gboolean
node_block (AtkObject      *node,
            GilkGraphView **view,
            guint          *block)
{
  GilkGraphNode *self = GILK_GRAPH_NODE (node);

  if (get_view (self) == NULL || self->post != WHOLE_BLOCK)
    return FALSE;
  *view = get_view (self);
  *block = (guint) self->block;

  return TRUE;
}

/* Returns the accessible text of a block: its instructions. The caret is at the current
 * instruction. */

static char *
get_block_text (AtkText *text)
{
  GilkGraphView *view;
  guint block;

  return node_block (ATK_OBJECT (text), &view, &block) ? gilk_graph_block_lines (gilk_graph_view_data (view), block) : g_strdup ("");
}

static char *
get_text (AtkText *text,
          int      start,
          int      end)
{
  g_autofree char *all = get_block_text (text);
  int n = (int) g_utf8_strlen (all, -1);

  end = end < 0 ? n : MIN (end, n);
  start = CLAMP (start, 0, end);

  return g_utf8_substring (all, start, end);
}

static int
get_character_count (AtkText *text)
{
  g_autofree char *all = get_block_text (text);

  return (int) g_utf8_strlen (all, -1);
}

static gunichar
get_character_at_offset (AtkText *text,
                         int      offset)
{
  g_autofree char *one = get_text (text, offset, offset + 1);

  return g_utf8_get_char (one);
}

/* Returns the line at @offset. Sets @start to the offset of the first character of the line, and
 * @end to the offset after its last character. */
static char *
get_line (AtkText *text,
          int      offset,
          int     *start,
          int     *end)
{
  g_autofree char *all = get_block_text (text);
  int n = (int) g_utf8_strlen (all, -1);
  const char *at = g_utf8_offset_to_pointer (all, CLAMP (offset, 0, n)), *from = at, *to = strchr (at, '\n');

  while (from > all && from[-1] != '\n')
    from--;
  if (to == NULL)
    to = all + strlen (all);
  *start = (int) g_utf8_pointer_to_offset (all, from);
  *end = (int) g_utf8_pointer_to_offset (all, to);

  return g_strndup (from, to - from);
}

/* Returns the line also if a word or sentence is requested: an instruction is the smallest
 * meaningful unit. */
static char *
get_string_at_offset (AtkText           *text,
                      int                offset,
                      AtkTextGranularity granularity,
                      int               *start,
                      int               *end)
{
  if (granularity != ATK_TEXT_GRANULARITY_CHAR)
    return get_line (text, offset, start, end);

  *start = offset;
  *end = offset + 1;

  return get_text (text, offset, offset + 1);
}

static char *
get_text_at_offset (AtkText        *text,
                    int             offset,
                    AtkTextBoundary boundary,
                    int            *start,
                    int            *end)
{
  return get_string_at_offset (text, offset, boundary == ATK_TEXT_BOUNDARY_CHAR ? ATK_TEXT_GRANULARITY_CHAR
                                                                                : ATK_TEXT_GRANULARITY_LINE, start, end);
}

static int
get_caret_offset (AtkText *text)
{
  g_autofree char *all = get_block_text (text);
  const char *at = all;
  GilkGraphView *view;
  guint block, first;
  int insn;

  if (!node_block (ATK_OBJECT (text), &view, &block))
    return 0;
  first = gilk_graph_view_data (view)->cfg->blocks[block].first_insn;
  insn = gilk_graph_view_insn (view);
  for (int i = first; i < insn && at != NULL; i++)
    at = strchr (at, '\n') != NULL ? strchr (at, '\n') + 1 : NULL;

  return at != NULL ? (int) g_utf8_pointer_to_offset (all, at) : 0;
}

static gboolean
set_caret_offset (AtkText *text,
                  int      offset)
{
  g_autofree char *before = get_text (text, 0, offset);
  GilkGraphView *view;
  guint block, insn;

  if (!node_block (ATK_OBJECT (text), &view, &block))
    return FALSE;
  insn = gilk_graph_view_data (view)->cfg->blocks[block].first_insn;
  for (const char *at = before; (at = strchr (at, '\n')) != NULL; at++)
    insn++;
  gilk_graph_view_select_insn (view, insn, TRUE);

  return TRUE;
}

static void
node_text_init (AtkTextIface *iface)
{
  iface->get_text = get_text;
  iface->get_character_count = get_character_count;
  iface->get_character_at_offset = get_character_at_offset;
  iface->get_string_at_offset = get_string_at_offset;
  iface->get_text_at_offset = get_text_at_offset;
  iface->get_caret_offset = get_caret_offset;
  iface->set_caret_offset = set_caret_offset;
}

/* Returns the number of children: a block has its two points as children, a point has none. */

static int
node_get_n_children (AtkObject *object)
{
  GilkGraphNode *self = GILK_GRAPH_NODE (object);

  return self->post == WHOLE_BLOCK && get_view (self) != NULL ? 2 : 0;
}

static AtkObject *
node_ref_child (AtkObject *object,
                int        index)
{
  GilkGraphNode *self = GILK_GRAPH_NODE (object);

  if (index < 0 || index >= node_get_n_children (object))
    return NULL;
  if (self->points[index] == NULL)
    self->points[index] = node_new (GTK_WIDGET (get_view (self)), object, self->block, index);

  return g_object_ref (ATK_OBJECT (self->points[index]));
}

static void
add_block_states (GilkGraphNode *self,
                  AtkStateSet   *set)
{
  static const AtkStateType always[] = { ATK_STATE_CHECKABLE, ATK_STATE_ENABLED, ATK_STATE_SENSITIVE };

  gilk_canvas_node_add_all (set, always, G_N_ELEMENTS (always));
  if (gilk_graph_view_look (get_view (self))->block == self->block)
    gilk_canvas_node_add_current (GILK_CANVAS_NODE (self), set);
  if (gilk_graph_selection_has (get_view (self), (guint) self->block))
    atk_state_set_add_state (set, ATK_STATE_CHECKED);
}

static void
add_point_states (GilkGraphNode *self,
                  AtkStateSet   *set)
{
  static const AtkStateType free[] = { ATK_STATE_ENABLED, ATK_STATE_SENSITIVE };
  GilkMark mark = node_mark (self);

  atk_state_set_add_state (set, ATK_STATE_CHECKABLE);
  if (mark != GILK_MARK_REFUSED)
    gilk_canvas_node_add_all (set, free, G_N_ELEMENTS (free));
  if (mark == GILK_MARK_PLANNED || mark == GILK_MARK_LIVE)
    atk_state_set_add_state (set, ATK_STATE_CHECKED);
}

static void
node_add_states (GilkCanvasNode *node,
                 AtkStateSet    *set)
{
  static const AtkStateType shown[] = { ATK_STATE_VISIBLE, ATK_STATE_SHOWING, ATK_STATE_FOCUSABLE };
  GilkGraphNode *self = GILK_GRAPH_NODE (node);

  if (gilk_graph_is_hidden (gilk_graph_view_data (get_view (self))->graph, (guint) self->block))
    return;
  gilk_canvas_node_add_all (set, shown, G_N_ELEMENTS (shown));
  if (self->post == WHOLE_BLOCK)
    add_block_states (self, set);
  else
    add_point_states (self, set);
}

static const char *
node_action (GilkCanvasNode *node)
{
  return GILK_GRAPH_NODE (node)->post == WHOLE_BLOCK ? "select" : "toggle";
}

static void
node_select (GilkCanvasNode *node)
{
  GilkGraphNode *self = GILK_GRAPH_NODE (node);

  gilk_graph_view_select (get_view (self), node_point (self), TRUE);
}

static void
node_act (GilkCanvasNode *node)
{
  GilkGraphNode *self = GILK_GRAPH_NODE (node);

  if (self->post == WHOLE_BLOCK)
    node_select (node);
  else
    gilk_graph_view_toggle (get_view (self), node_point (self));
}

static void
node_extents (GilkCanvasNode *node,
              GdkRectangle   *box)
{
  GilkGraphNode *self = GILK_GRAPH_NODE (node);

  if (self->post == WHOLE_BLOCK)
    gilk_graph_view_block_extents (get_view (self), (guint) self->block, box);
  else
    gilk_graph_view_point_extents (get_view (self), node_point (self), box);
}

static void
gilk_graph_node_finalize (GObject *object)
{
  GilkGraphNode *self = GILK_GRAPH_NODE (object);

  g_clear_object (&self->points[0]);
  g_clear_object (&self->points[1]);
  G_OBJECT_CLASS (gilk_graph_node_parent_class)->finalize (object);
}

static void
gilk_graph_node_class_init (GilkGraphNodeClass *klass)
{
  AtkObjectClass *atk_class = ATK_OBJECT_CLASS (klass);
  GilkCanvasNodeClass *node_class = GILK_CANVAS_NODE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gilk_graph_node_finalize;
  atk_class->get_n_children = node_get_n_children;
  atk_class->ref_child = node_ref_child;
  node_class->name = node_name;
  node_class->description = node_description;
  node_class->add_relations = node_add_relations;
  node_class->add_states = node_add_states;
  node_class->action = node_action;
  node_class->act = node_act;
  node_class->extents = node_extents;
  node_class->select = node_select;
  node_class->retire = node_retire;
}

static void
gilk_graph_node_init (GilkGraphNode *self)
{
}

/* ---- accessible object of the whole graph ---- */

static int
graph_n_nodes (GtkWidget *widget)
{
  const GilkGraphData *data = gilk_graph_view_data (GILK_GRAPH_VIEW (widget));

  return data != NULL ? (int) data->cfg->n_blocks : 0;
}

static GilkCanvasNode *
graph_new_node (GilkCanvasAccessible *self,
                GtkWidget            *widget,
                int                   index)
{
  return node_new (widget, ATK_OBJECT (self), index, WHOLE_BLOCK);
}

static const char *
graph_get_name (AtkObject *object)
{
  return _("Control-flow graph");
}

void
gilk_graph_accessible_reset (AtkObject *accessible)
{
  if (!GILK_IS_GRAPH_ACCESSIBLE (accessible))
    return;
  GILK_GRAPH_ACCESSIBLE (accessible)->current = GILK_GRAPH_ACCESSIBLE (accessible)->insn = -1;
  gilk_canvas_accessible_reset (GILK_CANVAS_ACCESSIBLE (accessible));
}

static void
announce_mark (GilkGraphNode *node)
{
  GilkMark mark = node_mark (node);
  gboolean was = node->announced == GILK_MARK_PLANNED || node->announced == GILK_MARK_LIVE;
  gboolean is = mark == GILK_MARK_PLANNED || mark == GILK_MARK_LIVE;

  node->announced = mark;
  if (was != is)
    atk_object_notify_state_change (ATK_OBJECT (node), ATK_STATE_CHECKED, is);
}

static void
announce_selected (GilkGraphNode *node)
{
  gboolean selected = gilk_graph_selection_has (get_view (node), (guint) node->block);

  if (selected == node->announced_selected)
    return;
  node->announced_selected = selected;
  atk_object_notify_state_change (ATK_OBJECT (node), ATK_STATE_CHECKED, selected);
}

static void
announce_changes (GilkGraphAccessible *self,
                  int                  n_blocks)
{
  for (int i = 0; i < n_blocks; i++)
    {
      GilkCanvasNode *known = gilk_canvas_accessible_peek (GILK_CANVAS_ACCESSIBLE (self), i);
      GilkGraphNode *node = known != NULL ? GILK_GRAPH_NODE (known) : NULL;

      if (node != NULL)
        announce_selected (node);
      for (int post = 0; node != NULL && post < 2; post++)
        if (node->points[post] != NULL)
          announce_mark (GILK_GRAPH_NODE (node->points[post]));
    }
}

void
gilk_graph_accessible_update (AtkObject *accessible)
{
  GilkGraphAccessible *self;
  GilkGraphView *view;
  int current, insn;

  if (!GILK_IS_GRAPH_ACCESSIBLE (accessible))
    return;

  self = GILK_GRAPH_ACCESSIBLE (accessible);
  view = GILK_GRAPH_VIEW (gtk_accessible_get_widget (GTK_ACCESSIBLE (self)));
  announce_changes (self, graph_n_nodes (GTK_WIDGET (view)));
  current = gilk_graph_view_look (view)->block;
  if (current != self->current && current >= 0)
    {
      self->current = current;
      gilk_canvas_accessible_set_current (GILK_CANVAS_ACCESSIBLE (self), current);
    }
  insn = gilk_graph_view_insn (view);
  if (insn != self->insn && insn >= 0)
    {
      g_autoptr(AtkObject) child = atk_object_ref_accessible_child (accessible, current);

      g_signal_emit_by_name (child, "text-caret-moved", atk_text_get_caret_offset (ATK_TEXT (child)));
    }
  self->insn = insn;
}

static AtkAttribute *
make_attribute (const char         *name,
                const GdkRectangle *place)
{
  AtkAttribute *attribute = g_new (AtkAttribute, 1);

  attribute->name = g_strdup (name);
  attribute->value = g_strdup_printf ("%d,%d,%d,%d", place->x, place->y, place->width, place->height);

  return attribute;
}

/* Adds the areas of the drawing and of the minimap, in widget coordinates, as attributes. */
static AtkAttributeSet *
graph_get_attributes (AtkObject *accessible)
{
  GtkWidget *widget = gtk_accessible_get_widget (GTK_ACCESSIBLE (accessible));
  AtkAttributeSet *set = ATK_OBJECT_CLASS (gilk_graph_accessible_parent_class)->get_attributes (accessible);
  GdkRectangle drawing, map;

  if (widget == NULL)
    return set;
  gilk_graph_view_areas (GILK_GRAPH_VIEW (widget), &drawing, &map);
  set = g_slist_prepend (set, make_attribute ("drawing", &drawing));

  return g_slist_prepend (set, make_attribute ("minimap", &map));
}

static void
gilk_graph_accessible_class_init (GilkGraphAccessibleClass *klass)
{
  ATK_OBJECT_CLASS (klass)->get_name = graph_get_name;
  ATK_OBJECT_CLASS (klass)->get_attributes = graph_get_attributes;
  GILK_CANVAS_ACCESSIBLE_CLASS (klass)->n_nodes = graph_n_nodes;
  GILK_CANVAS_ACCESSIBLE_CLASS (klass)->new_node = graph_new_node;
}

static void
gilk_graph_accessible_init (GilkGraphAccessible *self)
{
  self->current = self->insn = -1;
}
