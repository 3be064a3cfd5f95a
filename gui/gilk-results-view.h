/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-view.h - a session file: its runs, hooks, plots and figures
 *
 * Signals: "failed" (GError); "notes-changed": so has what can be undone; "opened": another session is shown; "written" (path):
 * a file was exported.
 */
#pragma once

#include "gui/gilk-graph-view.h"

G_BEGIN_DECLS

#define GILK_TYPE_RESULTS_VIEW (gilk_results_view_get_type ())
G_DECLARE_FINAL_TYPE (GilkResultsView, gilk_results_view, GILK, RESULTS_VIEW, GtkBox)

void        gilk_results_view_open   (GilkResultsView *self, const char *path);
/* Another one in a column beside it: the same plots, on the same axes. The first asks which. */
void        gilk_results_view_choose_beside (GilkResultsView *self);
void        gilk_results_view_open_beside (GilkResultsView *self, const char *path);
/* NULL if no session is open. */
const char *gilk_results_view_path   (GilkResultsView *self);
/* The recorded graph of the function of that name, or else what is known of the hook; what is there stays if there is neither. */
void        gilk_results_view_show   (GilkResultsView *self, const char *name);
/* Asks for a file name and writes the plot in view (svg, png, pdf), or what was recorded of the hook,
 * or of the run, in a format of core/export ("csv", which another may be chosen for). */
void        gilk_results_view_export (GilkResultsView *self, const char *format);
/* Where files are told of that are being written. (not owned) */
void        gilk_results_view_set_notices (GilkResultsView *self, GtkBox *notices);
/* What was done to notes. */
gboolean    gilk_results_view_can_undo (GilkResultsView *self);
gboolean    gilk_results_view_can_redo (GilkResultsView *self);
void        gilk_results_view_undo     (GilkResultsView *self);
void        gilk_results_view_redo     (GilkResultsView *self);
/* The view of recorded graphs that is in view; without data while a plot is shown first. */
GilkGraphView *gilk_results_view_graph (GilkResultsView *self);
/* What may be hidden beside the picture, and the picture; borrowed. */
void        gilk_results_view_panels (GilkResultsView *self, GtkWidget **lists, GtkWidget **picture,
                                      GtkWidget **figures);
void        gilk_results_view_set_minimap (GilkResultsView *self, gboolean shown);
void        gilk_results_view_set_log_heat (GilkResultsView *self, gboolean log_heat);
/* Ends what goes on and forgets the session; it is of no use after that, and its widgets may go one by one. */
void        gilk_results_view_let_go (GilkResultsView *self);

G_END_DECLS
