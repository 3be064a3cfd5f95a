/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-choice.h - several blocks of the canvas that are chosen at once, and a way that is shown
 *
 * The current block is one thing, the chosen ones are another: Shift-click, a band drawn with Shift, a rule.
 * The view's signal "chosen" tells of each change.
 */
#pragma once

#include "core/cfg/gilk-cfg-pick.h"
#include "gui/gilk-graph-view.h"

G_BEGIN_DECLS

guint    gilk_graph_choice_count  (GilkGraphView *view);
gboolean gilk_graph_choice_has    (GilkGraphView *view, guint block);
void     gilk_graph_choice_toggle (GilkGraphView *view, guint block);
void     gilk_graph_choice_add    (GilkGraphView *view, guint block);
/* @picked: per block; @more: those chosen before stay. */
void     gilk_graph_choice_take   (GilkGraphView *view, const gboolean *picked, gboolean more);
void     gilk_graph_choice_rule   (GilkGraphView *view, GilkPick rule);     /* from the current block */
/* Those that @band touches, in the widget's coordinates. */
void     gilk_graph_choice_band   (GilkGraphView *view, const GdkRectangle *band);
/* The fewest blocks from whose counts those of all edges follow. */
void     gilk_graph_choice_fewest (GilkGraphView *view);
/* Lights the way to the current block that was gone most, and chooses its blocks. FALSE: it was never reached. */
gboolean gilk_graph_choice_way    (GilkGraphView *view);
/* Nothing is chosen or lit any more. FALSE: nothing was. */
gboolean gilk_graph_choice_clear  (GilkGraphView *view);

G_END_DECLS
