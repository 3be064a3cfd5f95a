/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-note-steps.c - undo and redo of changes to a session's notes
 *
 * A removed note that is restored gets a new id. All other steps that refer to the old id are then
 * changed to the new id.
 */
#include "gui/inspector/gilk-note-steps.h"

struct _GilkNoteSteps {
  GPtrArray *undo_steps, *redo_steps;         /* GilkNoteStep; the next step is the last element */
};

GilkNoteStep *
gilk_note_step_new (const GilkStoredNote *note,
                    gboolean              remove)
{
  GilkNoteStep *step = g_new0 (GilkNoteStep, 1);

  step->note = gilk_stored_note_copy (note);
  step->remove = remove;

  return step;
}

void
gilk_note_step_free (GilkNoteStep *step)
{
  gilk_stored_note_free (step->note);
  g_free (step);
}

GilkNoteSteps *
gilk_note_steps_new (void)
{
  GilkNoteSteps *steps = g_new (GilkNoteSteps, 1);

  steps->undo_steps = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_note_step_free);
  steps->redo_steps = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_note_step_free);

  return steps;
}

void
gilk_note_steps_free (GilkNoteSteps *steps)
{
  g_ptr_array_unref (steps->undo_steps);
  g_ptr_array_unref (steps->redo_steps);
  g_free (steps);
}

static void
replace_id (GPtrArray *steps,
            gint64     old,
            gint64     id)
{
  for (guint i = 0; i < steps->len; i++)
    {
      GilkNoteStep *step = g_ptr_array_index (steps, i);

      if (step->note->id == old)
        step->note->id = id;
      if (step->removed_id == old)
        step->removed_id = id;
    }
}

/* Returns the step that undoes @step. (transfer full) */
static GilkNoteStep *
make_inverse (const GilkNoteStep   *step,
              const GilkStoredNote *before,
              gint64                id)
{
  GilkNoteStep *back = gilk_note_step_new (before != NULL ? before : step->note, !step->remove && before == NULL);

  if (step->remove)
    {
      back->removed_id = back->note->id;
      back->note->id = 0;
    }
  else
    back->note->id = id;

  return back;
}

void
gilk_note_steps_record (GilkNoteSteps        *steps,
                        GilkNoteStep         *step,
                        GilkNoteAction        action,
                        const GilkStoredNote *before,
                        gint64                id)
{
  if (step->removed_id != 0)
    {
      replace_id (steps->undo_steps, step->removed_id, id);
      replace_id (steps->redo_steps, step->removed_id, id);
    }
  if (action == GILK_NOTE_DO)
    g_ptr_array_set_size (steps->redo_steps, 0);
  g_ptr_array_add (action == GILK_NOTE_UNDO ? steps->redo_steps : steps->undo_steps, make_inverse (step, before, id));
  gilk_note_step_free (step);
}

gboolean
gilk_note_steps_can (const GilkNoteSteps *steps,
                     GilkNoteAction       action)
{
  return (action == GILK_NOTE_UNDO ? steps->undo_steps : steps->redo_steps)->len > 0;
}

GilkNoteStep *
gilk_note_steps_pop (GilkNoteSteps *steps,
                     GilkNoteAction action)
{
  GPtrArray *from = action == GILK_NOTE_UNDO ? steps->undo_steps : steps->redo_steps;

  return from->len > 0 ? g_ptr_array_steal_index (from, from->len - 1) : NULL;
}

void
gilk_note_steps_put_back (GilkNoteSteps *steps,
                          GilkNoteStep  *step,
                          GilkNoteAction action)
{
  if (action == GILK_NOTE_DO)
    gilk_note_step_free (step);
  else
    g_ptr_array_add (action == GILK_NOTE_UNDO ? steps->undo_steps : steps->redo_steps, step);
}
