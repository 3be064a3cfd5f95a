/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-node-text.h - AtkText of a block: its instructions, with the caret at the current one
 */
#pragma once

#include "gui/graph/gilk-graph-view.h"

G_BEGIN_DECLS

/* Gets the block that @node stands for and its view. FALSE: not a block, or defunct. */
typedef gboolean (*GilkGraphNodeBlock) (AtkObject *node, GilkGraphView **view, guint *block);

/* @block_of: the same for all calls, because it is stored in a static variable */
void gilk_graph_node_text_init (AtkTextIface *iface, GilkGraphNodeBlock block_of);

G_END_DECLS
