/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-node-text.h - a block's instructions as the text of its accessible, the current one at the caret
 */
#pragma once

#include "gui/gilk-graph-view.h"

G_BEGIN_DECLS

/* Block that @node stands for, and its view; FALSE: it stands for none, or no more. */
typedef gboolean (*GilkGraphNodeBlock) (AtkObject *node, GilkGraphView **view, guint *block);

/* @block_of: the same for all nodes. */
void gilk_graph_node_text_init (AtkTextIface *iface, GilkGraphNodeBlock block_of);

G_END_DECLS
