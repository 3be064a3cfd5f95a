/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-menu.h - context menu of the graph, and its actions that need only the graph
 *
 * Adds the action canvas.fold to the view.
 *
 * Threads: main thread only.
 */
#pragma once

#include "gui/graph/gilk-graph-view.h"

/* Called with the reason why an action did nothing. */
typedef void (*GilkGraphReportFunc) (gpointer object, const char *text);

/* Adds a context menu to @view. @menu: returns the menu's model; @object: passed to @report, must
   live as long as @view */
void        gilk_graph_menu_add          (GilkGraphView *view, GMenuModel *(*menu) (void), GilkGraphReportFunc report, gpointer object);
/* Adds the context menu for a graph recorded in a session, which has only the actions that need no
 * plan. @label: shows why an action did nothing */
void        gilk_graph_menu_add_recorded (GilkGraphView *view, GtkLabel *label);
/* Returns a menu of canvas-menu.ui: "choose", "fold", "recorded", "dim" or "canvas". (transfer
 * full) */
GMenuModel *gilk_graph_menu_load         (const char *name);
