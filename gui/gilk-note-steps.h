/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-note-steps.h - what was done to notes of a session, to be taken back and done again
 *
 * Knows notes and no session: who writes a step says what was there before and what came of it.
 */
#pragma once

#include "core/store/gilk-store-notes.h"

G_BEGIN_DECLS

typedef enum { GILK_NOTE_DO, GILK_NOTE_UNDO, GILK_NOTE_REDO } GilkNoteWay;

typedef struct {
  gboolean        remove;          /* else the note is written: id 0, as a new one */
  GilkStoredNote *note;
  gint64          gone;            /* the id it had before it was removed; 0: it is new indeed */
} GilkNoteStep;

typedef struct _GilkNoteSteps GilkNoteSteps;

GilkNoteSteps *gilk_note_steps_new   (void);
void           gilk_note_steps_free  (GilkNoteSteps *steps);

/* Of a copy of @note. (transfer full) */
GilkNoteStep  *gilk_note_step_new    (const GilkStoredNote *note, gboolean remove);
void           gilk_note_step_free   (GilkNoteStep *step);

/**
 * gilk_note_steps_done:
 * @step: (transfer full): what was written, @way: why
 * @before: (nullable): the note as it was, which is no more
 * @id: of the note that was written
 */
void           gilk_note_steps_done  (GilkNoteSteps *steps, GilkNoteStep *step, GilkNoteWay way, const GilkStoredNote *before,
                                      gint64 id);
gboolean       gilk_note_steps_can   (const GilkNoteSteps *steps, GilkNoteWay way);
/* The next that way, which is there no more. (transfer full) (nullable): there is none */
GilkNoteStep  *gilk_note_steps_take  (GilkNoteSteps *steps, GilkNoteWay way);
/* It could not be done: it is the next again. (transfer full) */
void           gilk_note_steps_return (GilkNoteSteps *steps, GilkNoteStep *step, GilkNoteWay way);

G_END_DECLS
