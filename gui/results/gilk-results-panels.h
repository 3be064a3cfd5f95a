/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-panels.h - panels beside the plots: figures and lost samples, accuracy of times,
 * notes
 */
#pragma once

#include <gtk/gtk.h>

#include "core/base/gilk-fact.h"
#include "core/samples/gilk-store-accesses.h"
#include "gui/graph/gilk-graph-data.h"
#include "gui/inspector/gilk-note-steps.h"
#include "gui/results/gilk-results-choice.h"
#include "gui/session/gilk-session.h"

void gilk_figures_add       (GtkGrid *grid, const char *name, const char *value);
/* Adds a row of name and value. @tip: (nullable): explanation for the tooltip */
void gilk_figures_add_with_tip (GtkGrid *grid, const char *name, const char *value, const char *tip);
void gilk_figures_add_facts (GtkGrid *grid, const GilkFacts *facts);
/* Appends the rows of @grid to @text, one per line, with a tab between name and value. */
void gilk_figures_append_text (GtkGrid *grid, GString *text);
void gilk_figures_run       (GtkGrid *grid, const GilkStoredRun *run);
/* Adds the figures of a hook. @costs: costs measured in the hook's run (GilkStoredCost) */
void gilk_figures_hook      (GtkGrid *grid, const GilkStoredHook *hook, const GArray *costs);
/* Adds the figures of @writer, the accesses that one block made. @all: (element-type GilkAccessor):
 * the accesses of all blocks */
void gilk_figures_accesses    (GtkGrid *grid, const GilkAccessor *writer, const GArray *all);
/* Adds the figures of the histogram @h, or nothing if it has no distribution. */
void gilk_figures_histogram (GtkGrid *grid, const GilkHistogram *h, const char *unit);
void gilk_figures_graph     (GtkGrid *grid, const GilkStoredFunction *function, const GilkGraphData *data);

/*
 * Figures beside a plot, and lost samples.
 *
 * Signal "copy": the button that copies the figures was clicked.
 */

#define GILK_TYPE_FIGURES_PANEL (gilk_figures_panel_get_type ())
G_DECLARE_FINAL_TYPE (GilkFiguresPanel, gilk_figures_panel, GILK, FIGURES_PANEL, GtkBox)

/* Sets the choice that the panel shows. Must be called once, before any other function. @choice:
 * must outlive the widget */
void gilk_figures_panel_set_choice       (GilkFiguresPanel *self, GilkResultsChoice *choice);
void gilk_figures_panel_show_run         (GilkFiguresPanel *self);
/* Shows the statistics of the chosen hook. @plot: (nullable): statistics of its distribution and the
 * comparison of its two series are shown as well */
void gilk_figures_panel_show_hook        (GilkFiguresPanel *self, const GilkPlotData *plot);
/* Shows the figures of @access (nullable), the accesses that one block made. @all: (nullable)
 * (element-type GilkAccessor): the accesses of all blocks */
void gilk_figures_panel_show_access      (GilkFiguresPanel *self, const GilkAccessor *access, const GArray *all);
void gilk_figures_panel_show_graph       (GilkFiguresPanel *self, const GilkGraphData *data);
/* Shows the comparison of the two series that a plot draws over each other, as a table. @compared:
 * (nullable): NULL hides the table */
void gilk_figures_panel_show_differences (GilkFiguresPanel *self, const GilkFigureCompared *compared);
/* Shows how many samples of the chosen hook or run were lost. */
void gilk_figures_panel_show_loss        (GilkFiguresPanel *self);
/* Appends title and figures, one row per line. */
void gilk_figures_panel_append_text      (GilkFiguresPanel *self, GString *text);

/*
 * Panel with the accuracy of a run's times, the costs of its hooks, and their effect on the
 * machine.
 *
 * Accuracy and costs are read when the session is opened. The effect is known if hooks were
 * switched off and on during the run: a separate job computes it from all samples of a control
 * hook, which stayed armed. The panel keeps the result until another effect is requested. Signal:
 * "failed" (GError).
 */

#define GILK_TYPE_TIMES_PANEL (gilk_times_panel_get_type ())
G_DECLARE_FINAL_TYPE (GilkTimesPanel, gilk_times_panel, GILK, TIMES_PANEL, GtkBox)

/* Sets the choice that the panel shows. Must be called once, before any other function. */
void gilk_times_panel_set_choice  (GilkTimesPanel *self, GilkResultsChoice *choice);
/* If the whole run is chosen, shows the accuracy of its times and the costs of its hooks. Also
 * shows the effect of hooks that were switched off and on, as measured by the chosen hook if it is
 * a control hook; computes it first if needed. */
void gilk_times_panel_update      (GilkTimesPanel *self);
/* Drops the computed effect of the hooks. Must be called when the session changes. */
void gilk_times_panel_clear       (GilkTimesPanel *self);
/* Appends the shown text, one row per line. */
void gilk_times_panel_append_text (GilkTimesPanel *self, GString *text);

/*
 * Notes on a run: list, editing and undo.
 *
 * Signals: "written": notes of the run, which figures show as flags, have changed;
 * "steps-changed": what can be undone has changed; "failed" (GError).
 */

#define GILK_TYPE_NOTES_PANEL (gilk_notes_panel_get_type ())
G_DECLARE_FINAL_TYPE (GilkNotesPanel, gilk_notes_panel, GILK, NOTES_PANEL, GtkBox)

/* Sets the choice whose notes are listed. Must be called once, before any other function. */
void     gilk_notes_panel_set_choice (GilkNotesPanel *self, GilkResultsChoice *choice);
/* Fills the list of the chosen run's notes. */
void     gilk_notes_panel_update     (GilkNotesPanel *self);
/* Opens an entry for a new note at a widget. @place: time range of the note, seconds; NaN: the
 * whole run. */
void     gilk_notes_panel_add        (GilkNotesPanel *self, GtkWidget *anchor, GilkSelectionRange place);
/* Starts an empty undo history for a new session. */
void     gilk_notes_panel_reset      (GilkNotesPanel *self);
/* gilk_notes_panel_can_step() returns whether a change of notes can be undone or redone;
 * gilk_notes_panel_step() undoes or redoes it. @action: GILK_NOTE_UNDO or GILK_NOTE_REDO */
gboolean gilk_notes_panel_can_step   (GilkNotesPanel *self, GilkNoteAction action);
void     gilk_notes_panel_step       (GilkNotesPanel *self, GilkNoteAction action);
