/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-connection.c - the workbench's one kernel: target, image, functions
 *
 *   NONE -open-> CONNECTING -ok-> READY -close, stream lost-> NONE
 *                    \-failed, cancelled-> NONE
 *
 * Each open makes a new GCancellable; a worker whose cancellable is no longer
 * the current one has been overtaken, and its result is dropped unseen.
 */
#include "gui/gilk-connection.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "gui/gilk-kernel.h"

struct _GilkConnection {
  GObject              parent_instance;

  GilkConnectionState  state;
  char                *spec;
  GCancellable        *cancellable;      /* of the open under way */
  char                *what;
  double               fraction;

  GilkTarget          *target;
  gulong               lost_func;        /* its listener there */
  GilkImage           *image;
  GilkFunctions       *functions;
  GArray              *descs;            /* struct ilk_instrument_desc */
  GStrv                names;
};

G_DEFINE_TYPE (GilkConnection, gilk_connection, G_TYPE_OBJECT)

enum { CHANGED, FAILED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- progress: worker thread -> main thread ---- */

typedef struct {
  GilkConnection *self;
  GCancellable   *cancellable;
  char           *what;
  double          fraction;
} Report;

static void
report_free (gpointer data)
{
  Report *report = data;

  g_object_unref (report->self);
  g_object_unref (report->cancellable);
  g_free (report->what);
  g_free (report);
}

static gboolean
show_report (gpointer data)
{
  Report *report = data;
  GilkConnection *self = report->self;

  if (self->cancellable == report->cancellable)
    {
      g_free (self->what);
      self->what = g_strdup (report->what);
      self->fraction = report->fraction;
      g_signal_emit (self, signals[CHANGED], 0);
    }

  return G_SOURCE_REMOVE;
}

/* Called on the worker. */
static void
send_report (const char *what,
             double      fraction,
             gpointer    user_data)
{
  GTask *task = user_data;
  Report *report = g_new0 (Report, 1);

  report->self = g_object_ref (g_task_get_source_object (task));
  report->cancellable = g_object_ref (g_task_get_cancellable (task));
  report->what = g_strdup (what);
  report->fraction = fraction;
  g_main_context_invoke_full (NULL, G_PRIORITY_DEFAULT, show_report, report, report_free);
}

/* ---- open ---- */

static void
open_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  GilkProgress progress = { send_report, task };
  GError *error = NULL;
  GilkKernel *kernel = gilk_kernel_open (task_data, &progress, cancellable, &error);

  if (kernel == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, kernel, (GDestroyNotify) gilk_kernel_free);
}

static gpointer
close_thread (gpointer data)
{
  GilkKernel *old = data;

  gilk_target_close (old->target);
  gilk_kernel_free (old);

  return NULL;
}

/* Others may still refer to the target, a run that was its last one for example. */
static void
close_aside (GilkConnection *self)
{
  GilkKernel *old = g_new0 (GilkKernel, 1);

  old->target = g_steal_pointer (&self->target);
  old->image = g_steal_pointer (&self->image);
  old->functions = g_steal_pointer (&self->functions);
  g_thread_unref (g_thread_new ("gilk-close", close_thread, old));
}

static void
drop_everything (GilkConnection *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (self->target != NULL)
    {
      gilk_target_remove_lost_func (self->target, self->lost_func);
      close_aside (self);
    }
  g_clear_pointer (&self->descs, g_array_unref);
  g_clear_pointer (&self->names, g_strfreev);
  self->names = gilk_kernel_names (NULL, NULL, NULL);
  g_clear_pointer (&self->what, g_free);
  self->state = GILK_CONNECTION_NONE;
}

/* ---- the stream broke: reader thread -> main thread ---- */

typedef struct {
  GilkConnection *self;
  GilkTarget     *target;                /* compared only */
  GError         *error;
} Lost;

static gboolean
show_lost (gpointer data)
{
  Lost *lost = data;

  if (lost->self->target == lost->target)
    {
      drop_everything (lost->self);
      g_signal_emit (lost->self, signals[CHANGED], 0);
      g_signal_emit (lost->self, signals[FAILED], 0, lost->error);
    }
  g_object_unref (lost->self);
  g_error_free (lost->error);
  g_free (lost);

  return G_SOURCE_REMOVE;
}

static void
target_lost (GilkTarget   *target,
             const GError *error,
             gpointer      user_data)
{
  Lost *lost = g_new0 (Lost, 1);

  lost->self = g_object_ref (user_data);
  lost->target = target;
  lost->error = error != NULL ? g_error_copy (error)
                              : g_error_new_literal (GILK_ERROR, GILK_ERROR_TARGET,
                                                     _("The connection to the target ended; its agent has put everything back."));
  g_idle_add_full (G_PRIORITY_DEFAULT, show_lost, lost, NULL);
}

static void
opened_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  GilkConnection *self = GILK_CONNECTION (object);
  GTask *task = G_TASK (result);
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkKernel) opened = g_task_propagate_pointer (task, &error);

  if (self->cancellable != g_task_get_cancellable (task))
    return;                              /* overtaken by another open or a close */

  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->what, g_free);
  if (opened == NULL)
    {
      self->state = GILK_CONNECTION_NONE;
      g_signal_emit (self, signals[CHANGED], 0);
      g_signal_emit (self, signals[FAILED], 0, error);
      return;
    }

  self->target = g_steal_pointer (&opened->target);
  self->image = g_steal_pointer (&opened->image);
  self->functions = g_steal_pointer (&opened->functions);
  self->descs = g_steal_pointer (&opened->descs);
  g_strfreev (self->names);
  self->names = g_steal_pointer (&opened->names);
  self->state = GILK_CONNECTION_READY;
  self->lost_func = gilk_target_add_lost_func (self->target, target_lost, self);
  g_signal_emit (self, signals[CHANGED], 0);
  if (opened->warning != NULL)
    g_signal_emit (self, signals[FAILED], 0, opened->warning);
}

void
gilk_connection_open (GilkConnection *self,
                      const char     *spec)
{
  g_autoptr(GTask) task = NULL;

  drop_everything (self);
  g_free (self->spec);
  self->spec = g_strdup (spec);
  self->state = GILK_CONNECTION_CONNECTING;
  self->what = g_strdup_printf (_("Connecting to %s"), spec);
  self->fraction = -1;
  self->cancellable = g_cancellable_new ();

  task = g_task_new (self, self->cancellable, opened_cb, NULL);
  g_task_set_task_data (task, g_strdup (spec), g_free);
  g_task_run_in_thread (task, open_thread);
  g_signal_emit (self, signals[CHANGED], 0);
}

void
gilk_connection_close (GilkConnection *self)
{
  drop_everything (self);
  g_clear_pointer (&self->spec, g_free);
  g_signal_emit (self, signals[CHANGED], 0);
}

void
gilk_connection_cancel (GilkConnection *self)
{
  if (self->cancellable == NULL)
    return;

  drop_everything (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* ---- plans ---- */

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
  GilkBoundPlan *bound = gilk_bound_plan_new (job->plan, job->functions, job->image,
                                              NULL, cancellable, &error);

  if (bound == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, bound, (GDestroyNotify) gilk_bound_plan_free);
}

void
gilk_connection_bind_async (GilkConnection      *self,
                            const GilkPlan      *plan,
                            GCancellable        *cancellable,
                            GAsyncReadyCallback  callback,
                            gpointer             user_data)
{
  g_autoptr(GTask) task = g_task_new (self, cancellable, callback, user_data);
  BindJob *job;

  if (self->functions == NULL)
    {
      g_task_return_new_error (task, GILK_ERROR, GILK_ERROR_TARGET,
                               _("No kernel is connected: choose a target first."));
      return;
    }

  job = g_new0 (BindJob, 1);
  job->plan = gilk_plan_copy (plan);
  job->functions = gilk_functions_ref (self->functions);
  job->image = gilk_image_ref (self->image);
  g_task_set_task_data (task, job, bind_job_free);
  g_task_run_in_thread (task, bind_thread);
}

GilkBoundPlan *
gilk_connection_bind_finish (GilkConnection  *self,
                             GAsyncResult    *result,
                             GError         **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* ---- instruments ---- */

static void
instruments_thread (GTask        *task,
                    gpointer      source,
                    gpointer      task_data,
                    GCancellable *cancellable)
{
  GError *error = NULL;
  GArray *descs = gilk_target_instruments (task_data, cancellable, &error);

  if (descs == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, descs, (GDestroyNotify) g_array_unref);
}

static void
instruments_cb (GObject      *object,
                GAsyncResult *result,
                gpointer      user_data)
{
  GilkConnection *self = GILK_CONNECTION (object);
  GArray *descs = g_task_propagate_pointer (G_TASK (result), NULL);

  if (descs == NULL)
    return;
  if (self->target != g_task_get_task_data (G_TASK (result)))
    {
      g_array_unref (descs);
      return;
    }
  g_clear_pointer (&self->descs, g_array_unref);
  self->descs = descs;
  g_signal_emit (self, signals[CHANGED], 0);
}

void
gilk_connection_refresh_instruments (GilkConnection *self)
{
  g_autoptr(GTask) task = NULL;

  if (self->target == NULL)
    return;
  task = g_task_new (self, NULL, instruments_cb, NULL);
  g_task_set_task_data (task, gilk_target_ref (self->target), (GDestroyNotify) gilk_target_unref);
  g_task_run_in_thread (task, instruments_thread);
}

/* ---- disarm ---- */

static void
disarm_thread (GTask        *task,
               gpointer      source,
               gpointer      task_data,
               GCancellable *cancellable)
{
  struct ilk_disarm disarm = { .what = ILK_DISARM_EVERYONE };
  GError *error = NULL;

  if (!gilk_target_disarm (task_data, &disarm, NULL, cancellable, &error))
    g_task_return_error (task, error);
  else
    g_task_return_int (task, disarm.restored);
}

void
gilk_connection_disarm_async (GilkConnection      *self,
                              GAsyncReadyCallback  callback,
                              gpointer             user_data)
{
  g_autoptr(GTask) task = g_task_new (self, NULL, callback, user_data);

  if (self->target == NULL)
    {
      g_task_return_new_error (task, GILK_ERROR, GILK_ERROR_TARGET,
                               _("No kernel is connected, so nothing of ours is armed."));
      return;
    }
  g_task_set_task_data (task, gilk_target_ref (self->target), (GDestroyNotify) gilk_target_unref);
  g_task_run_in_thread (task, disarm_thread);
}

gssize
gilk_connection_disarm_finish (GilkConnection  *self,
                               GAsyncResult    *result,
                               GError         **error)
{
  return g_task_propagate_int (G_TASK (result), error);
}

/* ---- getters ---- */

GilkConnectionState
gilk_connection_state (GilkConnection *self)
{
  return self->state;
}

const char *
gilk_connection_spec (GilkConnection *self)
{
  return self->spec;
}

const char *
gilk_connection_release (GilkConnection *self)
{
  return self->target != NULL ? gilk_target_release (self->target) : NULL;
}

const char *
gilk_connection_build_id (GilkConnection *self)
{
  return self->target != NULL ? gilk_target_build_id (self->target) : NULL;
}

const char *
gilk_connection_progress (GilkConnection *self,
                          double         *fraction)
{
  *fraction = self->fraction;
  return self->what;
}

GilkImage *
gilk_connection_image (GilkConnection *self)
{
  return self->image;
}

GilkFunctions *
gilk_connection_functions (GilkConnection *self)
{
  return self->functions;
}

gboolean
gilk_connection_has_driver (GilkConnection *self)
{
  return self->descs != NULL;
}

const char *const *
gilk_connection_instruments (GilkConnection *self)
{
  return (const char *const *) self->names;
}

const struct ilk_instrument_desc *
gilk_connection_instrument (GilkConnection *self,
                            const char     *name)
{
  for (guint i = 0; self->descs != NULL && i < self->descs->len; i++)
    {
      struct ilk_instrument_desc *desc = &g_array_index (self->descs, struct ilk_instrument_desc, i);

      if (g_strcmp0 (desc->name, name) == 0)
        return desc;
    }

  return NULL;
}

static void
gilk_connection_finalize (GObject *object)
{
  GilkConnection *self = GILK_CONNECTION (object);

  drop_everything (self);
  g_free (self->spec);
  G_OBJECT_CLASS (gilk_connection_parent_class)->finalize (object);
}

static void
gilk_connection_class_init (GilkConnectionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = gilk_connection_finalize;
  signals[CHANGED] = g_signal_new ("changed", GILK_TYPE_CONNECTION, G_SIGNAL_RUN_LAST,
                                   0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[FAILED] = g_signal_new ("failed", GILK_TYPE_CONNECTION, G_SIGNAL_RUN_LAST,
                                  0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
gilk_connection_init (GilkConnection *self)
{
  self->names = gilk_kernel_names (NULL, NULL, NULL);
}

GilkConnection *
gilk_connection_new (void)
{
  return g_object_new (GILK_TYPE_CONNECTION, NULL);
}
