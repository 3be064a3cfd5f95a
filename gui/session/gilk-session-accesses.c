/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-accesses.c - reads the accesses seen by a watchpoint off the main thread
 */
#include "gui/session/gilk-session.h"

#include "gui/session/gilk-session-job.h"

static void
accesses_thread (GTask        *task,
                 gpointer      source,
                 gpointer      task_data,
                 GCancellable *cancellable)
{
  const GilkSessionJob *job = task_data;
  GError *error = NULL;
  g_autoptr(GilkStore) store = gilk_session_job_open (job, cancellable, &error);
  GArray *writers = store != NULL ? gilk_store_accessors (store, job->hook, &error) : NULL;

  if (writers == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, writers, (GDestroyNotify) g_array_unref);
}

void
gilk_session_accesses_async (const char           *path,
                             const GilkStoredHook *hook,
                             GCancellable         *cancellable,
                             GAsyncReadyCallback   callback,
                             gpointer              user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  gilk_session_job_run (gilk_session_job_new (path, hook->run, hook, NULL), task, accesses_thread);
}

GArray *
gilk_session_accesses_finish (GAsyncResult *result,
                              GError      **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
