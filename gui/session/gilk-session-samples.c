/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-samples.c - reads samples of a hook into a table, and accesses seen by a
 * watchpoint, off the main thread
 */
#include "gui/session/gilk-session.h"

#include <math.h>

#include "gui/session/gilk-session-job.h"

typedef struct {
  GilkSessionJob *job;
  GStrv           conditions;
  double          from, to;
  guint           limit;
} Request;

static void
request_free (gpointer data)
{
  Request *wanted = data;

  gilk_session_job_free (wanted->job);
  g_strfreev (wanted->conditions);
  g_free (wanted);
}

static void
samples_thread (GTask        *task,
                gpointer      source,
                gpointer      task_data,
                GCancellable *cancellable)
{
  const Request *wanted = task_data;
  GError *error = NULL;
  g_autoptr(GilkStore) store = gilk_session_job_open (wanted->job, cancellable, &error);
  const GilkRowsChoice choice = {
    .hooks = wanted->job->hook, .n_hooks = 1,
    .from_ns = isnan (wanted->from) ? G_MININT64 : (gint64) floor (wanted->from * 1e9),
    .to_ns = isnan (wanted->to) ? G_MAXINT64 : (gint64) ceil (wanted->to * 1e9),
    .conditions = (const char *const *) wanted->conditions,
  };
  GilkRowsTable *table = store != NULL ? gilk_rows_table_read (store, &choice, wanted->limit, &error) : NULL;

  if (table == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, table, (GDestroyNotify) gilk_rows_table_free);
}

void
gilk_session_samples_async (const char           *path,
                            const GilkStoredHook *hook,
                            double                from,
                            double                to,
                            const char *const    *conditions,
                            guint                 limit,
                            GCancellable         *cancellable,
                            GAsyncReadyCallback   callback,
                            gpointer              user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Request *wanted = g_new0 (Request, 1);

  wanted->job = gilk_session_job_new (path, hook->run, hook, NULL);
  wanted->conditions = g_strdupv ((GStrv) conditions);
  wanted->from = from;
  wanted->to = to;
  wanted->limit = limit;
  g_task_set_task_data (task, wanted, request_free);
  g_task_run_in_thread (task, samples_thread);
}

GilkRowsTable *
gilk_session_samples_finish (GAsyncResult *result,
                             GError      **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* ---- reads the accesses seen by a watchpoint off the main thread ---- */

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
