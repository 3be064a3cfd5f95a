/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-keeper.c - the plan that is edited, kept in a file of ours, and plans that are opened
 *
 * Changes are numbered, and a worker that comes late writes nothing: the file never goes back to an older plan.
 */
#include "gui/gilk-plan-keeper.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "core/base/gilk-error.h"

#define SOON_MS      600
#define WINDOWS_MOST 64

/* Where it is kept, for the window's thread and the workers. */
typedef struct {
  gatomicrefcount ref_count;
  GMutex    lock;
  char     *path;
  guint     written;             /* the change that the file has */
} Place;

struct _GilkPlanKeeper {
  GObject         parent_instance;

  GilkPlanModel  *model;
  Place          *place;
  guint           slot;
  guint           change;        /* counted */
  guint           source;        /* a change waits to be written */
  gboolean        taken;         /* there is a plan, and what was kept comes too late */
};

G_DEFINE_TYPE (GilkPlanKeeper, gilk_plan_keeper, G_TYPE_OBJECT)

enum { OPENED, FAILED, N_SIGNALS };
static guint signals[N_SIGNALS];

static uint64_t slots;           /* bits of windows that are there */

static Place *
place_ref (Place *place)
{
  g_atomic_ref_count_inc (&place->ref_count);

  return place;
}

static void
place_unref (gpointer data)
{
  Place *place = data;

  if (!g_atomic_ref_count_dec (&place->ref_count))
    return;
  g_mutex_clear (&place->lock);
  g_free (place->path);
  g_free (place);
}

static Place *
place_new (guint slot)
{
  Place *place = g_new0 (Place, 1);
  g_autofree char *name = slot == 0 ? g_strdup ("kept.plan") : g_strdup_printf ("kept-%u.plan", slot + 1);

  g_atomic_ref_count_init (&place->ref_count);
  g_mutex_init (&place->lock);
  place->path = g_build_filename (g_get_user_state_dir (), "gilk", name, NULL);

  return place;
}

/* ---- writing ---- */

typedef struct {
  Place    *place;
  GilkPlan *plan;
  guint     change;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  place_unref (job->place);
  gilk_plan_unref (job->plan);
  g_free (job);
}

/* An empty plan is none. */
static gboolean
write_plan (const Job *job, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (job->place->path);
  g_autofree char *text = NULL;

  if (job->plan->hooks->len == 0)
    {
      g_unlink (job->place->path);
      return TRUE;
    }
  text = gilk_plan_to_text (job->plan);
  g_mkdir_with_parents (folder, 0700);

  return g_file_set_contents_full (job->place->path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
}

static void
write_thread (GTask        *task,
              gpointer      source,
              gpointer      task_data,
              GCancellable *cancellable)
{
  const Job *job = task_data;
  GError *error = NULL;

  g_mutex_lock (&job->place->lock);
  if (job->change > job->place->written && write_plan (job, &error))
    job->place->written = job->change;
  g_mutex_unlock (&job->place->lock);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

static void
written_cb (GObject      *object,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GError) told = NULL;

  if (g_task_propagate_boolean (G_TASK (result), &error))
    return;
  told = g_error_new (GILK_ERROR, GILK_ERROR_FAILED,
                      _("The plan cannot be kept for the next start: %s. Save it yourself, or make room."), error->message);
  g_signal_emit (object, signals[FAILED], 0, told);
}

static GTask *
task_to_write (GilkPlanKeeper      *self,
               GAsyncReadyCallback  callback)
{
  GTask *task = g_task_new (callback != NULL ? self : NULL, NULL, callback, NULL);
  Job *job = g_new0 (Job, 1);

  job->place = place_ref (self->place);
  job->plan = gilk_plan_share (gilk_plan_model_plan (self->model));
  job->change = self->change;
  g_task_set_task_data (task, job, job_free);

  return task;
}

static gboolean
write_now (gpointer user_data)
{
  GilkPlanKeeper *self = user_data;
  g_autoptr(GTask) task = task_to_write (self, written_cb);

  self->source = 0;
  g_task_run_in_thread (task, write_thread);

  return G_SOURCE_REMOVE;
}

static void
plan_changed (GilkPlanKeeper *self)
{
  self->taken = TRUE;
  self->change++;
  if (self->source == 0)
    self->source = g_timeout_add (SOON_MS, write_now, self);
}

void
gilk_plan_keeper_flush (GilkPlanKeeper *self)
{
  g_autoptr(GTask) task = NULL;

  if (self->source == 0)
    return;
  g_clear_handle_id (&self->source, g_source_remove);
  task = task_to_write (self, NULL);
  g_task_run_in_thread_sync (task, write_thread);
}

/* ---- reading ---- */

static void
read_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  GError *error = NULL;
  GilkPlan *plan = gilk_plan_load (task_data, &error);

  if (plan != NULL)
    g_task_return_pointer (task, plan, (GDestroyNotify) gilk_plan_unref);
  else
    g_task_return_error (task, error);
}

static void
read_async (GilkPlanKeeper      *self,
            const char          *path,
            GAsyncReadyCallback  callback)
{
  g_autoptr(GTask) task = g_task_new (self, NULL, callback, NULL);

  g_task_set_task_data (task, g_strdup (path), g_free);
  g_task_run_in_thread (task, read_thread);
}

/* What cannot be read any more is put aside, so that it is not written over. */
static void
restored_cb (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  GilkPlanKeeper *self = GILK_PLAN_KEEPER (object);
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkPlan) plan = g_task_propagate_pointer (G_TASK (result), &error);
  g_autofree char *aside = g_strconcat (self->place->path, ".bad", NULL);

  if (plan != NULL && !self->taken)
    gilk_plan_model_begin (self->model, g_steal_pointer (&plan));
  if (error == NULL || g_error_matches (error, GILK_ERROR, GILK_ERROR_NOT_FOUND))
    return;
  g_rename (self->place->path, aside);
  g_signal_emit (self, signals[FAILED], 0, error);
}

static void
opened_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  GilkPlanKeeper *self = GILK_PLAN_KEEPER (object);
  g_autoptr(GError) error = NULL;
  GilkPlan *plan = g_task_propagate_pointer (G_TASK (result), &error);

  if (plan == NULL)
    {
      g_signal_emit (self, signals[FAILED], 0, error);
      return;
    }
  gilk_plan_model_take_plan (self->model, plan);
  g_signal_emit (self, signals[OPENED], 0);
}

void
gilk_plan_keeper_restore (GilkPlanKeeper *self)
{
  read_async (self, self->place->path, restored_cb);
}

void
gilk_plan_keeper_open (GilkPlanKeeper *self,
                       const char     *path)
{
  self->taken = TRUE;
  read_async (self, path, opened_cb);
}

/* ---- the keeper ---- */

static void
gilk_plan_keeper_finalize (GObject *object)
{
  GilkPlanKeeper *self = GILK_PLAN_KEEPER (object);

  slots &= ~(G_GUINT64_CONSTANT (1) << self->slot);
  place_unref (self->place);
  g_object_unref (self->model);
  G_OBJECT_CLASS (gilk_plan_keeper_parent_class)->finalize (object);
}

static void
gilk_plan_keeper_class_init (GilkPlanKeeperClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gilk_plan_keeper_finalize;
  signals[OPENED] = g_signal_new ("opened", GILK_TYPE_PLAN_KEEPER, G_SIGNAL_RUN_LAST,
                                  0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[FAILED] = g_signal_new ("failed", GILK_TYPE_PLAN_KEEPER, G_SIGNAL_RUN_LAST,
                                  0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
gilk_plan_keeper_init (GilkPlanKeeper *self)
{
  while (self->slot < WINDOWS_MOST - 1 && (slots & (G_GUINT64_CONSTANT (1) << self->slot)) != 0)
    self->slot++;
  slots |= G_GUINT64_CONSTANT (1) << self->slot;
  self->place = place_new (self->slot);
}

GilkPlanKeeper *
gilk_plan_keeper_new (GilkPlanModel *model)
{
  GilkPlanKeeper *self = g_object_new (GILK_TYPE_PLAN_KEEPER, NULL);

  self->model = g_object_ref (model);
  g_signal_connect_object (model, "changed", G_CALLBACK (plan_changed), self, G_CONNECT_SWAPPED);

  return self;
}
