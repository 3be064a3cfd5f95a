/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-effect.c - computes the effect of a run's switched hooks off the main thread
 */
#include "gui/session/gilk-session-effect.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/analysis/gilk-hook-gaps.h"
#include "core/base/gilk-error.h"
#include "gui/session/gilk-session-job.h"
#include "gui/base/gilk-text.h"

void
gilk_session_effect_free (GilkSessionEffect *effect)
{
  g_free (effect->refusal);
  g_free (effect->control);
  g_free (effect->field);
  g_free (effect->unit);
  g_free (effect);
}

static const GilkStoredHook *
find_hook (const GArray *hooks, gint64 id)
{
  for (guint i = 0; i < hooks->len; i++)
    if (g_array_index (hooks, GilkStoredHook, i).id == id)
      return &g_array_index (hooks, GilkStoredHook, i);

  return NULL;
}

static gboolean
find_duration (GilkStore *store, gint64 run, double *duration, GError **error)
{
  g_autoptr(GArray) runs = gilk_store_runs (store, error);

  *duration = 0.0;
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    if (g_array_index (runs, GilkStoredRun, i).id == run)
      *duration = g_array_index (runs, GilkStoredRun, i).duration;

  return runs != NULL;
}

/* (transfer full) */
static char *
find_unit (GilkStore *store, const GilkStoredHook *hook, const char *field, GError **error)
{
  g_autoptr(GArray) fields = NULL;

  if (field == NULL)
    return g_strdup ("/s");
  if (strcmp (field, "interval") == 0)
    return g_strdup ("s");
  fields = gilk_store_fields (store, hook->run, hook->instrument, error);
  if (fields == NULL)
    return NULL;
  for (guint i = 0; i < fields->len; i++)
    {
      const GilkStoredField *one = &g_array_index (fields, GilkStoredField, i);

      if (strcmp (one->name, field) == 0 && one->unit != NULL)
        return g_strdup (one->unit);
    }

  return g_strdup ("");
}

static gboolean
measure_effect (GilkSessionEffect *effect, const GilkSessionJob *job, GilkStore *store, GError **error)
{
  g_autoptr(GArray) hooks = gilk_store_hooks (store, job->run, error);
  g_autoptr(GArray) gaps = NULL;
  const GilkStoredHook *control;
  double duration;

  if (hooks == NULL || !find_duration (store, job->run, &duration, error))
    return FALSE;
  for (guint i = 0; i < hooks->len; i++)
    {
      const GilkStoredHook *hook = &g_array_index (hooks, GilkStoredHook, i);

      effect->traps += hook->switched && strcmp (hook->tactic, "trap") == 0;
    }
  control = job->hook_id != 0 ? find_hook (hooks, job->hook_id) : gilk_perturbation_control_hook (hooks);
  if (control == NULL)
    {
      g_set_error_literal (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                           _("No control hook: every hook of this run that takes samples was switched. Record with "
                             "control=yes at one of them."));
      return FALSE;
    }
  effect->control = g_strdup (control->label);
  effect->field = g_strdup (job->field);
  effect->unit = find_unit (store, control, job->field, error);
  gaps = effect->unit != NULL ? gilk_hook_gaps (store, control, duration, error) : NULL;

  return gaps != NULL && gilk_hook_perturbation (store, control, job->field, gaps, &effect->found, error);
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
  if (store != NULL && !measure_effect (effect, job, store, &error) && gilk_text_is_answer (error))
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
