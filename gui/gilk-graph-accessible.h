/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-accessible.h - blocks and probe points of the canvas as accessible children
 *
 * A block is a list item with two check boxes in it, its pre- and post-hook.
 * Screen readers and the GUI tests both use them.
 */
#pragma once

#include "gui/gilk-canvas-accessible.h"

G_BEGIN_DECLS

#define GILK_TYPE_GRAPH_ACCESSIBLE (gilk_graph_accessible_get_type ())
G_DECLARE_FINAL_TYPE (GilkGraphAccessible, gilk_graph_accessible, GILK, GRAPH_ACCESSIBLE,
                      GilkCanvasAccessible)

/* The canvas shows another graph: old children are gone. Any AtkObject is fine. */
void gilk_graph_accessible_reset  (AtkObject *accessible);
/* Marks or the current block changed. */
void gilk_graph_accessible_update (AtkObject *accessible);

G_END_DECLS
