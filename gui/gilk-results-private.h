/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-private.h - what shows a session and what exports it share
 */
#pragma once

#include "gui/gilk-plot-view.h"
#include "gui/gilk-results-view.h"
#include "gui/gilk-session-data.h"

G_BEGIN_DECLS

struct _GilkResultsView {
  GtkBox          parent_instance;

  GilkSession    *session;
  GCancellable   *opening, *plotting;
  int             run, hook;       /* hook -1: all of the run */
  int             function;        /* whose graph is shown instead of a plot, or -1 */
  gboolean        filling, log_heat;

  /* Template objects */
  GtkStack       *stack;
  GtkLabel       *file_label;
  GtkListBox     *runs, *functions, *hooks;
  GtkWidget      *functions_label, *functions_scroll;
  GtkComboBoxText *quantity;
  GtkToggleButton *log_x, *log_y;
  GtkWidget      *toolbar;
  GtkStack       *picture;         /* plot or graph */
  GilkPlotView   *plot;
  GilkGraphView  *graph;
  GtkLabel       *read_out;
  GtkGrid        *figures;
  GtkLabel       *figures_title, *command;
  GtkWidget      *loss_box;
  GtkLabel       *loss_label;
};

/* What is chosen, owned by the session; NULL if nothing of the kind is. */
GilkSessionRun           *gilk_results_run      (GilkResultsView *self);
const GilkStoredHook     *gilk_results_hook     (GilkResultsView *self);
const GilkStoredFunction *gilk_results_function (GilkResultsView *self);
/* Emits "failed", but for what was cancelled. */
void                      gilk_results_report   (GilkResultsView *self, const GError *error);

G_END_DECLS
