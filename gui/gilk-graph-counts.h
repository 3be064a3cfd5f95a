/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-counts.h - what colours blocks on the canvas, and what is known of counts that were not measured
 */
#pragma once

#include "core/run/gilk-plan.h"
#include "gui/gilk-graph-view.h"

G_BEGIN_DECLS

/* What follows from the counts that gilk_graph_view_set_marks() told; NULL: nothing. */
void     gilk_graph_view_set_known     (GilkGraphView *self, GilkKnownCounts *known);

/* By the name of the setting: "heat", "tactic" or "cost". */
void     gilk_graph_view_set_layer     (GilkGraphView *self, const char *layer);

/* TRUE if hits of @hook, at @block, are how often the block ran while the run went on: other counts can follow from it. */
gboolean gilk_graph_counts_all_along   (const GilkGraphData *data, const GilkPlanHook *hook, guint block);

G_END_DECLS
