/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-canvas-node.h - one part of a custom-drawn widget as an accessible object
 *
 * When the widget shows something else, the node becomes defunct and answers no more queries.
 *
 * Threads: main thread only.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GILK_TYPE_CANVAS_NODE (gilk_canvas_node_get_type ())
G_DECLARE_DERIVABLE_TYPE (GilkCanvasNode, gilk_canvas_node, GILK, CANVAS_NODE, AtkObject)

/* None of these is called for a defunct node. */
struct _GilkCanvasNodeClass {
  AtkObjectClass parent_class;

  char       *(*name)        (GilkCanvasNode *self);                     /* (transfer full) */
  char       *(*description) (GilkCanvasNode *self);                     /* (transfer full) (nullable); NULL: no descriptions */
  void        (*add_states)  (GilkCanvasNode *self, AtkStateSet *set);
  void        (*add_relations) (GilkCanvasNode *self, AtkRelationSet *set);
  void        (*extents)     (GilkCanvasNode *self, GdkRectangle *box);  /* in widget coordinates */
  const char *(*action)      (GilkCanvasNode *self);                     /* name of act()'s action */
  void        (*act)         (GilkCanvasNode *self);
  void        (*select)      (GilkCanvasNode *self);                     /* scrolls there and moves the keyboard cursor */
  void        (*retire)      (GilkCanvasNode *self);                     /* drops own references; NULL: none */
};

/* @owner: parent accessible, whose child @index this becomes. @owner and @widget are not owned. */
void       gilk_canvas_node_set_up (GilkCanvasNode *self, GtkWidget *widget, AtkObject *owner, int index, AtkRole role);
/* Returns NULL if the node is defunct. */
GtkWidget *gilk_canvas_node_widget (GilkCanvasNode *self);
AtkObject *gilk_canvas_node_owner  (GilkCanvasNode *self);
int        gilk_canvas_node_index  (GilkCanvasNode *self);
/* Makes @self defunct and drops the reference. @self: (nullable) */
void       gilk_canvas_node_retire (GilkCanvasNode *self);
/* For add_states(): adds all of @states; adds those of the node under the keyboard cursor. */
void       gilk_canvas_node_add_all (AtkStateSet *set, const AtkStateType *states, gsize n);
void       gilk_canvas_node_add_current (GilkCanvasNode *self, AtkStateSet *set);

G_END_DECLS
