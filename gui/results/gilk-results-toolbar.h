/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-toolbar.h - controls of the results: toolbar above them, and lists of a session
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/results/gilk-results-choice.h"

#define GILK_TYPE_RESULTS_TOOLBAR (gilk_results_toolbar_get_type ())
G_DECLARE_FINAL_TYPE (GilkResultsToolbar, gilk_results_toolbar, GILK, RESULTS_TOOLBAR, GtkBox)

/* Sets the choice that the controls change. Must be called once, before any other function.
 * @choice: must outlive the widget */
void     gilk_results_toolbar_set_choice  (GilkResultsToolbar *self, GilkResultsChoice *choice);
/* Updates the controls, and shows those that apply to the chosen hook. @range_only: only the
 * selected range has changed, so the choices in the controls stay */
void     gilk_results_toolbar_update      (GilkResultsToolbar *self, gboolean range_only);
/**
 * gilk_results_toolbar_show_ranges:
 * @plotted: (array zero-terminated=1): fields of the plots that are shown.
 *
 * Shows a button for each selected range that affects what is shown.
 *
 * Returns: TRUE if the button with the keyboard focus was removed, and no other button took the
 *   focus
 */
gboolean gilk_results_toolbar_show_ranges (GilkResultsToolbar *self, const char *const *plotted);

/*
 * Lists of a session: runs, recorded graphs, hooks.
 *
 * The run, graph or hooks that the user selects in the lists are shown.
 */

#define GILK_TYPE_RESULTS_LISTS (gilk_results_lists_get_type ())
G_DECLARE_FINAL_TYPE (GilkResultsLists, gilk_results_lists, GILK, RESULTS_LISTS, GtkBox)

/* Sets the choice that the lists change. Must be called once, before any other function. @choice:
 * must outlive the widget */
void gilk_results_lists_set_choice   (GilkResultsLists *self, GilkResultsChoice *choice);
/* Fills the lists of another session, and selects its first run. */
void gilk_results_lists_show_session (GilkResultsLists *self);
/* Selects the recorded graph of the function @name, or else the hook @name; does nothing if neither
 * exists. */
void gilk_results_lists_select_name  (GilkResultsLists *self, const char *name);
/* Selects a hook. @hook: index of the hook in the run */
void gilk_results_lists_select_hook  (GilkResultsLists *self, int hook);
