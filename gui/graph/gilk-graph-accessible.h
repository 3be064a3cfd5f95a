/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-accessible.h - blocks and probe points of the graph as accessible children
 *
 * A block is a list item with two check boxes, its pre-hook and its post-hook. Screen readers and
 * the GUI tests use them.
 */
#pragma once

#include "gui/base/gilk-canvas.h"

G_BEGIN_DECLS

#define GILK_TYPE_GRAPH_ACCESSIBLE (gilk_graph_accessible_get_type ())
G_DECLARE_FINAL_TYPE (GilkGraphAccessible, gilk_graph_accessible, GILK, GRAPH_ACCESSIBLE,
                      GilkCanvasAccessible)

/* Drops all children. Call it when another graph is shown. Ignores objects of other types. */
void gilk_graph_accessible_reset  (AtkObject *accessible);
/* Announces changed marks, selections, and a new current block or instruction. */
void gilk_graph_accessible_update (AtkObject *accessible);

G_END_DECLS
