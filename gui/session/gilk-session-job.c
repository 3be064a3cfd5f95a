/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-job.c - parameters of a job that reads a session off the main thread
 */
#include "gui/session/gilk-session-job.h"

#include <math.h>

GilkSessionJob *
gilk_session_job_new (const char           *path,
                      gint64                run,
                      const GilkStoredHook *hook,
                      const char           *field)
{
  GilkSessionJob *job = g_new0 (GilkSessionJob, 1);

  job->path = g_strdup (path);
  job->run = run;
  job->hook = hook != NULL ? gilk_stored_hook_copy (hook) : NULL;
  job->hook_id = hook != NULL ? hook->id : 0;
  job->field = g_strdup (field);
  job->from = job->to = NAN;

  return job;
}

void
gilk_session_job_free (GilkSessionJob *job)
{
  if (job->hook != NULL)
    gilk_stored_hook_free (job->hook);
  g_free (job->path);
  g_free (job->field);
  g_free (job->condition);
  g_clear_pointer (&job->comparison, gilk_session_job_free);
  g_free (job);
}

GilkStore *
gilk_session_job_open (const GilkSessionJob *job,
                       GCancellable         *cancellable,
                       GError              **error)
{
  return gilk_store_open_read (job->path, cancellable, error);
}

void
gilk_session_job_run (GilkSessionJob *job,
                      GTask          *task,
                      GTaskThreadFunc thread)
{
  g_task_set_task_data (task, job, (GDestroyNotify) gilk_session_job_free);
  g_task_run_in_thread (task, thread);
}
