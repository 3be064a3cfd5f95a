/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-private.h - struct of the results view, shared by its source files
 */
#pragma once

#include "gui/results/gilk-results-choice.h"
#include "gui/results/gilk-results-page.h"
#include "gui/results/gilk-results-panels.h"
#include "gui/results/gilk-results-tables.h"
#include "gui/results/gilk-results-toolbar.h"
#include "gui/results/gilk-results-view.h"

struct _GilkResultsView {
  GtkBox              parent_instance;

  GilkResultsChoice  *choice;
  /* @opening: cancels opening a session. @drawing: cancels loading a recorded graph. */
  GCancellable       *opening, *drawing;
  char               *requested_path;      /* path last opened, even if opening failed */
  gboolean            log_heat;
  GtkBox             *notices;      /* the window's box for notices of files being written */

  /* Objects that the .ui template creates */
  GtkStack           *stack;
  GtkLabel           *broken_title, *broken_text;
  GilkResultsLists   *lists;
  GilkResultsToolbar *toolbar;
  GtkStack           *picture;      /* shows the plots, the graph, the accesses or the samples */
  GilkResultsPage    *page;
  GilkGraphView      *graph;
  GilkAccessesView   *accesses;
  GilkSamplesView    *samples;
  GtkLabel           *read_out;
  GtkWidget          *figures_panel;
  GilkFiguresPanel   *figures;
  GilkNotesPanel     *notes;
  GilkTimesPanel     *times;
  GtkLabel           *command;
};

/* Emits "written". */
void gilk_results_emit_written (GilkResultsView *self, const char *path);
/* Emits "failed", unless the operation was cancelled. */
void gilk_results_emit_failed  (GilkResultsView *self, const GError *error);
