/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-keys.h - moving about a graph with the keyboard alone
 */
#pragma once

#include "gui/gilk-graph-view.h"

G_BEGIN_DECLS

/* TRUE if the key was one of the graph's. */
gboolean gilk_graph_keys_handle (GilkGraphView *view, const GdkEventKey *event);

/* By hits: @step +1 hotter-to-cooler, -1 back, 0 the hottest. FALSE if nothing was measured. */
gboolean gilk_graph_keys_by_heat (GilkGraphView *view, int step);

G_END_DECLS
