/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-summaries.c - reads a summary of each session of a directory in a worker thread
 */
#include "gui/session/gilk-session-summaries.h"

#include <glib/gstdio.h>

#include "core/store/gilk-store.h"

typedef struct {
  char               *folder;
  GilkSessionSummaryFunc func;
  gpointer            user_data;
} Job;

typedef struct {
  GTask           *task;
  GilkSessionSummary *summary;
} Message;

void
gilk_session_summary_free (GilkSessionSummary *summary)
{
  g_free (summary->path);
  g_free (summary->title);
  g_free (summary->target);
  g_free (summary->kernel);
  g_free (summary->started);
  g_free (summary->problem);
  g_free (summary);
}

static void
job_free (gpointer data)
{
  Job *job = data;

  g_free (job->folder);
  g_free (job);
}

static void
message_free (gpointer data)
{
  Message *message = data;

  g_object_unref (message->task);
  gilk_session_summary_free (message->summary);
  g_free (message);
}

static gboolean
send_summary (gpointer data)
{
  Message *message = data;
  const Job *job = g_task_get_task_data (message->task);

  if (!g_cancellable_is_cancelled (g_task_get_cancellable (message->task)))
    job->func (message->summary, job->user_data);

  return G_SOURCE_REMOVE;
}

static GilkSessionSummary *
summary_new (const char *path)
{
  GilkSessionSummary *summary = g_new0 (GilkSessionSummary, 1);
  GStatBuf status;

  summary->path = g_strdup (path);
  if (g_stat (path, &status) == 0)
    {
      summary->changed = status.st_mtime;
      summary->bytes = status.st_size;
    }

  return summary;
}

static void
read_summary (GilkSessionSummary *summary,
              GCancellable       *cancellable)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkStore) store = gilk_store_open_read (summary->path, cancellable, &error);
  g_autoptr(GArray) runs = store != NULL ? gilk_store_runs (store, &error) : NULL;
  const GilkStoredRun *last;

  if (runs == NULL)
    {
      summary->problem = g_strdup (error->message);
      return;
    }
  summary->runs = runs->len;
  if (runs->len == 0)
    return;
  last = &g_array_index (runs, GilkStoredRun, runs->len - 1);
  summary->title = g_strdup (last->title);
  summary->target = g_strdup (last->target);
  summary->kernel = g_strdup (last->release);
  summary->started = g_strdup (last->started);
  summary->cut_off = g_strcmp0 (last->end_reason, "cut off") == 0;
}

static int
compare_newest_first (gconstpointer a,
                      gconstpointer b)
{
  const GilkSessionSummary *x = *(GilkSessionSummary *const *) a, *y = *(GilkSessionSummary *const *) b;

  return (x->changed < y->changed) - (x->changed > y->changed);
}

/* Lists the session files of @folder without reading them; the list is empty if the directory does
 * not exist yet. (element-type GilkSessionSummary) (transfer full) */
static GPtrArray *
list_sessions (const char *folder,
               GError    **error)
{
  g_autoptr(GPtrArray) paths = NULL;
  GPtrArray *heads;

  if (!g_file_test (folder, G_FILE_TEST_EXISTS))
    return g_ptr_array_new ();
  paths = gilk_store_list_folder (folder, error);
  if (paths == NULL)
    return NULL;
  heads = g_ptr_array_new ();
  for (guint i = 0; i < paths->len; i++)
    g_ptr_array_add (heads, summary_new (paths->pdata[i]));
  g_ptr_array_sort (heads, compare_newest_first);

  return heads;
}

static void
read_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  const Job *job = task_data;
  GError *error = NULL;
  g_autoptr(GPtrArray) heads = list_sessions (job->folder, &error);

  if (heads == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  for (guint i = 0; i < heads->len; i++)
    {
      Message *message = g_new0 (Message, 1);

      message->task = g_object_ref (task);
      message->summary = heads->pdata[i];
      if (!g_cancellable_is_cancelled (cancellable))
        read_summary (message->summary, cancellable);
      g_main_context_invoke_full (NULL, G_PRIORITY_DEFAULT_IDLE, send_summary, message, message_free);
    }
  g_task_return_int (task, heads->len);
}

void
gilk_session_summaries_read (const char            *folder,
                             GCancellable          *cancellable,
                             GilkSessionSummaryFunc func,
                             GAsyncReadyCallback    done,
                             gpointer               user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, done, user_data);
  Job *job = g_new0 (Job, 1);

  job->folder = g_strdup (folder);
  job->func = func;
  job->user_data = user_data;
  g_task_set_priority (task, G_PRIORITY_DEFAULT_IDLE);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, read_thread);
}

gssize
gilk_session_summaries_finish (GAsyncResult *result,
                               GError      **error)
{
  return g_task_propagate_int (G_TASK (result), error);
}
