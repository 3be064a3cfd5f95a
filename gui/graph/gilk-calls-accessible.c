/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-calls-accessible.c - functions in the drawing of a call graph as accessible children
 */
#include "gui/graph/gilk-calls-accessible.h"

#include <glib/gi18n.h>

#include "gui/graph/gilk-calls-canvas.h"

struct _GilkCallsAccessible {
  GilkCanvasAccessible parent_instance;
};

G_DEFINE_FINAL_TYPE (GilkCallsAccessible, gilk_calls_accessible, GILK_TYPE_CANVAS_ACCESSIBLE)

/* ---- nodes ---- */

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
  return gilk_calls_canvas_describe (get_canvas (node), gilk_canvas_node_index (node));
}

/* Adds callees as FLOWS_TO and callers as FLOWS_FROM. */
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
  if (gilk_calls_canvas_current (get_canvas (node)) == gilk_canvas_node_index (node))
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
  gilk_calls_canvas_activate (get_canvas (node), gilk_canvas_node_index (node));
}

static void
node_extents (GilkCanvasNode *node,
              GdkRectangle   *box)
{
  gilk_calls_canvas_extents (get_canvas (node), gilk_canvas_node_index (node), box);
}

static void
node_select (GilkCanvasNode *node)
{
  gilk_calls_canvas_select (get_canvas (node), gilk_canvas_node_index (node));
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

/* ---- canvas ---- */

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

void
gilk_calls_accessible_reset (AtkObject *accessible)
{
  if (GILK_IS_CALLS_ACCESSIBLE (accessible))
    gilk_canvas_accessible_reset (GILK_CANVAS_ACCESSIBLE (accessible));
}

void
gilk_calls_accessible_update (AtkObject *accessible,
                              int        node)
{
  if (GILK_IS_CALLS_ACCESSIBLE (accessible))
    gilk_canvas_accessible_set_current (GILK_CANVAS_ACCESSIBLE (accessible), node);
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
