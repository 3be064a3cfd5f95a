/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-figures-panel.h - figures beside a plot, and lost samples
 *
 * Signal "copy": the button that copies the figures was clicked.
 */
#pragma once

#include <gtk/gtk.h>

#include "core/samples/gilk-store-accesses.h"
#include "gui/graph/gilk-graph-data.h"
#include "gui/results/gilk-results-choice.h"

G_BEGIN_DECLS

#define GILK_TYPE_FIGURES_PANEL (gilk_figures_panel_get_type ())
G_DECLARE_FINAL_TYPE (GilkFiguresPanel, gilk_figures_panel, GILK, FIGURES_PANEL, GtkBox)

/* Must be called once, before anything else. @choice: must outlive the widget */
void gilk_figures_panel_set_choice       (GilkFiguresPanel *self, GilkResultsChoice *choice);
void gilk_figures_panel_show_run         (GilkFiguresPanel *self);
/* Shows the figures of the chosen hook. @plot: (nullable): its distribution, and the comparison of
 * its two series, are shown as well */
void gilk_figures_panel_show_hook        (GilkFiguresPanel *self, const GilkPlotData *plot);
/* Shows the figures of @access (nullable). @all: (nullable) (element-type GilkAccessor): all
 * accesses */
void gilk_figures_panel_show_access      (GilkFiguresPanel *self, const GilkAccessor *access, const GArray *all);
void gilk_figures_panel_show_graph       (GilkFiguresPanel *self, const GilkGraphData *data);
/* @compared: (nullable): NULL hides the table of the two series of an overlay */
void gilk_figures_panel_show_differences (GilkFiguresPanel *self, const GilkFigureCompared *compared);
/* Shows how many samples of the chosen hook or run were lost. */
void gilk_figures_panel_show_loss        (GilkFiguresPanel *self);
/* Appends title and figures, one row per line. */
void gilk_figures_panel_append_text      (GilkFiguresPanel *self, GString *text);

G_END_DECLS
