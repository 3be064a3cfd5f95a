/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-export.c - exports recorded data off the main thread
 *
 * Uses the formats and writers of the command "gilk export".
 */
#include "gui/session/gilk-session.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/emit/gilk-inline.h"

typedef struct {
  char                   *session, *path;
  gint64                  run, hook;
  const GilkExportFormat *format;
  gboolean                replace;
  int                    *permille;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_free (job->session);
  g_free (job->path);
  g_free (job);
}

static void
on_progress (const char *what,
             double      fraction,
             gpointer    user_data)
{
  const Job *job = user_data;

  if (job->permille != NULL)
    g_atomic_int_set (job->permille, fraction < 0 ? -1 : (int) (1000 * fraction));
}

static const GilkStoredRun *
find_run (const GArray *runs,
          gint64        id)
{
  for (guint i = 0; i < runs->len; i++)
    if (g_array_index (runs, GilkStoredRun, i).id == id)
      return &g_array_index (runs, GilkStoredRun, i);

  return NULL;
}

/* Returns whether all hooks have the instrument span, which times calls. If so, the exported values
 * are weighted by time, otherwise by hits. */
static gboolean
are_all_spans (const GArray *hooks)
{
  for (guint i = 0; i < hooks->len; i++)
    if (!gilk_inline_is (g_array_index (hooks, GilkStoredHook, i).instrument, GILK_INLINE_SPAN))
      return FALSE;

  return hooks->len > 0;
}

/* Returns the requested hook, or all hooks; borrowed. */
static GArray *
choose_hooks (const Job    *job,
              const GArray *all)
{
  GArray *hooks = g_array_new (FALSE, FALSE, sizeof (GilkStoredHook));

  for (guint i = 0; i < all->len; i++)
    if (job->hook == 0 || g_array_index (all, GilkStoredHook, i).id == job->hook)
      g_array_append_val (hooks, g_array_index (all, GilkStoredHook, i));

  return hooks;
}

static gboolean
write_export (const Job *job,
              GilkStore *store,
              GError   **error)
{
  const GilkProgress progress = { on_progress, (gpointer) job };
  g_autoptr(GArray) runs = gilk_store_runs (store, error);
  g_autoptr(GArray) all = runs != NULL ? gilk_store_hooks (store, job->run, error) : NULL;
  g_autoptr(GArray) hooks = all != NULL ? choose_hooks (job, all) : NULL;
  g_autofree char *sources = g_strconcat (job->path, ".source", NULL);
  const GilkStoredRun *run = all != NULL ? find_run (runs, job->run) : NULL;
  GilkExportJob export;

  if (all == NULL)
    return FALSE;
  if (run == NULL || hooks->len == 0)
    {
      g_set_error_literal (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                           _("The selected run or hooks are no longer in the session. Open the "
                             "session again."));
      return FALSE;
    }
  gilk_export_job_init (&export, store, run, hooks);
  export.progress = &progress;
  export.replace = job->replace;
  export.weight = are_all_spans (hooks) ? GILK_EXPORT_TIME : GILK_EXPORT_HITS;
  if (job->format->flags & GILK_EXPORT_SOURCES)
    export.sources = sources;

  return gilk_export_to_path (job->format, &export, job->path, error);
}

static void
export_thread (GTask        *task,
               gpointer      source,
               gpointer      task_data,
               GCancellable *cancellable)
{
  const Job *job = task_data;
  g_autoptr(GilkStore) store = NULL;
  GError *error = NULL;

  store = gilk_store_open_read (job->session, cancellable, &error);
  if (store != NULL && write_export (job, store, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
gilk_session_export_async (const GilkSessionExport *wanted,
                           int                     *permille,
                           GCancellable            *cancellable,
                           GAsyncReadyCallback      callback,
                           gpointer                 user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  job->session = g_strdup (wanted->session);
  job->path = g_strdup (wanted->path);
  job->run = wanted->run;
  job->hook = wanted->hook;
  job->format = wanted->format;
  job->replace = wanted->replace;
  job->permille = permille;
  g_task_set_task_data (task, job, job_free);
  /* Report a complete file as a success, even if the task was cancelled. */
  g_task_set_check_cancellable (task, FALSE);
  g_task_run_in_thread (task, export_thread);
}

gboolean
gilk_session_export_finish (GAsyncResult *result,
                            GError      **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
