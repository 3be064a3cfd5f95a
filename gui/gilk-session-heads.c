/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-heads.c - reads a summary of each session of a directory in a worker thread
 */
#include "gui/gilk-session-heads.h"

#include <glib/gstdio.h>

#include "core/store/gilk-store-folder.h"
#include "core/store/gilk-store.h"

typedef struct {
  char               *folder;
  GilkSessionHeadFunc func;
  gpointer            user_data;
} Job;

typedef struct {
  GTask           *task;
  GilkSessionHead *head;
} Told;

void
gilk_session_head_free (GilkSessionHead *head)
{
  g_free (head->path);
  g_free (head->title);
  g_free (head->target);
  g_free (head->kernel);
  g_free (head->started);
  g_free (head->problem);
  g_free (head);
}

static void
job_free (gpointer data)
{
  Job *job = data;

  g_free (job->folder);
  g_free (job);
}

static void
told_free (gpointer data)
{
  Told *told = data;

  g_object_unref (told->task);
  gilk_session_head_free (told->head);
  g_free (told);
}

static gboolean
tell (gpointer data)
{
  Told *told = data;
  const Job *job = g_task_get_task_data (told->task);

  if (!g_cancellable_is_cancelled (g_task_get_cancellable (told->task)))
    job->func (told->head, job->user_data);

  return G_SOURCE_REMOVE;
}

static GilkSessionHead *
head_new (const char *path)
{
  GilkSessionHead *head = g_new0 (GilkSessionHead, 1);
  GStatBuf status;

  head->path = g_strdup (path);
  if (g_stat (path, &status) == 0)
    {
      head->changed = status.st_mtime;
      head->bytes = status.st_size;
    }

  return head;
}

static void
read_head (GilkSessionHead *head,
           GCancellable    *cancellable)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkStore) store = gilk_store_open_read (head->path, cancellable, &error);
  g_autoptr(GArray) runs = store != NULL ? gilk_store_runs (store, &error) : NULL;
  const GilkStoredRun *last;

  if (runs == NULL)
    {
      head->problem = g_strdup (error->message);
      return;
    }
  head->runs = runs->len;
  if (runs->len == 0)
    return;
  last = &g_array_index (runs, GilkStoredRun, runs->len - 1);
  head->title = g_strdup (last->title);
  head->target = g_strdup (last->target);
  head->kernel = g_strdup (last->release);
  head->started = g_strdup (last->started);
  head->cut_off = g_strcmp0 (last->end_reason, "cut off") == 0;
}

static int
newest_first (gconstpointer a,
              gconstpointer b)
{
  const GilkSessionHead *x = *(GilkSessionHead *const *) a, *y = *(GilkSessionHead *const *) b;

  return (x->changed < y->changed) - (x->changed > y->changed);
}

/* Lists the sessions without reading them; none if the directory does not exist yet. (element-type
 * GilkSessionHead) (transfer full) */
static GPtrArray *
list_folder (const char *folder,
             GError    **error)
{
  g_autoptr(GPtrArray) paths = NULL;
  GPtrArray *heads;

  if (!g_file_test (folder, G_FILE_TEST_EXISTS))
    return g_ptr_array_new ();
  paths = gilk_store_folder (folder, error);
  if (paths == NULL)
    return NULL;
  heads = g_ptr_array_new ();
  for (guint i = 0; i < paths->len; i++)
    g_ptr_array_add (heads, head_new (paths->pdata[i]));
  g_ptr_array_sort (heads, newest_first);

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
  g_autoptr(GPtrArray) heads = list_folder (job->folder, &error);

  if (heads == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  for (guint i = 0; i < heads->len; i++)
    {
      Told *told = g_new0 (Told, 1);

      told->task = g_object_ref (task);
      told->head = heads->pdata[i];
      if (!g_cancellable_is_cancelled (cancellable))
        read_head (told->head, cancellable);
      g_main_context_invoke_full (NULL, G_PRIORITY_DEFAULT_IDLE, tell, told, told_free);
    }
  g_task_return_int (task, heads->len);
}

void
gilk_session_heads_read (const char          *folder,
                         GCancellable        *cancellable,
                         GilkSessionHeadFunc  func,
                         GAsyncReadyCallback  done,
                         gpointer             user_data)
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
gilk_session_heads_finish (GAsyncResult  *result,
                           GError       **error)
{
  return g_task_propagate_int (G_TASK (result), error);
}
