/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-connection-work.c - binds plans to the connected kernel, and disarms all hooks
 */
#include "gui/run/gilk-connection.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"

/* ---- binding plans ---- */

typedef struct {
  GilkPlan      *plan;
  GilkFunctions *functions;
  GilkImage     *image;
} BindJob;

static void
bind_job_free (gpointer data)
{
  BindJob *job = data;

  gilk_plan_unref (job->plan);
  gilk_functions_unref (job->functions);
  gilk_image_unref (job->image);
  g_free (job);
}

static void
bind_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  BindJob *job = task_data;
  GError *error = NULL;
  g_autoptr(GilkPlan) plan = gilk_plan_copy (job->plan);
  GilkBoundPlan *bound = gilk_bound_plan_new (plan, job->functions, job->image,
                                              NULL, cancellable, &error);

  if (bound == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, bound, (GDestroyNotify) gilk_bound_plan_free);
}

void
gilk_connection_bind_async (GilkConnection     *self,
                            const GilkPlan     *plan,
                            GCancellable       *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (self, cancellable, callback, user_data);
  GilkFunctions *functions = gilk_connection_functions (self);
  BindJob *job;

  if (gilk_connection_target (self) == NULL)
    {
      g_task_return_new_error (task, GILK_ERROR, GILK_ERROR_TARGET,
                               _("No kernel is connected: choose a target first."));
      return;
    }

  job = g_new0 (BindJob, 1);
  job->plan = gilk_plan_share (plan);
  job->functions = gilk_functions_ref (functions);
  job->image = gilk_image_ref (gilk_connection_image (self));
  g_task_set_task_data (task, job, bind_job_free);
  g_task_run_in_thread (task, bind_thread);
}

GilkBoundPlan *
gilk_connection_bind_finish (GilkConnection *self,
                             GAsyncResult   *result,
                             GError        **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* ---- disarming all hooks ---- */

static void
disarm_thread (GTask        *task,
               gpointer      source,
               gpointer      task_data,
               GCancellable *cancellable)
{
  struct ilk_disarm disarm = { .what = ILK_DISARM_ALL_FILES };
  GError *error = NULL;

  if (!gilk_target_disarm (task_data, &disarm, NULL, cancellable, &error))
    g_task_return_error (task, error);
  else
    g_task_return_int (task, disarm.restored);
}

void
gilk_connection_disarm_async (GilkConnection     *self,
                              GAsyncReadyCallback callback,
                              gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (self, NULL, callback, user_data);

  if (gilk_connection_target (self) == NULL)
    {
      g_task_return_new_error (task, GILK_ERROR, GILK_ERROR_TARGET,
                               _("No kernel is connected, so this window has no hooks armed."));
      return;
    }
  g_task_set_task_data (task, gilk_target_ref (gilk_connection_target (self)), (GDestroyNotify) gilk_target_unref);
  g_task_run_in_thread (task, disarm_thread);
}

gssize
gilk_connection_disarm_finish (GilkConnection *self,
                               GAsyncResult   *result,
                               GError        **error)
{
  return g_task_propagate_int (G_TASK (result), error);
}
