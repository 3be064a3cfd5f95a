/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-canvas-node.h - a part of a painted widget as an accessible object
 *
 * Of a widget that shows something else by now it is defunct, and answers nothing about what is gone.
 *
 * Threads: the main one.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GILK_TYPE_CANVAS_NODE (gilk_canvas_node_get_type ())
G_DECLARE_DERIVABLE_TYPE (GilkCanvasNode, gilk_canvas_node, GILK, CANVAS_NODE, AtkObject)

/* None is called for a node that is defunct. */
struct _GilkCanvasNodeClass {
  AtkObjectClass parent_class;

  char       *(*name)        (GilkCanvasNode *self);                     /* (transfer full) */
  char       *(*description) (GilkCanvasNode *self);                     /* (transfer full) (nullable); NULL: none has one */
  void        (*add_states)  (GilkCanvasNode *self, AtkStateSet *set);
  void        (*add_relations) (GilkCanvasNode *self, AtkRelationSet *set);
  void        (*extents)     (GilkCanvasNode *self, GdkRectangle *box);  /* in the widget's coordinates */
  const char *(*action)      (GilkCanvasNode *self);                     /* what act() is called */
  void        (*act)         (GilkCanvasNode *self);
  void        (*select)      (GilkCanvasNode *self);                     /* shows it, and takes the keyboard's place there */
  void        (*retire)      (GilkCanvasNode *self);                     /* drops parts of its own; NULL: it has none */
};

/* @owner: of which it is child @index; neither is owned. */
void       gilk_canvas_node_set_up (GilkCanvasNode *self, GtkWidget *widget, AtkObject *owner, int index, AtkRole role);
/* NULL: it is defunct. */
GtkWidget *gilk_canvas_node_widget (GilkCanvasNode *self);
AtkObject *gilk_canvas_node_owner  (GilkCanvasNode *self);
int        gilk_canvas_node_index  (GilkCanvasNode *self);
/* Makes it defunct, and drops the reference. @self is nullable. */
void       gilk_canvas_node_retire (GilkCanvasNode *self);
/* For add_states(): all of them; and what the node has at which the keyboard is, or would be. */
void       gilk_canvas_node_add_all (AtkStateSet *set, const AtkStateType *states, gsize n);
void       gilk_canvas_node_add_current (GilkCanvasNode *self, AtkStateSet *set);

G_END_DECLS
