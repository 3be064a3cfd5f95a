/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-data.c - reads a session file off the main thread
 *
 * A job has copies of everything it needs; its result is a complete GilkPlotData that replaces the
 * data of the view.
 */
#include "gui/session/gilk-session.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/plot/gilk-plot-name.h"
#include "gui/session/gilk-session-job.h"
#include "gui/base/gilk-text.h"

#define GROUPS_MAX 24

/* ---- opening a session ---- */

static void
session_run_clear (gpointer data)
{
  GilkSessionRun *run = data;

  g_clear_pointer (&run->hooks, g_array_unref);
  g_clear_pointer (&run->fields, g_ptr_array_unref);
  g_clear_pointer (&run->functions, g_array_unref);
  g_clear_pointer (&run->costs, g_array_unref);
  g_clear_pointer (&run->maps, g_array_unref);
  g_clear_pointer (&run->notes, g_array_unref);
  gilk_stored_clock_clear (&run->clock);
}

void
gilk_session_free (GilkSession *session)
{
  g_clear_pointer (&session->runs, g_array_unref);
  g_clear_pointer (&session->stored, g_array_unref);
  g_free (session->path);
  g_free (session);
}

static gboolean
read_run (GilkSession         *session,
          GilkStore           *store,
          const GilkStoredRun *stored,
          GError             **error)
{
  GilkSessionRun run = { .run = *stored };

  run.hooks = gilk_store_hooks (store, stored->id, error);
  run.functions = run.hooks != NULL ? gilk_store_functions (store, stored->id, error) : NULL;
  run.costs = run.functions != NULL ? gilk_store_costs (store, stored->id, error) : NULL;
  run.maps = run.costs != NULL ? gilk_store_map_decls (store, stored->id, error) : NULL;
  run.notes = run.maps != NULL ? gilk_store_notes (store, stored->id, error) : NULL;
  if (run.notes == NULL || !gilk_store_clock (store, stored->id, &run.clock, error))
    {
      session_run_clear (&run);
      return FALSE;
    }
  run.fields = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_array_append_val (session->runs, run);
  for (guint i = 0; i < run.hooks->len; i++)
    {
      GArray *fields = gilk_store_fields (store, stored->id,
                                          g_array_index (run.hooks, GilkStoredHook, i).instrument, error);

      if (fields == NULL)
        return FALSE;
      g_ptr_array_add (run.fields, fields);
    }

  return TRUE;
}

static void
open_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  g_autoptr(GilkSession) session = g_new0 (GilkSession, 1);
  g_autoptr(GilkStore) store = NULL;
  GError *error = NULL;

  session->path = g_strdup (task_data);
  session->runs = g_array_new (FALSE, TRUE, sizeof (GilkSessionRun));
  g_array_set_clear_func (session->runs, session_run_clear);
  store = gilk_store_open_read (task_data, cancellable, &error);
  if (store != NULL)
    session->stored = gilk_store_runs (store, &error);
  for (guint i = session->stored != NULL ? session->stored->len : 0; i > 0 && error == NULL; i--)
    read_run (session, store, &g_array_index (session->stored, GilkStoredRun, i - 1), &error);

  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_steal_pointer (&session), (GDestroyNotify) gilk_session_free);
}

void
gilk_session_open_async (const char         *path,
                         GCancellable       *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_task_data (task, g_strdup (path), g_free);
  g_task_run_in_thread (task, open_thread);
}

GilkSession *
gilk_session_open_finish (GAsyncResult *result,
                          GError      **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

const GilkStoredMapDecl *
gilk_session_find_map (const GilkSessionRun *run,
                       const GilkStoredHook *hook,
                       const char           *name)
{
  for (guint i = 0; i < run->maps->len; i++)
    {
      const GilkStoredMapDecl *keep = &g_array_index (run->maps, GilkStoredMapDecl, i);

      if (keep->hook == hook->id && (name == NULL || strcmp (keep->name, name) == 0))
        return keep;
    }

  return NULL;
}

/* ---- bars of hits by the values of a field ---- */

static GilkPlotData *
make_groups (const GilkSessionJob *job,
             GCancellable         *cancellable,
             GError              **error)
{
  g_autoptr(GilkPlotData) plot = gilk_plot_data_new ();
  g_autoptr(GilkStore) store = NULL;
  g_autofree char *lost = gilk_text_count (job->hook->lost);

  store = gilk_session_job_open (job, cancellable, error);
  if (store == NULL || !gilk_group_bars_add (plot->bars, store, job->hook, job->field, job->from, job->to, job->condition, GROUPS_MAX,
                                              error))
    return NULL;
  plot->title = g_strdup_printf (_("Hits by %s"), job->field);
  plot->subtitle = gilk_plot_name_hook (job->hook);
  if (plot->bars->len == 0)
    plot->message = g_strdup (isnan (job->from) && job->condition == NULL
                              ? _("No samples of this hook were stored.") : _("This hook has no samples in "
                                                                              "the selection."));
  if (job->hook->lost > 0)
    plot->loss_note = g_strdup_printf (_("%s lost"), lost);

  return g_steal_pointer (&plot);
}

/* Gives each of two compared plots the bars of the other one, so that both are drawn on the same
 * scale. */
static void
join_bars (GilkPlotData *plot,
           GilkPlotData *comparison)
{
  plot->comparison_bars = g_array_ref (comparison->bars);
  comparison->comparison_bars = g_array_ref (plot->bars);
}

static void
groups_thread (GTask        *task,
               gpointer      source,
               gpointer      task_data,
               GCancellable *cancellable)
{
  const GilkSessionJob *job = task_data;
  GError *error = NULL;
  g_autoptr(GilkPlotData) plot = make_groups (job, cancellable, &error);

  if (plot != NULL && job->comparison != NULL)
    plot->comparison = make_groups (job->comparison, cancellable, &error);
  if (plot != NULL && plot->comparison != NULL)
    join_bars (plot, plot->comparison);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_steal_pointer (&plot), (GDestroyNotify) gilk_plot_data_free);
}

static GilkSessionJob *
make_groups_job (const GilkSession    *session,
                 const GilkStoredHook *hook,
                 const char           *field,
                 double                from,
                 double                to,
                 const char           *condition)
{
  GilkSessionJob *job = gilk_session_job_new (session->path, hook->run, hook, field);

  job->from = from;
  job->to = to;
  job->condition = g_strdup (condition);

  return job;
}

void
gilk_session_groups_async (const GilkSession    *session,
                           const GilkStoredHook *hook,
                           const char           *field,
                           double                from,
                           double                to,
                           const char           *condition,
                           const GilkSession    *comparison,
                           const GilkStoredHook *there,
                           GCancellable         *cancellable,
                           GAsyncReadyCallback   callback,
                           gpointer              user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  GilkSessionJob *job = make_groups_job (session, hook, field, from, to, condition);

  if (there != NULL)
    job->comparison = make_groups_job (comparison, there, field, from, to, condition);
  gilk_session_job_run (job, task, groups_thread);
}

GilkPlotData *
gilk_session_groups_finish (GAsyncResult *result,
                            GError      **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
