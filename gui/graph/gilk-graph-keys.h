/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-keys.h - keyboard navigation in the graph
 */
#pragma once

#include "gui/graph/gilk-graph-view.h"

G_BEGIN_DECLS

/* Returns whether the key was handled. */
gboolean gilk_graph_keys_handle (GilkGraphView *view, const GdkEventKey *event);

/* Moves by descending hits: @step 1: next, -1: previous, 0: hottest. FALSE: hits unknown. */
gboolean gilk_graph_keys_go_by_heat (GilkGraphView *view, int step);

G_END_DECLS
