/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-view.h - the shown function with its position, as graph, listing, or call graph;
 * without a function, the start page or a hint
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/graph/gilk-calls.h"
#include "gui/graph/gilk-graph-data.h"
#include "gui/results/gilk-results-view.h"
#include "gui/window/gilk-navigator.h"

#define GILK_TYPE_START_PAGE (gilk_start_page_get_type ())
G_DECLARE_FINAL_TYPE (GilkStartPage, gilk_start_page, GILK, START_PAGE, GtkScrolledWindow)

/* Lists the recent files of @settings. @menu: a menu that lists the files as well */
void gilk_start_page_set_settings (GilkStartPage *self, GSettings *settings, GMenu *menu);
/* Lists the recent files, after checking which of them still exist. */
void gilk_start_page_check_files  (GilkStartPage *self);
/* Shows a button that connects @target again and opens @function. @function: "": no function */
void gilk_start_page_offer_resume (GilkStartPage *self, const char *target, const char *function);
/* Moves the focus to the first choice, if it is visible. */
void gilk_start_page_focus        (GilkStartPage *self);

/* ---- position in a function: function › loop › block, each a link to its block ---- */

void gilk_breadcrumb_show  (GtkLabel *label, const GilkGraphData *data, guint block);
/* Shows the function's name as a link, followed by "call graph". */
void gilk_breadcrumb_show_calls (GtkLabel *label, const GilkGraphData *data);
/* Returns the block that the link @uri points to, -1 if @uri is not a breadcrumb link. */
int  gilk_breadcrumb_block (const char *uri);

/*
 * The shown function as graph, listing, or call graph; without a function, the start page or a
 * hint.
 *
 * A bar above the views shows the position in the function, and has the buttons of the views.
 */

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
