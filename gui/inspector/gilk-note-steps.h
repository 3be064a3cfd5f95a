/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-note-steps.h - undo and redo of changes to a session's notes
 *
 * This object does not access the session: the caller writes or removes the note of each step, and
 * then reports what the note was before, and its new id.
 */
#pragma once

#include "core/store/gilk-store-notes.h"

typedef enum { GILK_NOTE_DO, GILK_NOTE_UNDO, GILK_NOTE_REDO } GilkNoteAction;

typedef struct {
  gboolean        remove;          /* TRUE: remove the note; FALSE: write it, as a new note if its
                                    * id is 0 */
  GilkStoredNote *note;
  gint64          removed_id;      /* former id, if the step restores a removed note; 0: none */
} GilkNoteStep;

typedef struct _GilkNoteSteps GilkNoteSteps;

GilkNoteSteps *gilk_note_steps_new  (void);
void           gilk_note_steps_free (GilkNoteSteps *steps);

/* Creates a step with a copy of @note. (transfer full) */
GilkNoteStep *gilk_note_step_new  (const GilkStoredNote *note, gboolean remove);
void          gilk_note_step_free (GilkNoteStep *step);

/**
 * gilk_note_steps_record:
 * @step: (transfer full): the step that was performed
 * @action: whether it was a new change, an undo or a redo
 * @before: (nullable): the former note if the step replaced one
 * @id: id of the note that was written.
 *
 * Records a performed step, so that it can be undone or redone. A new change discards the steps
 * that could be redone.
 */
void          gilk_note_steps_record  (GilkNoteSteps *steps, GilkNoteStep *step, GilkNoteAction action, const GilkStoredNote *before,
                                       gint64 id);
gboolean      gilk_note_steps_can   (const GilkNoteSteps *steps, GilkNoteAction action);
/* Removes and returns the next step to undo or redo; NULL: none. (transfer full) (nullable) */
GilkNoteStep *gilk_note_steps_pop  (GilkNoteSteps *steps, GilkNoteAction action);
/* Puts a @step (transfer full) that has failed back, as the next step to undo or redo; frees it if
 * @action is a change by the user. */
void          gilk_note_steps_put_back (GilkNoteSteps *steps, GilkNoteStep *step, GilkNoteAction action);
