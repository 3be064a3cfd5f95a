/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-canvas-accessible.c - accessible object of a custom-drawn widget, with the drawn parts as
 * its children
 */
#include "gui/base/gilk-canvas.h"

typedef struct {
  GPtrArray *nodes;                  /* element-type GilkCanvasNode, one per drawn part; NULL until
                                      * the node is requested */
} GilkCanvasAccessiblePrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (GilkCanvasAccessible, gilk_canvas_accessible, GTK_TYPE_WIDGET_ACCESSIBLE)

static GPtrArray *
get_nodes (gpointer self)
{
  return ((GilkCanvasAccessiblePrivate *) gilk_canvas_accessible_get_instance_private (GILK_CANVAS_ACCESSIBLE (self)))->nodes;
}

static int
canvas_n_children (AtkObject *object)
{
  GtkWidget *widget = gtk_accessible_get_widget (GTK_ACCESSIBLE (object));

  return widget != NULL ? GILK_CANVAS_ACCESSIBLE_GET_CLASS (object)->n_nodes (widget) : 0;
}

static AtkObject *
canvas_ref_child (AtkObject *object,
                  int        index)
{
  GilkCanvasAccessible *self = GILK_CANVAS_ACCESSIBLE (object);
  GPtrArray *nodes = get_nodes (self);
  int n = canvas_n_children (object);

  if (index < 0 || index >= n)
    return NULL;
  if ((int) nodes->len < n)
    g_ptr_array_set_size (nodes, n);
  if (nodes->pdata[index] == NULL)
    nodes->pdata[index] = GILK_CANVAS_ACCESSIBLE_GET_CLASS (self)->new_node (self, gtk_accessible_get_widget (GTK_ACCESSIBLE (self)),
                                                                             index);

  return g_object_ref (ATK_OBJECT (nodes->pdata[index]));
}

GilkCanvasNode *
gilk_canvas_accessible_peek (GilkCanvasAccessible *self,
                             int                   index)
{
  return index >= 0 && index < (int) get_nodes (self)->len ? get_nodes (self)->pdata[index] : NULL;
}

static void
retire_nodes (GilkCanvasAccessible *self)
{
  GPtrArray *nodes = get_nodes (self);

  for (guint i = 0; i < nodes->len; i++)
    gilk_canvas_node_retire (nodes->pdata[i]);
  g_ptr_array_set_size (nodes, 0);
}

void
gilk_canvas_accessible_reset (GilkCanvasAccessible *self)
{
  retire_nodes (self);
  g_signal_emit_by_name (self, "visible-data-changed");
}

void
gilk_canvas_accessible_set_current (GilkCanvasAccessible *self,
                                    int                   index)
{
  g_autoptr(AtkObject) child = canvas_ref_child (ATK_OBJECT (self), index);

  if (child != NULL)
    g_signal_emit_by_name (self, "active-descendant-changed", child);
}

/* Makes the nodes defunct when the widget is destroyed, because a screen reader may keep the
 * accessible object alive and ask for its nodes afterwards. */
static void
canvas_widget_unset (GtkAccessible *accessible)
{
  retire_nodes (GILK_CANVAS_ACCESSIBLE (accessible));
  if (GTK_ACCESSIBLE_CLASS (gilk_canvas_accessible_parent_class)->widget_unset != NULL)
    GTK_ACCESSIBLE_CLASS (gilk_canvas_accessible_parent_class)->widget_unset (accessible);
}

static void
gilk_canvas_accessible_finalize (GObject *object)
{
  retire_nodes (GILK_CANVAS_ACCESSIBLE (object));
  g_ptr_array_unref (get_nodes (object));
  G_OBJECT_CLASS (gilk_canvas_accessible_parent_class)->finalize (object);
}

static void
gilk_canvas_accessible_class_init (GilkCanvasAccessibleClass *klass)
{
  AtkObjectClass *atk_class = ATK_OBJECT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gilk_canvas_accessible_finalize;
  GTK_ACCESSIBLE_CLASS (klass)->widget_unset = canvas_widget_unset;
  atk_class->get_n_children = canvas_n_children;
  atk_class->ref_child = canvas_ref_child;
}

static void
gilk_canvas_accessible_init (GilkCanvasAccessible *self)
{
  GilkCanvasAccessiblePrivate *canvas = gilk_canvas_accessible_get_instance_private (self);

  canvas->nodes = g_ptr_array_new ();
}
