/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-notes-panel.h - notes on a run: list, editing and undo
 *
 * Signals: "written": notes of the run, which figures show as flags, have changed;
 * "steps-changed": what can be undone has changed; "failed" (GError).
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/inspector/gilk-note-steps.h"
#include "gui/results/gilk-results-choice.h"

G_BEGIN_DECLS

#define GILK_TYPE_NOTES_PANEL (gilk_notes_panel_get_type ())
G_DECLARE_FINAL_TYPE (GilkNotesPanel, gilk_notes_panel, GILK, NOTES_PANEL, GtkBox)

/* Must be called once, before anything else. */
void     gilk_notes_panel_set_choice (GilkNotesPanel *self, GilkResultsChoice *choice);
/* Fills the list of the chosen run's notes. */
void     gilk_notes_panel_update     (GilkNotesPanel *self);
/* Opens an entry for a new note at a widget. @place: time range of the note, seconds; NaN: the
 * whole run. */
void     gilk_notes_panel_add        (GilkNotesPanel *self, GtkWidget *anchor, GilkSelectionRange place);
/* Starts an empty undo history for a new session. */
void     gilk_notes_panel_reset      (GilkNotesPanel *self);
/* The first function returns whether a change can be undone or redone; the second function does it.
 * @action: GILK_NOTE_UNDO or GILK_NOTE_REDO */
gboolean gilk_notes_panel_can_step   (GilkNotesPanel *self, GilkNoteAction action);
void     gilk_notes_panel_step       (GilkNotesPanel *self, GilkNoteAction action);

G_END_DECLS
