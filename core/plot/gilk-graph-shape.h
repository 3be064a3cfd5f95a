/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-shape.h - a function's graph in the form that the layout takes
 *
 * Threads: any.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"
#include "core/layout/gilk-layout.h"

G_BEGIN_DECLS

/* Puts edges not taken and falling through on the left, taken ones and jumps on the right, rare
 * ones last. The name is borrowed from @cfg. */
void gilk_graph_shape_init  (GilkLayoutGraph *shape, const GilkCfg *cfg);
void gilk_graph_shape_clear (GilkLayoutGraph *shape);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkLayoutGraph, gilk_graph_shape_clear)

G_END_DECLS
