/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-counts.h - colour layer of the blocks, and counts inferred from measured ones
 */
#pragma once

#include "core/plan/gilk-plan.h"
#include "gui/graph/gilk-graph-view.h"

G_BEGIN_DECLS

/* @known: (nullable): counts inferred from those set with gilk_graph_view_set_marks() */
void     gilk_graph_view_set_known     (GilkGraphView *self, GilkKnownCounts *known);

/* @layer: value of the setting: "heat", "tactic" or "cost" */
void     gilk_graph_view_set_layer     (GilkGraphView *self, const char *layer);

/* Returns whether the hits of @hook equal the executions of @block during the whole run, so that
   other counts can be inferred from them. */
gboolean gilk_graph_counts_is_complete   (const GilkGraphData *data, const GilkPlanHook *hook, guint block);

G_END_DECLS
