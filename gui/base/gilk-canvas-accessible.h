/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-canvas-accessible.h - accessible object of a custom-drawn widget, with the drawn parts as
 * its children
 *
 * Nodes are created on first request and kept until the widget shows something else.
 *
 * Threads: main thread only.
 */
#pragma once

#include <gtk/gtk-a11y.h>

#include "gui/base/gilk-canvas-node.h"

G_BEGIN_DECLS

#define GILK_TYPE_CANVAS_ACCESSIBLE (gilk_canvas_accessible_get_type ())
G_DECLARE_DERIVABLE_TYPE (GilkCanvasAccessible, gilk_canvas_accessible, GILK, CANVAS_ACCESSIBLE, GtkWidgetAccessible)

struct _GilkCanvasAccessibleClass {
  GtkWidgetAccessibleClass parent_class;

  int             (*n_nodes)  (GtkWidget *widget);
  GilkCanvasNode *(*new_node) (GilkCanvasAccessible *self, GtkWidget *widget, int index);   /* (transfer full) */
};

/* Returns the node if it was created, else NULL. (transfer none) */
GilkCanvasNode *gilk_canvas_accessible_peek        (GilkCanvasAccessible *self, int index);
/* Makes all nodes defunct, because the widget shows something else. */
void            gilk_canvas_accessible_reset       (GilkCanvasAccessible *self);
/* Reports that the keyboard cursor moved to node @index. */
void            gilk_canvas_accessible_set_current (GilkCanvasAccessible *self, int index);

G_END_DECLS
