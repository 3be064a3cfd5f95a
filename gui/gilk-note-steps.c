/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-note-steps.c - undo and redo of changes to a session's notes
 *
 * A note that is restored gets a new id; the other steps for the old id are then changed to the new
 * one.
 */
#include "gui/gilk-note-steps.h"

struct _GilkNoteSteps {
  GPtrArray *back, *again;         /* GilkNoteStep; the next one is last */
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

  steps->back = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_note_step_free);
  steps->again = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_note_step_free);

  return steps;
}

void
gilk_note_steps_free (GilkNoteSteps *steps)
{
  g_ptr_array_unref (steps->back);
  g_ptr_array_unref (steps->again);
  g_free (steps);
}

static void
rename_in (GPtrArray *steps,
           gint64     old,
           gint64     id)
{
  for (guint i = 0; i < steps->len; i++)
    {
      GilkNoteStep *step = g_ptr_array_index (steps, i);

      if (step->note->id == old)
        step->note->id = id;
      if (step->gone == old)
        step->gone = id;
    }
}

/* Returns the step that undoes @step. (transfer full) */
static GilkNoteStep *
inverse (const GilkNoteStep   *step,
         const GilkStoredNote *before,
         gint64                id)
{
  GilkNoteStep *back = gilk_note_step_new (before != NULL ? before : step->note, !step->remove && before == NULL);

  if (step->remove)
    {
      back->gone = back->note->id;
      back->note->id = 0;
    }
  else
    back->note->id = id;

  return back;
}

void
gilk_note_steps_done (GilkNoteSteps        *steps,
                      GilkNoteStep         *step,
                      GilkNoteWay           way,
                      const GilkStoredNote *before,
                      gint64                id)
{
  if (step->gone != 0)
    {
      rename_in (steps->back, step->gone, id);
      rename_in (steps->again, step->gone, id);
    }
  if (way == GILK_NOTE_DO)
    g_ptr_array_set_size (steps->again, 0);
  g_ptr_array_add (way == GILK_NOTE_UNDO ? steps->again : steps->back, inverse (step, before, id));
  gilk_note_step_free (step);
}

gboolean
gilk_note_steps_can (const GilkNoteSteps *steps,
                     GilkNoteWay          way)
{
  return (way == GILK_NOTE_UNDO ? steps->back : steps->again)->len > 0;
}

GilkNoteStep *
gilk_note_steps_take (GilkNoteSteps *steps,
                      GilkNoteWay    way)
{
  GPtrArray *from = way == GILK_NOTE_UNDO ? steps->back : steps->again;

  return from->len > 0 ? g_ptr_array_steal_index (from, from->len - 1) : NULL;
}

void
gilk_note_steps_return (GilkNoteSteps *steps,
                        GilkNoteStep  *step,
                        GilkNoteWay    way)
{
  if (way == GILK_NOTE_DO)
    gilk_note_step_free (step);
  else
    g_ptr_array_add (way == GILK_NOTE_UNDO ? steps->back : steps->again, step);
}
