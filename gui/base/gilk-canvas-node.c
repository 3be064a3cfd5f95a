/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-canvas-node.c - part of a custom-drawn widget as an accessible object, and its place on
 * the screen
 */

#include "gui/base/gilk-canvas.h"

typedef struct {
  GtkWidget *widget;                 /* the widget that draws this part; NULL: the node is
                                      * defunct */
  AtkObject *owner;                  /* not owned */
  int        index;
  char      *name, *description;     /* the name and description last returned to a caller, owned by
                                      * the node */
} GilkCanvasNodePrivate;

static void node_action_init    (AtkActionIface *iface);
static void node_component_init (AtkComponentIface *iface);

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (GilkCanvasNode, gilk_canvas_node, ATK_TYPE_OBJECT,
                                  G_ADD_PRIVATE (GilkCanvasNode)
                                  G_IMPLEMENT_INTERFACE (ATK_TYPE_ACTION, node_action_init)
                                  G_IMPLEMENT_INTERFACE (ATK_TYPE_COMPONENT, node_component_init))

static GilkCanvasNodePrivate *
get_private (gpointer self)
{
  return gilk_canvas_node_get_instance_private (GILK_CANVAS_NODE (self));
}

void
gilk_canvas_node_set_up (GilkCanvasNode *self,
                         GtkWidget      *widget,
                         AtkObject      *owner,
                         int             index,
                         AtkRole         role)
{
  GilkCanvasNodePrivate *node = get_private (self);

  node->widget = widget;
  node->owner = owner;
  node->index = index;
  atk_object_set_role (ATK_OBJECT (self), role);
}

GtkWidget *
gilk_canvas_node_widget (GilkCanvasNode *self)
{
  return get_private (self)->widget;
}

AtkObject *
gilk_canvas_node_owner (GilkCanvasNode *self)
{
  return get_private (self)->owner;
}

int
gilk_canvas_node_index (GilkCanvasNode *self)
{
  return get_private (self)->index;
}

void
gilk_canvas_node_retire (GilkCanvasNode *self)
{
  if (self == NULL)
    return;
  get_private (self)->widget = NULL;
  get_private (self)->owner = NULL;
  atk_object_notify_state_change (ATK_OBJECT (self), ATK_STATE_DEFUNCT, TRUE);
  if (GILK_CANVAS_NODE_GET_CLASS (self)->retire != NULL)
    GILK_CANVAS_NODE_GET_CLASS (self)->retire (self);
  g_object_unref (self);
}

void
gilk_canvas_node_add_all (AtkStateSet        *set,
                          const AtkStateType *states,
                          gsize               n)
{
  for (gsize i = 0; i < n; i++)
    atk_state_set_add_state (set, states[i]);
}

void
gilk_canvas_node_add_current (GilkCanvasNode *self,
                              AtkStateSet    *set)
{
  atk_state_set_add_state (set, ATK_STATE_SELECTED);
  if (gtk_widget_has_focus (get_private (self)->widget))
    atk_state_set_add_state (set, ATK_STATE_FOCUSED);
}

static const char *
node_get_name (AtkObject *object)
{
  GilkCanvasNodePrivate *node = get_private (object);

  if (node->widget == NULL)
    return NULL;
  g_free (node->name);
  node->name = GILK_CANVAS_NODE_GET_CLASS (object)->name (GILK_CANVAS_NODE (object));

  return node->name;
}

static const char *
node_get_description (AtkObject *object)
{
  GilkCanvasNodePrivate *node = get_private (object);

  if (node->widget == NULL || GILK_CANVAS_NODE_GET_CLASS (object)->description == NULL)
    return NULL;
  g_free (node->description);
  node->description = GILK_CANVAS_NODE_GET_CLASS (object)->description (GILK_CANVAS_NODE (object));

  return node->description;
}

static AtkObject *
node_get_parent (AtkObject *object)
{
  return get_private (object)->owner;
}

static int
node_get_index (AtkObject *object)
{
  return get_private (object)->index;
}

static AtkRelationSet *
node_ref_relation_set (AtkObject *object)
{
  AtkRelationSet *set = ATK_OBJECT_CLASS (gilk_canvas_node_parent_class)->ref_relation_set (object);

  if (get_private (object)->widget != NULL)
    GILK_CANVAS_NODE_GET_CLASS (object)->add_relations (GILK_CANVAS_NODE (object), set);

  return set;
}

static AtkStateSet *
node_ref_state_set (AtkObject *object)
{
  AtkStateSet *set = ATK_OBJECT_CLASS (gilk_canvas_node_parent_class)->ref_state_set (object);

  if (get_private (object)->widget != NULL)
    GILK_CANVAS_NODE_GET_CLASS (object)->add_states (GILK_CANVAS_NODE (object), set);
  else
    atk_state_set_add_state (set, ATK_STATE_DEFUNCT);

  return set;
}

static int
node_n_actions (AtkAction *action)
{
  return get_private (action)->widget != NULL ? 1 : 0;
}

static gboolean
node_do_action (AtkAction *action,
                int        index)
{
  if (get_private (action)->widget == NULL || index != 0)
    return FALSE;
  GILK_CANVAS_NODE_GET_CLASS (action)->act (GILK_CANVAS_NODE (action));

  return TRUE;
}

static const char *
node_action_name (AtkAction *action,
                  int        index)
{
  return get_private (action)->widget != NULL ? GILK_CANVAS_NODE_GET_CLASS (action)->action (GILK_CANVAS_NODE (action)) : NULL;
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
  GtkWidget *widget = get_private (component)->widget;
  GdkRectangle box = { 0, 0, 0, 0 };

  if (widget != NULL)
    {
      GILK_CANVAS_NODE_GET_CLASS (component)->extents (GILK_CANVAS_NODE (component), &box);
      gilk_canvas_to_screen (widget, type, &box);
    }
  *x = box.x;
  *y = box.y;
  *width = box.width;
  *height = box.height;
}

static gboolean
node_scroll_to (AtkComponent *component,
                AtkScrollType type)
{
  if (get_private (component)->widget == NULL)
    return FALSE;
  GILK_CANVAS_NODE_GET_CLASS (component)->select (GILK_CANVAS_NODE (component));

  return TRUE;
}

static gboolean
node_grab_focus (AtkComponent *component)
{
  if (get_private (component)->widget != NULL)
    gtk_widget_grab_focus (get_private (component)->widget);

  return node_scroll_to (component, ATK_SCROLL_ANYWHERE);
}

static void
node_component_init (AtkComponentIface *iface)
{
  iface->get_extents = node_get_extents;
  iface->grab_focus = node_grab_focus;
  iface->scroll_to = node_scroll_to;
}

static void
gilk_canvas_node_finalize (GObject *object)
{
  g_free (get_private (object)->name);
  g_free (get_private (object)->description);
  G_OBJECT_CLASS (gilk_canvas_node_parent_class)->finalize (object);
}

static void
gilk_canvas_node_class_init (GilkCanvasNodeClass *klass)
{
  AtkObjectClass *atk_class = ATK_OBJECT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gilk_canvas_node_finalize;
  atk_class->get_name = node_get_name;
  atk_class->get_description = node_get_description;
  atk_class->get_parent = node_get_parent;
  atk_class->get_index_in_parent = node_get_index;
  atk_class->ref_relation_set = node_ref_relation_set;
  atk_class->ref_state_set = node_ref_state_set;
}

static void
gilk_canvas_node_init (GilkCanvasNode *self)
{
}

/* ---- focus of a custom-drawn widget, and its place on the screen ---- */

gboolean
gilk_canvas_redraw_on_focus (GtkWidget     *widget,
                             GdkEventFocus *event)
{
  gtk_widget_queue_draw (widget);

  return GDK_EVENT_PROPAGATE;
}

void
gilk_canvas_to_screen (GtkWidget    *widget,
                       AtkCoordType  type,
                       GdkRectangle *box)
{
  int left = 0, top = 0;

  if (!gtk_widget_get_realized (widget))
    {
      *box = (GdkRectangle) { 0, 0, 0, 0 };
      return;
    }
  if (type == ATK_XY_SCREEN)
    gdk_window_get_origin (gtk_widget_get_window (widget), &left, &top);
  else if (type == ATK_XY_WINDOW)
    gtk_widget_translate_coordinates (widget, gtk_widget_get_toplevel (widget), 0, 0, &left, &top);
  box->x += left;
  box->y += top;
}
