/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-shape.h - a function's graph as the layout wants it
 *
 * Threads: any.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"
#include "core/layout/gilk-layout.h"

G_BEGIN_DECLS

/* Not taken and falling through left, taken and jumps right, rare ways last. The name is
 * borrowed from @cfg. */
void gilk_graph_shape_init  (GilkLayoutGraph *shape, const GilkCfg *cfg);
void gilk_graph_shape_clear (GilkLayoutGraph *shape);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkLayoutGraph, gilk_graph_shape_clear)

G_END_DECLS
