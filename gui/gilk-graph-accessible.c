/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-accessible.c - blocks and probe points of the canvas as accessible children
 *
 * Nodes are made when first asked for and kept until the graph changes; after
 * that they are defunct, and answer nothing about a graph that is gone.
 */
#include "gui/gilk-graph-accessible.h"

#include <glib/gi18n.h>

#include "core/base/gilk-refusal.h"
#include "gui/gilk-canvas.h"
#include "gui/gilk-graph-choice.h"
#include "gui/gilk-graph-node-text.h"
#include "gui/gilk-graph-words.h"

#define WHOLE_BLOCK -1

struct _GilkGraphAccessible {
  GtkWidgetAccessible  parent_instance;

  GPtrArray           *blocks;       /* GilkGraphNode, NULL where not yet asked for */
  int                  current;      /* block that was said to have the focus */
  int                  insn;         /* likewise */
};

G_DEFINE_TYPE (GilkGraphAccessible, gilk_graph_accessible, GTK_TYPE_WIDGET_ACCESSIBLE)

/* ---- nodes ---- */

#define GILK_TYPE_GRAPH_NODE (gilk_graph_node_get_type ())
G_DECLARE_FINAL_TYPE (GilkGraphNode, gilk_graph_node, GILK, GRAPH_NODE, AtkObject)

struct _GilkGraphNode {
  AtkObject       parent_instance;

  GilkGraphView  *view;              /* NULL when defunct */
  AtkObject      *owner;             /* the canvas or the block; not owned */
  int             block;
  int             post;              /* 0, 1, or WHOLE_BLOCK */
  GilkGraphNode  *points[2];         /* of a block */
  GilkMark        said;              /* last mark that was announced */
  gboolean        said_chosen;       /* likewise, of a block */
  char           *name, *description;
};

static void node_action_init    (AtkActionIface *iface);
static void node_component_init (AtkComponentIface *iface);
static void node_text_init      (AtkTextIface *iface);

G_DEFINE_TYPE_WITH_CODE (GilkGraphNode, gilk_graph_node, ATK_TYPE_OBJECT,
                         G_IMPLEMENT_INTERFACE (ATK_TYPE_ACTION, node_action_init)
                         G_IMPLEMENT_INTERFACE (ATK_TYPE_COMPONENT, node_component_init)
                         G_IMPLEMENT_INTERFACE (ATK_TYPE_TEXT, node_text_init))

static int
node_point (GilkGraphNode *self)
{
  return 2 * self->block + MAX (self->post, 0);
}

static GilkMark
node_mark (GilkGraphNode *self)
{
  return gilk_graph_view_mark (self->view, node_point (self));
}

static GilkGraphNode *
node_new (GilkGraphView *view,
          AtkObject     *owner,
          int            block,
          int            post)
{
  GilkGraphNode *self = g_object_new (GILK_TYPE_GRAPH_NODE, NULL);

  self->view = view;
  self->owner = owner;
  self->block = block;
  self->post = post;
  self->said = node_mark (self);
  atk_object_set_role (ATK_OBJECT (self), post == WHOLE_BLOCK ? ATK_ROLE_LIST_ITEM
                                                              : ATK_ROLE_CHECK_BOX);

  return self;
}

static void
node_retire (GilkGraphNode *self)
{
  if (self == NULL)
    return;

  self->view = NULL;
  self->owner = NULL;
  atk_object_notify_state_change (ATK_OBJECT (self), ATK_STATE_DEFUNCT, TRUE);
  for (int i = 0; i < 2; i++)
    if (self->points[i] != NULL)
      {
        node_retire (self->points[i]);
        g_clear_object (&self->points[i]);
      }
}

static const char *
node_get_name (AtkObject *object)
{
  static const char *const states[] = { N_("free"), N_("planned"), N_("live"), N_("refused"),
                                        N_("another client's") };
  static const char *const recorded[] = { N_("not hooked"), N_("was hooked") };
  GilkGraphNode *self = GILK_GRAPH_NODE (object);
  GilkGraphData *data;
  const char *title;

  if (self->view == NULL)
    return NULL;

  data = gilk_graph_view_data (self->view);
  title = data->graph->titles[self->block];
  g_free (self->name);
  if (self->post != WHOLE_BLOCK)
    self->name = g_strdup_printf (self->post ? _("post-hook of block %s, %s")
                                             : _("pre-hook of block %s, %s"),
                                  title, data->choices == NULL ? _(recorded[node_mark (self) != GILK_MARK_FREE])
                                                               : _(states[node_mark (self)]));
  else
    self->name = gilk_graph_block_name (self->view, (guint) self->block);

  return self->name;
}

static const char *
node_get_description (AtkObject *object)
{
  GilkGraphNode *self = GILK_GRAPH_NODE (object);
  const GilkChoice *choice;

  if (self->view == NULL)
    return NULL;

  if (self->post == WHOLE_BLOCK)
    {
      g_free (self->description);
      self->description = gilk_graph_block_description (self->view, self->block);
      return self->description;
    }
  if (gilk_graph_view_data (self->view)->choices == NULL)
    return NULL;
  choice = &gilk_graph_view_data (self->view)->choices[node_point (self)];

  return choice->refusal != 0 ? gilk_refusal_cause (choice->refusal) : NULL;
}

/* Of a block: those before and behind it. */
static AtkRelationSet *
node_ref_relation_set (AtkObject *object)
{
  GilkGraphNode *self = GILK_GRAPH_NODE (object);
  AtkRelationSet *set = ATK_OBJECT_CLASS (gilk_graph_node_parent_class)->ref_relation_set (object);
  const GilkCfg *cfg;

  if (self->view == NULL || self->post != WHOLE_BLOCK)
    return set;
  cfg = gilk_graph_view_data (self->view)->cfg;
  for (guint i = 0; i < cfg->n_edges; i++)
    {
      gboolean out = (int) cfg->edges[i].from == self->block, in = (int) cfg->edges[i].to == self->block;
      g_autoptr(AtkObject) to = out ? atk_object_ref_accessible_child (self->owner, (int) cfg->edges[i].to) : NULL;
      g_autoptr(AtkObject) from = in ? atk_object_ref_accessible_child (self->owner, (int) cfg->edges[i].from) : NULL;

      if (out)
        atk_relation_set_add_relation_by_type (set, ATK_RELATION_FLOWS_TO, to);
      if (in)
        atk_relation_set_add_relation_by_type (set, ATK_RELATION_FLOWS_FROM, from);
    }

  return set;
}

static gboolean
node_block (AtkObject      *node,
            GilkGraphView **view,
            guint          *block)
{
  GilkGraphNode *self = GILK_GRAPH_NODE (node);

  if (self->view == NULL || self->post != WHOLE_BLOCK)
    return FALSE;
  *view = self->view;
  *block = self->block;

  return TRUE;
}

static void
node_text_init (AtkTextIface *iface)
{
  gilk_graph_node_text_init (iface, node_block);
}

static AtkObject *
node_get_parent (AtkObject *object)
{
  return GILK_GRAPH_NODE (object)->owner;
}

static int
node_get_index (AtkObject *object)
{
  GilkGraphNode *self = GILK_GRAPH_NODE (object);

  return self->post == WHOLE_BLOCK ? self->block : self->post;
}

static int
node_get_n_children (AtkObject *object)
{
  GilkGraphNode *self = GILK_GRAPH_NODE (object);

  return self->post == WHOLE_BLOCK && self->view != NULL ? 2 : 0;
}

static AtkObject *
node_ref_child (AtkObject *object,
                int        index)
{
  GilkGraphNode *self = GILK_GRAPH_NODE (object);

  if (index < 0 || index >= node_get_n_children (object))
    return NULL;
  if (self->points[index] == NULL)
    self->points[index] = node_new (self->view, object, self->block, index);

  return g_object_ref (ATK_OBJECT (self->points[index]));
}

static AtkStateSet *
node_ref_state_set (AtkObject *object)
{
  GilkGraphNode *self = GILK_GRAPH_NODE (object);
  AtkStateSet *set = ATK_OBJECT_CLASS (gilk_graph_node_parent_class)->ref_state_set (object);
  GilkMark mark;

  if (self->view == NULL)
    {
      atk_state_set_add_state (set, ATK_STATE_DEFUNCT);
      return set;
    }

  if (gilk_graph_is_hidden (gilk_graph_view_data (self->view)->graph, (guint) self->block))
    return set;
  atk_state_set_add_state (set, ATK_STATE_VISIBLE);
  atk_state_set_add_state (set, ATK_STATE_SHOWING);
  atk_state_set_add_state (set, ATK_STATE_FOCUSABLE);
  if (gilk_graph_view_look (self->view)->block == self->block && self->post == WHOLE_BLOCK)
    {
      atk_state_set_add_state (set, ATK_STATE_SELECTED);
      if (gtk_widget_has_focus (GTK_WIDGET (self->view)))
        atk_state_set_add_state (set, ATK_STATE_FOCUSED);
    }
  if (self->post == WHOLE_BLOCK)
    {
      atk_state_set_add_state (set, ATK_STATE_CHECKABLE);
      if (gilk_graph_choice_has (self->view, self->block))
        atk_state_set_add_state (set, ATK_STATE_CHECKED);
      atk_state_set_add_state (set, ATK_STATE_ENABLED);
      atk_state_set_add_state (set, ATK_STATE_SENSITIVE);
      return set;
    }

  mark = node_mark (self);
  atk_state_set_add_state (set, ATK_STATE_CHECKABLE);
  if (mark != GILK_MARK_REFUSED)
    {
      atk_state_set_add_state (set, ATK_STATE_ENABLED);
      atk_state_set_add_state (set, ATK_STATE_SENSITIVE);
    }
  if (mark == GILK_MARK_PLANNED || mark == GILK_MARK_LIVE)
    atk_state_set_add_state (set, ATK_STATE_CHECKED);

  return set;
}

static int
node_n_actions (AtkAction *action)
{
  return GILK_GRAPH_NODE (action)->view != NULL ? 1 : 0;
}

static gboolean
node_do_action (AtkAction *action,
                int        index)
{
  GilkGraphNode *self = GILK_GRAPH_NODE (action);

  if (self->view == NULL || index != 0)
    return FALSE;
  if (self->post == WHOLE_BLOCK)
    gilk_graph_view_select (self->view, node_point (self), TRUE);
  else
    gilk_graph_view_toggle (self->view, node_point (self));

  return TRUE;
}

static const char *
node_action_name (AtkAction *action,
                  int        index)
{
  return GILK_GRAPH_NODE (action)->post == WHOLE_BLOCK ? "select" : "toggle";
}

static void
node_action_init (AtkActionIface *iface)
{
  iface->get_n_actions = node_n_actions;
  iface->do_action = node_do_action;
  iface->get_name = node_action_name;
}

static void
node_get_extents (AtkComponent *component,
                  int          *x,
                  int          *y,
                  int          *width,
                  int          *height,
                  AtkCoordType  type)
{
  GilkGraphNode *self = GILK_GRAPH_NODE (component);
  GdkRectangle box = { 0, 0, 0, 0 };

  if (self->view != NULL)
    {
      if (self->post == WHOLE_BLOCK)
        gilk_graph_view_block_extents (self->view, self->block, &box);
      else
        gilk_graph_view_point_extents (self->view, node_point (self), &box);
      gilk_canvas_place (GTK_WIDGET (self->view), type, &box);
    }
  *x = box.x;
  *y = box.y;
  *width = box.width;
  *height = box.height;
}

static gboolean
node_grab_focus (AtkComponent *component)
{
  GilkGraphNode *self = GILK_GRAPH_NODE (component);

  if (self->view == NULL)
    return FALSE;
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
  gilk_graph_view_select (self->view, node_point (self), TRUE);

  return TRUE;
}

static gboolean
node_scroll_to (AtkComponent  *component,
                AtkScrollType  type)
{
  GilkGraphNode *self = GILK_GRAPH_NODE (component);

  if (self->view == NULL)
    return FALSE;
  gilk_graph_view_select (self->view, node_point (self), TRUE);

  return TRUE;
}

static void
node_component_init (AtkComponentIface *iface)
{
  iface->get_extents = node_get_extents;
  iface->grab_focus = node_grab_focus;
  iface->scroll_to = node_scroll_to;
}

static void
gilk_graph_node_finalize (GObject *object)
{
  GilkGraphNode *self = GILK_GRAPH_NODE (object);

  g_clear_object (&self->points[0]);
  g_clear_object (&self->points[1]);
  g_free (self->name);
  g_free (self->description);
  G_OBJECT_CLASS (gilk_graph_node_parent_class)->finalize (object);
}

static void
gilk_graph_node_class_init (GilkGraphNodeClass *klass)
{
  AtkObjectClass *atk_class = ATK_OBJECT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gilk_graph_node_finalize;
  atk_class->get_name = node_get_name;
  atk_class->get_description = node_get_description;
  atk_class->ref_relation_set = node_ref_relation_set;
  atk_class->get_parent = node_get_parent;
  atk_class->get_index_in_parent = node_get_index;
  atk_class->get_n_children = node_get_n_children;
  atk_class->ref_child = node_ref_child;
  atk_class->ref_state_set = node_ref_state_set;
}

static void
gilk_graph_node_init (GilkGraphNode *self)
{
}

/* ---- the canvas ---- */

static GilkGraphView *
canvas (GilkGraphAccessible *self)
{
  return GILK_GRAPH_VIEW (gtk_accessible_get_widget (GTK_ACCESSIBLE (self)));
}

static int
graph_n_children (AtkObject *object)
{
  GilkGraphView *view = canvas (GILK_GRAPH_ACCESSIBLE (object));
  GilkGraphData *data = view != NULL ? gilk_graph_view_data (view) : NULL;

  return data != NULL ? data->cfg->n_blocks : 0;
}

static AtkObject *
graph_ref_child (AtkObject *object,
                 int        index)
{
  GilkGraphAccessible *self = GILK_GRAPH_ACCESSIBLE (object);
  int n = graph_n_children (object);

  if (index < 0 || index >= n)
    return NULL;
  if ((int) self->blocks->len < n)
    g_ptr_array_set_size (self->blocks, n);
  if (g_ptr_array_index (self->blocks, index) == NULL)
    g_ptr_array_index (self->blocks, index) = node_new (canvas (self), object, index, WHOLE_BLOCK);

  return g_object_ref (ATK_OBJECT (g_ptr_array_index (self->blocks, index)));
}

static const char *
graph_get_name (AtkObject *object)
{
  return _("Control-flow graph");
}

static void
retire_all (GilkGraphAccessible *self)
{
  for (guint i = 0; i < self->blocks->len; i++)
    {
      GilkGraphNode *node = g_ptr_array_index (self->blocks, i);

      if (node != NULL)
        {
          node_retire (node);
          g_object_unref (node);
        }
    }
  g_ptr_array_set_size (self->blocks, 0);
}

void
gilk_graph_accessible_reset (AtkObject *accessible)
{
  GilkGraphAccessible *self;

  if (!GILK_IS_GRAPH_ACCESSIBLE (accessible))
    return;

  self = GILK_GRAPH_ACCESSIBLE (accessible);
  retire_all (self);
  self->current = self->insn = -1;
  g_signal_emit_by_name (accessible, "visible-data-changed");
}

static void
announce_mark (GilkGraphNode *node)
{
  GilkMark mark = node_mark (node);
  gboolean was = node->said == GILK_MARK_PLANNED || node->said == GILK_MARK_LIVE;
  gboolean is = mark == GILK_MARK_PLANNED || mark == GILK_MARK_LIVE;

  node->said = mark;
  if (was != is)
    atk_object_notify_state_change (ATK_OBJECT (node), ATK_STATE_CHECKED, is);
}

static void
announce_chosen (GilkGraphNode *node)
{
  gboolean chosen = gilk_graph_choice_has (node->view, node->block);

  if (chosen == node->said_chosen)
    return;
  node->said_chosen = chosen;
  atk_object_notify_state_change (ATK_OBJECT (node), ATK_STATE_CHECKED, chosen);
}

void
gilk_graph_accessible_update (AtkObject *accessible)
{
  GilkGraphAccessible *self;
  int current, insn;

  if (!GILK_IS_GRAPH_ACCESSIBLE (accessible))
    return;

  self = GILK_GRAPH_ACCESSIBLE (accessible);
  for (guint i = 0; i < self->blocks->len; i++)
    {
      GilkGraphNode *node = g_ptr_array_index (self->blocks, i);

      if (node != NULL)
        announce_chosen (node);
      for (int post = 0; node != NULL && post < 2; post++)
        if (node->points[post] != NULL)
          announce_mark (node->points[post]);
    }

  current = gilk_graph_view_look (canvas (self))->block;
  if (current != self->current && current >= 0)
    {
      g_autoptr(AtkObject) child = graph_ref_child (accessible, current);

      self->current = current;
      g_signal_emit_by_name (accessible, "active-descendant-changed", child);
    }
  insn = gilk_graph_view_insn (canvas (self));
  if (insn != self->insn && insn >= 0)
    {
      g_autoptr(AtkObject) child = graph_ref_child (accessible, current);

      g_signal_emit_by_name (child, "text-caret-moved", atk_text_get_caret_offset (ATK_TEXT (child)));
    }
  self->insn = insn;
}

static void
gilk_graph_accessible_finalize (GObject *object)
{
  GilkGraphAccessible *self = GILK_GRAPH_ACCESSIBLE (object);

  retire_all (self);
  g_ptr_array_unref (self->blocks);
  G_OBJECT_CLASS (gilk_graph_accessible_parent_class)->finalize (object);
}

static void
gilk_graph_accessible_class_init (GilkGraphAccessibleClass *klass)
{
  AtkObjectClass *atk_class = ATK_OBJECT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gilk_graph_accessible_finalize;
  atk_class->get_n_children = graph_n_children;
  atk_class->ref_child = graph_ref_child;
  atk_class->get_name = graph_get_name;
}

static void
gilk_graph_accessible_init (GilkGraphAccessible *self)
{
  self->blocks = g_ptr_array_new ();
  self->current = self->insn = -1;
}
