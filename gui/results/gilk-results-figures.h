/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-figures.h - rows of name and value beside a plot or a recorded graph
 */
#pragma once

#include <gtk/gtk.h>

#include "core/base/gilk-fact.h"
#include "core/samples/gilk-store-accesses.h"
#include "gui/graph/gilk-graph-data.h"
#include "gui/session/gilk-session.h"

G_BEGIN_DECLS

void gilk_figures_add       (GtkGrid *grid, const char *name, const char *value);
/* @tip: (nullable): explanation for the tooltip */
void gilk_figures_add_with_tip (GtkGrid *grid, const char *name, const char *value, const char *tip);
void gilk_figures_add_facts (GtkGrid *grid, const GilkFacts *facts);
/* Appends one line per row, name and value separated by a tab. */
void gilk_figures_append_text (GtkGrid *grid, GString *text);
void gilk_figures_run       (GtkGrid *grid, const GilkStoredRun *run);
/* @costs: costs of the hook's run (GilkStoredCost) */
void gilk_figures_hook      (GtkGrid *grid, const GilkStoredHook *hook, const GArray *costs);
/* @all: (element-type GilkAccessor): all accesses, including @writer */
void gilk_figures_accesses    (GtkGrid *grid, const GilkAccessor *writer, const GArray *all);
/* Adds the figures of the histogram @h, or nothing if it has no distribution. */
void gilk_figures_histogram (GtkGrid *grid, const GilkHistogram *h, const char *unit);
void gilk_figures_graph     (GtkGrid *grid, const GilkStoredFunction *function, const GilkGraphData *data);

G_END_DECLS
