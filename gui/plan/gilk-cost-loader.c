/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cost-loader.c - loads the costs of hooks that earlier runs measured on the connected target
 */
#include "gui/plan/gilk-plan-binder.h"

#include <glib/gstdio.h>

#include "core/store/gilk-store.h"
#include "gui/base/gilk-object.h"
#include "gui/base/gilk-settings.h"

#define SESSIONS_MAX 12         /* maximum number of sessions to search, newest first */

struct _GilkCostLoader {
  GObject         parent_instance;

  GilkPlanModel  *model;
  GilkConnection *connection;
  GilkRecorder   *recorder;
  GSettings      *settings;
  /* Build id of the kernel whose costs were last requested. */
  char           *wanted_build_id;
  GCancellable   *reading;
};

G_DEFINE_TYPE (GilkCostLoader, gilk_cost_loader, G_TYPE_OBJECT)

/* ---- reading costs from sessions ---- */

typedef struct {
  char *path;                    /* path of the session; NULL: search @folder */
  char *folder;
  char *build_id, *hostname;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_free (job->path);
  g_free (job->folder);
  g_free (job->build_id);
  g_free (job->hostname);
  g_free (job);
}

/* Returns the costs; NULL: the session has none, or was recorded on another kernel or machine. */
static GilkCostHistory *
read_session (const Job *job, const char *path, GCancellable *cancellable)
{
  g_autoptr(GilkStore) store = gilk_store_open_read (path, cancellable, NULL);
  g_autoptr(GilkCostHistory) measured = store != NULL ? gilk_cost_history_read (store, NULL) : NULL;

  if (measured == NULL || gilk_cost_history_n_costs (measured) == 0 ||
      g_strcmp0 (gilk_cost_history_build_id (measured), job->build_id) != 0 ||
      g_strcmp0 (gilk_cost_history_hostname (measured), job->hostname) != 0)
    return NULL;

  return g_steal_pointer (&measured);
}

typedef struct {
  const char *path;
  gint64      changed;
} Session;

static int
compare_sessions (gconstpointer a, gconstpointer b)
{
  const Session *one = a, *other = b;

  return one->changed > other->changed ? -1 : one->changed < other->changed;
}

static GilkCostHistory *
read_folder (const Job *job, GCancellable *cancellable)
{
  g_autoptr(GPtrArray) paths = gilk_store_list_folder (job->folder, NULL);
  g_autoptr(GArray) sessions = g_array_new (FALSE, FALSE, sizeof (Session));
  GilkCostHistory *measured = NULL;

  for (guint i = 0; paths != NULL && i < paths->len; i++)
    {
      GStatBuf file;
      Session session = { g_ptr_array_index (paths, i), 0 };

      if (g_stat (session.path, &file) != 0)
        continue;
      session.changed = file.st_mtime;
      g_array_append_val (sessions, session);
    }
  g_array_sort (sessions, compare_sessions);
  for (guint i = 0; i < MIN (sessions->len, SESSIONS_MAX) && measured == NULL; i++)
    measured = read_session (job, g_array_index (sessions, Session, i).path, cancellable);

  return measured;
}

static void
read_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  const Job *job = task_data;
  GilkCostHistory *measured = job->path != NULL ? read_session (job, job->path, cancellable) : NULL;

  if (job->path == NULL && job->folder != NULL)
    measured = read_folder (job, cancellable);
  g_task_return_pointer (task, measured, (GDestroyNotify) gilk_cost_history_unref);
}

static void
read_cb (GObject      *object,
         GAsyncResult *result,
         gpointer      user_data)
{
  GilkCostLoader *self = GILK_COST_LOADER (object);
  g_autoptr(GilkCostHistory) measured = g_task_propagate_pointer (G_TASK (result), NULL);

  if (g_task_get_cancellable (G_TASK (result)) != self->reading)
    return;
  g_clear_object (&self->reading);
  if (measured != NULL)
    gilk_plan_model_set_measured (self->model, measured);
}

/* Starts reading the measured costs from the session at @path; NULL: from the newest suitable
 * session in the user's folder. */
static void
read_async (GilkCostLoader *self, const char *path)
{
  GilkTarget *target = gilk_connection_target (self->connection);
  g_autoptr(GTask) task = NULL;
  Job *job;

  if (target == NULL)
    return;
  gilk_cancel (&self->reading);
  self->reading = g_cancellable_new ();
  job = g_new0 (Job, 1);
  job->path = g_strdup (path);
  job->folder = path == NULL ? gilk_settings_session_folder (self->settings, NULL) : NULL;
  job->build_id = g_strdup (gilk_target_build_id (target));
  job->hostname = g_strdup (gilk_target_hostname (target));
  task = g_task_new (self, self->reading, read_cb, NULL);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, read_thread);
}

/* ---- when costs are read again ---- */

/* Discards the costs when another kernel is connected, because they apply only to the kernel
   on which they were measured. */
static void
connection_changed (GilkCostLoader *self)
{
  const char *build_id = gilk_connection_build_id (self->connection);

  if (gilk_connection_target (self->connection) == NULL || g_strcmp0 (build_id, self->wanted_build_id) == 0)
    return;
  g_free (self->wanted_build_id);
  self->wanted_build_id = g_strdup (build_id);
  gilk_plan_model_set_measured (self->model, NULL);
  read_async (self, NULL);
}

static void
run_ended (GilkCostLoader *self)
{
  if (gilk_recorder_path (self->recorder) != NULL)
    read_async (self, gilk_recorder_path (self->recorder));
}

static void
gilk_cost_loader_dispose (GObject *object)
{
  GilkCostLoader *self = GILK_COST_LOADER (object);

  gilk_cancel (&self->reading);
  g_clear_object (&self->model);
  g_clear_object (&self->connection);
  g_clear_object (&self->recorder);
  g_clear_object (&self->settings);
  g_clear_pointer (&self->wanted_build_id, g_free);
  G_OBJECT_CLASS (gilk_cost_loader_parent_class)->dispose (object);
}

static void
gilk_cost_loader_class_init (GilkCostLoaderClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gilk_cost_loader_dispose;
}

static void
gilk_cost_loader_init (GilkCostLoader *self)
{
}

GilkCostLoader *
gilk_cost_loader_new (GilkPlanModel  *model,
                      GilkConnection *connection,
                      GilkRecorder   *recorder,
                      GSettings      *settings)
{
  GilkCostLoader *self = g_object_new (GILK_TYPE_COST_LOADER, NULL);

  self->model = g_object_ref (model);
  self->connection = g_object_ref (connection);
  self->recorder = g_object_ref (recorder);
  self->settings = g_object_ref (settings);
  g_signal_connect_object (connection, "changed", G_CALLBACK (connection_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (recorder, "ended", G_CALLBACK (run_ended), self, G_CONNECT_SWAPPED);
  connection_changed (self);

  return self;
}
