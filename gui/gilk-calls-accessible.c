/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-calls-accessible.c - functions of a call graph's picture as accessible children
 *
 * They are made when first asked for and kept until there is another picture; after that they are defunct.
 */
#include "gui/gilk-calls-accessible.h"

#include <glib/gi18n.h>

#include "gui/gilk-calls-canvas.h"
#include "gui/gilk-canvas.h"

struct _GilkCallsAccessible {
  GtkWidgetAccessible parent_instance;

  GPtrArray          *nodes;         /* GilkCallsNode, NULL where not yet asked for */
};

G_DEFINE_FINAL_TYPE (GilkCallsAccessible, gilk_calls_accessible, GTK_TYPE_WIDGET_ACCESSIBLE)

/* ---- nodes ---- */

#define GILK_TYPE_CALLS_NODE (gilk_calls_node_get_type ())
G_DECLARE_FINAL_TYPE (GilkCallsNode, gilk_calls_node, GILK, CALLS_NODE, AtkObject)

struct _GilkCallsNode {
  AtkObject        parent_instance;

  GilkCallsCanvas *canvas;           /* NULL when defunct */
  AtkObject       *owner;            /* not owned */
  int              node;
  char            *name;
};

static void node_action_init    (AtkActionIface *iface);
static void node_component_init (AtkComponentIface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GilkCallsNode, gilk_calls_node, ATK_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ATK_TYPE_ACTION, node_action_init)
                               G_IMPLEMENT_INTERFACE (ATK_TYPE_COMPONENT, node_component_init))

static const char *
node_get_name (AtkObject *object)
{
  GilkCallsNode *self = GILK_CALLS_NODE (object);

  if (self->canvas == NULL)
    return NULL;
  g_free (self->name);
  self->name = gilk_calls_canvas_describe (self->canvas, self->node);

  return self->name;
}

static AtkObject *
node_get_parent (AtkObject *object)
{
  return GILK_CALLS_NODE (object)->owner;
}

static int
node_get_index (AtkObject *object)
{
  return GILK_CALLS_NODE (object)->node;
}

/* Those that it calls, and those that call it. */
static AtkRelationSet *
node_ref_relation_set (AtkObject *object)
{
  GilkCallsNode *self = GILK_CALLS_NODE (object);
  AtkRelationSet *set = ATK_OBJECT_CLASS (gilk_calls_node_parent_class)->ref_relation_set (object);
  const GilkCallAround *around = self->canvas != NULL ? gilk_calls_canvas_picture (self->canvas)->around : NULL;

  for (guint i = 0; around != NULL && i < around->n_edges; i++)
    {
      const GilkAroundEdge *edge = &around->edges[i];
      gboolean out = (int) edge->from == self->node, in = (int) edge->to == self->node;
      g_autoptr(AtkObject) other = out || in ? atk_object_ref_accessible_child (self->owner, (int) (out ? edge->to : edge->from))
                                             : NULL;

      if (other != NULL)
        atk_relation_set_add_relation_by_type (set, out ? ATK_RELATION_FLOWS_TO : ATK_RELATION_FLOWS_FROM, other);
    }

  return set;
}

static AtkStateSet *
node_ref_state_set (AtkObject *object)
{
  GilkCallsNode *self = GILK_CALLS_NODE (object);
  AtkStateSet *set = ATK_OBJECT_CLASS (gilk_calls_node_parent_class)->ref_state_set (object);
  const AtkStateType always[] = { ATK_STATE_VISIBLE, ATK_STATE_SHOWING, ATK_STATE_FOCUSABLE, ATK_STATE_SELECTABLE,
                                  ATK_STATE_ENABLED, ATK_STATE_SENSITIVE };

  if (self->canvas == NULL)
    {
      atk_state_set_add_state (set, ATK_STATE_DEFUNCT);
      return set;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (always); i++)
    atk_state_set_add_state (set, always[i]);
  if (gilk_calls_canvas_current (self->canvas) != self->node)
    return set;
  atk_state_set_add_state (set, ATK_STATE_SELECTED);
  if (gtk_widget_has_focus (GTK_WIDGET (self->canvas)))
    atk_state_set_add_state (set, ATK_STATE_FOCUSED);

  return set;
}

static int
node_n_actions (AtkAction *action)
{
  return GILK_CALLS_NODE (action)->canvas != NULL ? 1 : 0;
}

static gboolean
node_do_action (AtkAction *action,
                int        index)
{
  GilkCallsNode *self = GILK_CALLS_NODE (action);

  if (self->canvas == NULL || index != 0)
    return FALSE;
  gilk_calls_canvas_activate (self->canvas, self->node);

  return TRUE;
}

static const char *
node_action_name (AtkAction *action,
                  int        index)
{
  return "open";
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
  GilkCallsNode *self = GILK_CALLS_NODE (component);
  GdkRectangle box = { 0, 0, 0, 0 };

  if (self->canvas != NULL)
    {
      gilk_calls_canvas_extents (self->canvas, self->node, &box);
      gilk_canvas_place (GTK_WIDGET (self->canvas), type, &box);
    }
  *x = box.x;
  *y = box.y;
  *width = box.width;
  *height = box.height;
}

static gboolean
node_grab_focus (AtkComponent *component)
{
  GilkCallsNode *self = GILK_CALLS_NODE (component);

  if (self->canvas == NULL)
    return FALSE;
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
  gilk_calls_canvas_select (self->canvas, self->node);

  return TRUE;
}

static void
node_component_init (AtkComponentIface *iface)
{
  iface->get_extents = node_get_extents;
  iface->grab_focus = node_grab_focus;
}

static void
gilk_calls_node_finalize (GObject *object)
{
  g_free (GILK_CALLS_NODE (object)->name);
  G_OBJECT_CLASS (gilk_calls_node_parent_class)->finalize (object);
}

static void
gilk_calls_node_class_init (GilkCallsNodeClass *klass)
{
  AtkObjectClass *atk_class = ATK_OBJECT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gilk_calls_node_finalize;
  atk_class->get_name = node_get_name;
  atk_class->get_parent = node_get_parent;
  atk_class->get_index_in_parent = node_get_index;
  atk_class->ref_relation_set = node_ref_relation_set;
  atk_class->ref_state_set = node_ref_state_set;
}

static void
gilk_calls_node_init (GilkCallsNode *self)
{
}

/* ---- the picture ---- */

static int
picture_n_children (AtkObject *object)
{
  GtkWidget *widget = gtk_accessible_get_widget (GTK_ACCESSIBLE (object));
  GilkCallsPicture *picture = widget != NULL ? gilk_calls_canvas_picture (GILK_CALLS_CANVAS (widget)) : NULL;

  return picture != NULL ? (int) picture->around->n_nodes : 0;
}

static AtkObject *
picture_ref_child (AtkObject *object,
                   int        index)
{
  GilkCallsAccessible *self = GILK_CALLS_ACCESSIBLE (object);
  int n = picture_n_children (object);

  if (index < 0 || index >= n)
    return NULL;
  if ((int) self->nodes->len < n)
    g_ptr_array_set_size (self->nodes, n);
  if (g_ptr_array_index (self->nodes, index) == NULL)
    {
      GilkCallsNode *node = g_object_new (GILK_TYPE_CALLS_NODE, NULL);

      node->canvas = GILK_CALLS_CANVAS (gtk_accessible_get_widget (GTK_ACCESSIBLE (object)));
      node->owner = object;
      node->node = index;
      atk_object_set_role (ATK_OBJECT (node), ATK_ROLE_LIST_ITEM);
      g_ptr_array_index (self->nodes, index) = node;
    }

  return g_object_ref (g_ptr_array_index (self->nodes, index));
}

static const char *
picture_get_name (AtkObject *object)
{
  return _("Call graph");
}

static void
retire_all (GilkCallsAccessible *self)
{
  for (guint i = 0; i < self->nodes->len; i++)
    {
      GilkCallsNode *node = g_ptr_array_index (self->nodes, i);

      if (node == NULL)
        continue;
      node->canvas = NULL;
      node->owner = NULL;
      atk_object_notify_state_change (ATK_OBJECT (node), ATK_STATE_DEFUNCT, TRUE);
      g_object_unref (node);
    }
  g_ptr_array_set_size (self->nodes, 0);
}

void
gilk_calls_accessible_reset (AtkObject *accessible)
{
  if (!GILK_IS_CALLS_ACCESSIBLE (accessible))
    return;
  retire_all (GILK_CALLS_ACCESSIBLE (accessible));
  g_signal_emit_by_name (accessible, "visible-data-changed");
}

void
gilk_calls_accessible_update (AtkObject *accessible,
                              int        node)
{
  g_autoptr(AtkObject) child = GILK_IS_CALLS_ACCESSIBLE (accessible) ? picture_ref_child (accessible, node) : NULL;

  if (child != NULL)
    g_signal_emit_by_name (accessible, "active-descendant-changed", child);
}

static void
gilk_calls_accessible_finalize (GObject *object)
{
  GilkCallsAccessible *self = GILK_CALLS_ACCESSIBLE (object);

  retire_all (self);
  g_ptr_array_unref (self->nodes);
  G_OBJECT_CLASS (gilk_calls_accessible_parent_class)->finalize (object);
}

static void
gilk_calls_accessible_class_init (GilkCallsAccessibleClass *klass)
{
  AtkObjectClass *atk_class = ATK_OBJECT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gilk_calls_accessible_finalize;
  atk_class->get_n_children = picture_n_children;
  atk_class->ref_child = picture_ref_child;
  atk_class->get_name = picture_get_name;
}

static void
gilk_calls_accessible_init (GilkCallsAccessible *self)
{
  self->nodes = g_ptr_array_new ();
}
