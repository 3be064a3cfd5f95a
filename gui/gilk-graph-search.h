/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-search.h - search inside the function that is shown: instructions, operands, callees, lines of source
 *
 * What is found is marked in the view; the next one is gone to with Enter, the one before with Shift+Enter. Signal "closed": the keyboard is to go back.
 */
#pragma once

#include "gui/gilk-graph-view.h"

G_BEGIN_DECLS

#define GILK_TYPE_GRAPH_SEARCH (gilk_graph_search_get_type ())
G_DECLARE_FINAL_TYPE (GilkGraphSearch, gilk_graph_search, GILK, GRAPH_SEARCH, GtkBox)

GtkWidget *gilk_graph_search_new   (GilkGraphView *view);
/* Shown, with the keyboard in it. */
void       gilk_graph_search_start (GilkGraphSearch *self);
/* @step 1 or -1: from the current instruction. */
void       gilk_graph_search_step  (GilkGraphSearch *self, int step);
/* Another function is shown. */
void       gilk_graph_search_again (GilkGraphSearch *self);

G_END_DECLS
