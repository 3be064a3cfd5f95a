/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-page.h - the page of plots: the chosen one, smaller ones of the same data below it,
 * and beside them the same plots of a compared session
 *
 * Signals:
 *   "plot-shown" (GilkPlotData): the first plot was replaced
 *   "compared" (GilkFigureCompared, nullable): compares the first plot's two series
 *   "read-out" (text): describes the plot under the pointer, or why an action did nothing
 *   "note" (widget, from, to): a note was requested for this range, in seconds; NaN: the whole run
 *   "hook-clicked" (int): a bar of the overview was clicked; index of the hook
 *   "resized": the size of the plots has changed
 *   "failed" (GError)
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/plot/gilk-plot-view.h"
#include "gui/results/gilk-results-choice.h"

#define GILK_TYPE_RESULTS_PAGE (gilk_results_page_get_type ())
G_DECLARE_FINAL_TYPE (GilkResultsPage, gilk_results_page, GILK, RESULTS_PAGE, GtkBox)

/* Sets the choice and creates the panels. Must be called once, before any other function. */
void          gilk_results_page_set_choice   (GilkResultsPage *self, GilkResultsChoice *choice);
/* Draws the chosen plots; draws only those panels again that are out of date. @range_only: only the
 * selected range has changed */
void          gilk_results_page_update       (GilkResultsPage *self, gboolean range_only);
/* Cancels all computations; the next update requests all plots again. */
void          gilk_results_page_cancel       (GilkResultsPage *self);
/* Like gilk_results_page_cancel(), but also drops all cached plots. */
void          gilk_results_page_forget       (GilkResultsPage *self);
/* Returns the fields of the plots. (transfer container) (array zero-terminated=1) */
const char  **gilk_results_page_fields       (GilkResultsPage *self);
/* Returns the visible plots. (transfer container) (element-type GilkPlotView) */
GPtrArray    *gilk_results_page_plots        (GilkResultsPage *self);
/* Returns the visible plot that last had the focus, or else the first plot. */
GilkPlotView *gilk_results_page_current_plot (GilkResultsPage *self);
GilkPlotView *gilk_results_page_first_plot   (GilkResultsPage *self);
/* These functions open another session, whose plots are shown in a second column.
 * gilk_results_page_choose_comparison() asks the user for the file;
 * gilk_results_page_open_comparison() opens the file at @path. */
void          gilk_results_page_choose_comparison (GilkResultsPage *self);
void          gilk_results_page_open_comparison   (GilkResultsPage *self, const char *path);
/* Cancels all computations. The page must not be used afterwards. */
void          gilk_results_page_release      (GilkResultsPage *self);

/*
 * Bar with the names of two compared runs, above the columns of their plots.
 *
 * Both columns show the same plots on the same axes. The user chooses a run of the other session in
 * the bar; hooks are matched by label with the hooks of that run. The bar is hidden while no
 * session is compared.
 *
 * Signals: "closed": the comparison was ended; "failed" (GError).
 */

#define GILK_TYPE_COMPARISON_BAR (gilk_comparison_bar_get_type ())
G_DECLARE_FINAL_TYPE (GilkComparisonBar, gilk_comparison_bar, GILK, COMPARISON_BAR, GtkBox)

GtkWidget *gilk_comparison_bar_new    (GilkResultsChoice *choice);
/* These functions open another session, to compare the shown one with it.
 * gilk_comparison_bar_choose() asks the user for the file; gilk_comparison_bar_open() opens the
 * file at @path. */
void       gilk_comparison_bar_choose (GilkComparisonBar *self);
void       gilk_comparison_bar_open   (GilkComparisonBar *self, const char *path);
/* Cancels opening. */
void       gilk_comparison_bar_stop   (GilkComparisonBar *self);
/* Shows the names of both runs, and sets @here and @there to them (transfer none). Sets @here to
 * NULL if no session is compared. */
void       gilk_comparison_bar_update (GilkComparisonBar *self, const char **here, const char **there);
