/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-tips.h - what the canvas says of a thing under the pointer
 */
#pragma once

#include "gui/gilk-graph-view.h"

G_BEGIN_DECLS

/* What planning @point would give, or why it cannot be. (transfer full) */
char *gilk_graph_tip_point (GilkGraphView *view, int point);

G_END_DECLS
