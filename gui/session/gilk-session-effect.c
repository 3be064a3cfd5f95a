/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-effect.c - computes the effect of hooks that were switched off and on during a run,
 * off the main thread
 */
#include "gui/session/gilk-session.h"

#include "gui/session/gilk-session-job.h"
#include "gui/base/gilk-text.h"

void
gilk_session_effect_free (GilkSessionEffect *effect)
{
  g_clear_pointer (&effect->effect, gilk_effect_free);
  g_free (effect->refusal);
  g_free (effect);
}

static void
effect_thread (GTask        *task,
               gpointer      source,
               gpointer      task_data,
               GCancellable *cancellable)
{
  const GilkSessionJob *job = task_data;
  g_autoptr(GilkSessionEffect) effect = g_new0 (GilkSessionEffect, 1);
  g_autoptr(GilkStore) store = NULL;
  GError *error = NULL;

  store = gilk_session_job_open (job, cancellable, &error);
  if (store != NULL)
    effect->effect = gilk_effect_of_hook (store, job->run, job->hook_id, job->field, &error);
  if (store != NULL && error != NULL && gilk_text_is_answer (error))
    {
      effect->refusal = g_strdup (error->message);
      g_clear_error (&error);
    }
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_steal_pointer (&effect), (GDestroyNotify) gilk_session_effect_free);
}

void
gilk_session_effect_async (const char         *path,
                           gint64              run,
                           gint64              hook,
                           const char         *field,
                           GCancellable       *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  GilkSessionJob *job = gilk_session_job_new (path, run, NULL, field);

  job->hook_id = hook;
  gilk_session_job_run (job, task, effect_thread);
}

GilkSessionEffect *
gilk_session_effect_finish (GAsyncResult *result,
                            GError      **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
