/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-canvas-accessible.h - a painted widget as an accessible object: its parts are the children
 *
 * Nodes are made when first asked for, and kept until the widget shows something else.
 *
 * Threads: the main one.
 */
#pragma once

#include <gtk/gtk-a11y.h>

#include "gui/gilk-canvas-node.h"

G_BEGIN_DECLS

#define GILK_TYPE_CANVAS_ACCESSIBLE (gilk_canvas_accessible_get_type ())
G_DECLARE_DERIVABLE_TYPE (GilkCanvasAccessible, gilk_canvas_accessible, GILK, CANVAS_ACCESSIBLE, GtkWidgetAccessible)

struct _GilkCanvasAccessibleClass {
  GtkWidgetAccessibleClass parent_class;

  int             (*n_nodes)  (GtkWidget *widget);
  GilkCanvasNode *(*new_node) (GilkCanvasAccessible *self, GtkWidget *widget, int index);   /* (transfer full) */
};

/* NULL: nobody has asked for it. (transfer none) */
GilkCanvasNode *gilk_canvas_accessible_known  (GilkCanvasAccessible *self, int index);
/* The widget shows something else: all nodes are defunct. */
void            gilk_canvas_accessible_reset  (GilkCanvasAccessible *self);
/* The keyboard's place is another one. */
void            gilk_canvas_accessible_at     (GilkCanvasAccessible *self, int index);

G_END_DECLS
