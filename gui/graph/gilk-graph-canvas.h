/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-canvas.h - graph widget: a graph view with mouse, keys, tooltips and accessibility
 */
#pragma once

#include "gui/graph/gilk-graph-view.h"

G_BEGIN_DECLS

#define GILK_TYPE_GRAPH_CANVAS (gilk_graph_canvas_get_type ())
G_DECLARE_FINAL_TYPE (GilkGraphCanvas, gilk_graph_canvas, GILK, GRAPH_CANVAS, GilkGraphView)

G_END_DECLS
