/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-toolbar.h - controls above the results: kinds of view, quantity, axes, split,
 * overlaid run, and the selected ranges
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/results/gilk-results-choice.h"

G_BEGIN_DECLS

#define GILK_TYPE_RESULTS_TOOLBAR (gilk_results_toolbar_get_type ())
G_DECLARE_FINAL_TYPE (GilkResultsToolbar, gilk_results_toolbar, GILK, RESULTS_TOOLBAR, GtkBox)

/* Must be called once, before anything else. @choice: must outlive the widget */
void     gilk_results_toolbar_set_choice  (GilkResultsToolbar *self, GilkResultsChoice *choice);
/* Fills the controls for the chosen hook unless @range_only, and shows the controls that apply. */
void     gilk_results_toolbar_update      (GilkResultsToolbar *self, gboolean range_only);
/**
 * gilk_results_toolbar_show_ranges:
 * @plotted: (array zero-terminated=1): fields of the plots that are shown.
 *
 * Shows a button for each selected range that affects what is shown.
 *
 * Returns: TRUE if the button with the keyboard focus was removed
 */
gboolean gilk_results_toolbar_show_ranges (GilkResultsToolbar *self, const char *const *plotted);

G_END_DECLS
