/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-view.h - a session file: its runs, hooks, plots and figures
 *
 * Signals: "failed" (GError); "notes-changed": notes or their undo history have changed; "opened":
 * another session is shown; "written" (path): a file was exported.
 */
#pragma once

#include "gui/graph/gilk-graph-view.h"

#define GILK_TYPE_RESULTS_VIEW (gilk_results_view_get_type ())
G_DECLARE_FINAL_TYPE (GilkResultsView, gilk_results_view, GILK, RESULTS_VIEW, GtkBox)

void        gilk_results_view_open   (GilkResultsView *self, const char *path);
/* These functions compare the session with another one: a second column shows the same plots of the
 * other session, on the same axes. gilk_results_view_choose_comparison() asks the user for the
 * file; gilk_results_view_open_comparison() opens the file at @path. */
void        gilk_results_view_choose_comparison (GilkResultsView *self);
void        gilk_results_view_open_comparison (GilkResultsView *self, const char *path);
/* Returns the path of the session; NULL: no session is open. */
const char *gilk_results_view_path   (GilkResultsView *self);
/* Shows the recorded graph of the function @name, or else the hook @name; does nothing if neither
 * exists. */
void        gilk_results_view_select_name   (GilkResultsView *self, const char *name);
/* Asks for a file name and exports the current plot (svg, png, pdf), or the recorded data of the
 * hook or run in a format of core/export ("csv", which can be changed in the dialog). */
void        gilk_results_view_export (GilkResultsView *self, const char *format);
/* Sets the box for notices of files being written. (not owned) */
void        gilk_results_view_set_notices (GilkResultsView *self, GtkBox *notices);
/* These four functions undo and redo changes to notes, or return whether there is a change to undo
 * or redo. */
gboolean    gilk_results_view_can_undo (GilkResultsView *self);
gboolean    gilk_results_view_can_redo (GilkResultsView *self);
void        gilk_results_view_undo     (GilkResultsView *self);
void        gilk_results_view_redo     (GilkResultsView *self);
/* Returns the visible view of recorded graphs, which is empty while a plot is shown. */
GilkGraphView *gilk_results_view_graph (GilkResultsView *self);
/* Gets the two side panels, which can be hidden, and the widget between them, which shows the plot
 * or graph. (transfer none) */
void        gilk_results_view_panels (GilkResultsView *self, GtkWidget **lists, GtkWidget **picture,
                                      GtkWidget **figures);
void        gilk_results_view_set_minimap (GilkResultsView *self, gboolean shown);
void        gilk_results_view_set_log_heat (GilkResultsView *self, gboolean log_heat);
/* Cancels all work and closes the session. After that the view must not be used; its widgets can be
 * destroyed. */
void        gilk_results_view_release (GilkResultsView *self);
