/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-notes.c - writes notes of a session off the main thread
 */
#include "gui/session/gilk-session.h"

typedef struct {
  char           *path;
  GilkStoredNote *note;
  gboolean        remove;
  gint64          id;              /* id of the note that was written */
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_free (job->path);
  gilk_stored_note_free (job->note);
  g_free (job);
}

static void
note_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  Job *job = task_data;
  GError *error = NULL;
  GilkStore *store = gilk_store_open (job->path, &error);
  GArray *notes = NULL;

  job->id = job->note->id;
  if (store != NULL && (job->remove ? gilk_store_remove_note (store, job->note->id, &error)
                                    : gilk_store_put_note (store, job->note, &job->id, &error)))
    notes = gilk_store_notes (store, job->note->run, &error);
  if (!gilk_store_close (store, error == NULL ? &error : NULL))
    g_clear_pointer (&notes, g_array_unref);
  if (notes != NULL)
    g_task_return_pointer (task, notes, (GDestroyNotify) g_array_unref);
  else
    g_task_return_error (task, error);
}

void
gilk_session_note_async (const char           *path,
                         const GilkStoredNote *note,
                         gboolean              remove,
                         GCancellable         *cancellable,
                         GAsyncReadyCallback   callback,
                         gpointer              user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  job->path = g_strdup (path);
  job->note = gilk_stored_note_copy (note);
  job->remove = remove;
  g_task_set_task_data (task, job, job_free);
  /* Report a written note as a success, even if the task was cancelled. */
  g_task_set_check_cancellable (task, FALSE);
  g_task_run_in_thread (task, note_thread);
}

GArray *
gilk_session_note_finish (GAsyncResult *result,
                          gint64       *id,
                          GError      **error)
{
  const Job *job = g_task_get_task_data (G_TASK (result));

  *id = job->id;

  return g_task_propagate_pointer (G_TASK (result), error);
}
