/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-canvas.h - helpers for custom-drawn widgets whose parts are accessible objects
 *
 * Threads: main thread only.
 */
#pragma once

#include <gdk/gdk.h>
#include <gtk/gtk-a11y.h>
#include <gtk/gtk.h>

#include "core/layout/gilk-layout.h"

/* Handles focus-in-event and focus-out-event: redraws @widget, because the part under the keyboard
 * cursor looks different while the widget has the focus. */
gboolean gilk_canvas_redraw_on_focus (GtkWidget *widget, GdkEventFocus *event);
/* Converts @box from @widget's coordinates to coordinates of @type; all zero if the widget is not
   realized. */
void     gilk_canvas_to_screen       (GtkWidget *widget, AtkCoordType type, GdkRectangle *box);

/*
 * One part of a custom-drawn widget as an accessible object
 *
 * When the widget shows something else, the node becomes defunct and answers no more queries.
 *
 * Threads: main thread only.
 */

#define GILK_TYPE_CANVAS_NODE (gilk_canvas_node_get_type ())
G_DECLARE_DERIVABLE_TYPE (GilkCanvasNode, gilk_canvas_node, GILK, CANVAS_NODE, AtkObject)

/* Methods of a node. They are never called for a defunct node, whose widget now shows something
 * else. */
struct _GilkCanvasNodeClass {
  AtkObjectClass parent_class;

  char       *(*name)        (GilkCanvasNode *self);                     /* (transfer full) */
  /* Returns the description of the node. (transfer full) (nullable). The method is NULL if no node
   * of the class has a description. */
  char       *(*description) (GilkCanvasNode *self);
  void        (*add_states)  (GilkCanvasNode *self, AtkStateSet *set);
  void        (*add_relations) (GilkCanvasNode *self, AtkRelationSet *set);
  void        (*extents)     (GilkCanvasNode *self, GdkRectangle *box);  /* gets the node's area in the widget */
  /* Returns the name of the action that act() performs. */
  const char *(*action)      (GilkCanvasNode *self);
  void        (*act)         (GilkCanvasNode *self);
  void        (*select)      (GilkCanvasNode *self);                     /* moves the keyboard cursor to the node */
  /* Drops the references that the subclass holds. The method is NULL if the subclass holds none. */
  void        (*retire)      (GilkCanvasNode *self);
};

/* Makes the node @self child number @index of the accessible object @owner. Takes no reference to
 * @owner or @widget. */
void       gilk_canvas_node_set_up (GilkCanvasNode *self, GtkWidget *widget, AtkObject *owner, int index, AtkRole role);
/* Returns the node's widget; NULL: the node is defunct. */
GtkWidget *gilk_canvas_node_widget (GilkCanvasNode *self);
AtkObject *gilk_canvas_node_owner  (GilkCanvasNode *self);
int        gilk_canvas_node_index  (GilkCanvasNode *self);
/* Makes @self defunct and drops the caller's reference. @self: (nullable) */
void       gilk_canvas_node_retire (GilkCanvasNode *self);
/* Implementations of add_states() use these two functions. gilk_canvas_node_add_all() adds the @n
 * given states to @set. gilk_canvas_node_add_current() is for the node under the keyboard cursor:
 * it adds the state "selected" and, if the widget has the focus, "focused". */
void       gilk_canvas_node_add_all (AtkStateSet *set, const AtkStateType *states, gsize n);
void       gilk_canvas_node_add_current (GilkCanvasNode *self, AtkStateSet *set);

/*
 * Accessible object of a custom-drawn widget, with the drawn parts as its children
 *
 * Nodes are created on first request and kept until the widget shows something else.
 *
 * Threads: main thread only.
 */

#define GILK_TYPE_CANVAS_ACCESSIBLE (gilk_canvas_accessible_get_type ())
G_DECLARE_DERIVABLE_TYPE (GilkCanvasAccessible, gilk_canvas_accessible, GILK, CANVAS_ACCESSIBLE, GtkWidgetAccessible)

struct _GilkCanvasAccessibleClass {
  GtkWidgetAccessibleClass parent_class;

  int             (*n_nodes)  (GtkWidget *widget);
  GilkCanvasNode *(*new_node) (GilkCanvasAccessible *self, GtkWidget *widget, int index);   /* (transfer full) */
};

/* Returns node @index if it was created already, else NULL. (transfer none) */
GilkCanvasNode *gilk_canvas_accessible_peek        (GilkCanvasAccessible *self, int index);
/* Makes all nodes defunct. Call it when the widget shows something else. */
void            gilk_canvas_accessible_reset       (GilkCanvasAccessible *self);
/* Tells assistive technologies that the keyboard cursor has moved to the node @index. */
void            gilk_canvas_accessible_set_current (GilkCanvasAccessible *self, int index);

/*
 * Position and scale of a drawing in a widget
 *
 * Maps drawing coordinates to widget coordinates: widget = (drawing - origin) * scale. Holds only
 * numbers, no widget.
 */

#define GILK_VIEWPORT_MARGIN 32.0

typedef struct {
  double x, y, scale;      /* x, y: drawing coordinates of the widget's origin */
  int    width, height;    /* widget size, pixels */
} GilkViewport;

/* Sets the scale, clamped to the allowed range; the point of the drawing at (@px, @py) in the
 * widget keeps its position. */
void gilk_viewport_zoom   (GilkViewport *port, const GilkLayout *layout, double scale, double px, double py);
/* Scrolls by (@dx, @dy) in drawing units, but never so far that no part of the drawing is
 * visible. */
void gilk_viewport_move   (GilkViewport *port, const GilkLayout *layout, double dx, double dy);
/* Shows the whole drawing, at a scale of at most 1. */
void gilk_viewport_fit    (GilkViewport *port, const GilkLayout *layout);
/* Sets the initial view: at a readable scale, with @entry at the top centre. */
void gilk_viewport_show_entry  (GilkViewport *port, const GilkLayout *layout, const GilkBox *entry);
/* Scrolls @box into view. */
void gilk_viewport_scroll_to (GilkViewport *port, const GilkBox *box);
void gilk_viewport_extents (const GilkViewport *port, const GilkBox *box, GdkRectangle *extents);
