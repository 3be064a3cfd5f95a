/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-view.h - the shown function as graph, listing, or call graph; without a
 * function, the start page or a hint
 *
 * A bar above the views shows the position in the function, and has the buttons of the views.
 */
#pragma once

#include "gui/graph/gilk-calls-canvas.h"
#include "gui/results/gilk-results-view.h"
#include "gui/window/gilk-navigator.h"
#include "gui/window/gilk-start-page.h"

G_BEGIN_DECLS

#define GILK_TYPE_FUNCTION_VIEW (gilk_function_view_get_type ())
G_DECLARE_FINAL_TYPE (GilkFunctionView, gilk_function_view, GILK, FUNCTION_VIEW, GtkBox)

/* Adds "listing", "calls", "call-graph", "find-in-function" and "choose" to the actions of @window,
 * which must have the action "mode". @results: the counts of the call graph are read from its
 * session */
void           gilk_function_view_set_model  (GilkFunctionView *self, GtkApplicationWindow *window,
                                              GilkNavigator *navigator, GilkPlanModel *model, GilkConnection *connection,
                                              GilkResultsView *results, GSettings *settings, GilkBanner *banner);
/* Shows the graph; without one, shows the start page or a hint. Must be called when the connection
 * changed. */
void           gilk_function_view_update     (GilkFunctionView *self);
GilkGraphView *gilk_function_view_graph      (GilkFunctionView *self);
GilkStartPage *gilk_function_view_start_page (GilkFunctionView *self);
/* Gets the views of the function. (transfer none) */
void           gilk_function_view_panes      (GilkFunctionView *self, GtkWidget **graph, GtkWidget **listing, GtkWidget **calls);
/* Zooms the call graph, see gilk_calls_canvas_zoom(). Returns FALSE if no call graph is visible. */
gboolean       gilk_function_view_zoom_calls (GilkFunctionView *self, double factor);
/* Asks for a file and writes the graph or call graph to it. */
void           gilk_function_view_export     (GilkFunctionView *self, const char *format);

G_END_DECLS
