/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-search.h - search in the function in view: instructions, operands, callees, source
 * lines
 *
 * Marks the matches in the view; Enter goes to the next one, Shift+Enter to the previous one.
 * Signal "closed": the keyboard focus should return to the graph.
 */
#pragma once

#include "gui/graph/gilk-graph-view.h"

#define GILK_TYPE_GRAPH_SEARCH (gilk_graph_search_get_type ())
G_DECLARE_FINAL_TYPE (GilkGraphSearch, gilk_graph_search, GILK, GRAPH_SEARCH, GtkBox)

GtkWidget *gilk_graph_search_new    (GilkGraphView *view);
/* Shows the bar and gives it the keyboard focus. */
void       gilk_graph_search_start  (GilkGraphSearch *self);
/* Goes to the next (@step 1) or previous (@step -1) match from the current instruction. */
void       gilk_graph_search_step   (GilkGraphSearch *self, int step);
/* Repeats the search. Call it when another function is shown. */
void       gilk_graph_search_repeat (GilkGraphSearch *self);
