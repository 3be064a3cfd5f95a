/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-note-steps.c - tests undo and redo of edits of notes; a note that is restored gets another
 * id
 */
#include "gui/inspector/gilk-note-steps.h"

#include <string.h>

/* A session's notes: texts, indexed by id. */
typedef struct {
  GilkNoteSteps *steps;
  GPtrArray     *texts;            /* texts of the notes by id - 1; NULL: the note was deleted */
} Session;

static GilkStoredNote
note_of (Session *session, gint64 id)
{
  return (GilkStoredNote) { .id = id, .run = 1, .text = id != 0 ? g_ptr_array_index (session->texts, id - 1) : NULL };
}

static void
write_step (Session *session, GilkNoteStep *step, GilkNoteAction way)
{
  GilkStoredNote before = note_of (session, step->note->id);
  g_autoptr(GPtrArray) kept = g_ptr_array_new_with_free_func (g_free);
  gint64 id = step->note->id;

  g_ptr_array_add (kept, before.text);
  if (step->remove)
    session->texts->pdata[id - 1] = NULL;
  else if (id != 0)
    session->texts->pdata[id - 1] = g_strdup (step->note->text);
  else
    {
      g_ptr_array_add (session->texts, g_strdup (step->note->text));
      id = session->texts->len;
    }
  gilk_note_steps_record (session->steps, step, way, before.text != NULL ? &before : NULL, id);
}

static void
put_note (Session *session, gint64 id, const char *text)
{
  const GilkStoredNote note = { .id = id, .run = 1, .text = (char *) text };

  write_step (session, gilk_note_step_new (&note, FALSE), GILK_NOTE_DO);
}

static void
take_out (Session *session, gint64 id)
{
  const GilkStoredNote note = note_of (session, id);

  write_step (session, gilk_note_step_new (&note, TRUE), GILK_NOTE_DO);
}

/* Returns all existing texts, ordered by id and separated by spaces. */
static char *
get_all_texts (Session *session)
{
  g_autoptr(GPtrArray) found = g_ptr_array_new ();

  for (guint i = 0; i < session->texts->len; i++)
    if (g_ptr_array_index (session->texts, i) != NULL)
      g_ptr_array_add (found, g_ptr_array_index (session->texts, i));
  g_ptr_array_add (found, NULL);

  return g_strjoinv (" ", (char **) found->pdata);
}

static void
check_step (Session *session, GilkNoteAction way, const char *expected)
{
  g_autofree char *there = NULL;

  g_assert_true (gilk_note_steps_can (session->steps, way));
  write_step (session, gilk_note_steps_pop (session->steps, way), way);
  there = get_all_texts (session);
  g_assert_cmpstr (there, ==, expected);
}

static void
test_back_and_forth (void)
{
  Session session = { gilk_note_steps_new (), g_ptr_array_new_with_free_func (g_free) };

  put_note (&session, 0, "a");
  put_note (&session, 0, "b");
  put_note (&session, 1, "c");
  take_out (&session, 1);
  for (guint round = 0; round < 3; round++)
    {
      check_step (&session, GILK_NOTE_UNDO, "b c");             /* undoing the deletion gave note c
                                                                   another id */
      check_step (&session, GILK_NOTE_UNDO, "b a");
      check_step (&session, GILK_NOTE_UNDO, "a");
      check_step (&session, GILK_NOTE_UNDO, "");
      g_assert_false (gilk_note_steps_can (session.steps, GILK_NOTE_UNDO));
      check_step (&session, GILK_NOTE_REDO, "a");
      check_step (&session, GILK_NOTE_REDO, "a b");
      check_step (&session, GILK_NOTE_REDO, "c b");
      check_step (&session, GILK_NOTE_REDO, "b");
      g_assert_false (gilk_note_steps_can (session.steps, GILK_NOTE_REDO));
    }
  check_step (&session, GILK_NOTE_UNDO, "b c");
  put_note (&session, 0, "d");
  g_assert_false (gilk_note_steps_can (session.steps, GILK_NOTE_REDO));
  gilk_note_steps_free (session.steps);
  g_ptr_array_unref (session.texts);
}

/* Tests that a step that failed can be put back into the list of steps and tried again. */
static void
test_return (void)
{
  Session session = { gilk_note_steps_new (), g_ptr_array_new_with_free_func (g_free) };
  GilkNoteStep *failed;

  put_note (&session, 0, "a");
  failed = gilk_note_steps_pop (session.steps, GILK_NOTE_UNDO);
  g_assert_false (gilk_note_steps_can (session.steps, GILK_NOTE_UNDO));
  gilk_note_steps_put_back (session.steps, failed, GILK_NOTE_UNDO);
  check_step (&session, GILK_NOTE_UNDO, "");
  gilk_note_steps_free (session.steps);
  g_ptr_array_unref (session.texts);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/note-steps/back-and-forth", test_back_and_forth);
  g_test_add_func ("/note-steps/return", test_return);

  return g_test_run ();
}
