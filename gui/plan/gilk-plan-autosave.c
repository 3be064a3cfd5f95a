/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-autosave.c - autosave of the edited plan, and opening and saving of plan files
 *
 * Changes are numbered. A worker thread writes nothing if a later change was written already, so
 * that an older plan never replaces a newer one in the file. A second file holds the undo history.
 * The worker also finds out whether the plan differs from its named file, the file that the user
 * opened or saved: it compares the text of the plan with the text last read from or written to that
 * file.
 */
#include "gui/plan/gilk-plan-model.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "core/base/gilk-error.h"
#include "core/plan/gilk-plan-history.h"
#include "gui/base/gilk-object.h"

#define WRITE_DELAY_MS      600
#define WINDOWS_MAX 64

/* The files into which the plan is autosaved. Shared by the main thread and the worker threads. */
typedef struct {
  gatomicrefcount ref_count;
  GMutex    lock;
  char     *path, *history;
  guint     written;             /* number of the change last written */
  char     *saved;               /* plan text in the named file; NULL: no such file */
} Location;

struct _GilkPlanAutosave {
  GObject         parent_instance;

  GilkPlanModel  *model;
  Location          *location;
  guint           slot;
  guint           change;        /* number of changes so far */
  guint           source;        /* id of the timeout for a pending write; 0: none */
  gboolean        has_plan;      /* the window has a plan already, so do not restore the autosaved
                                  * one */
  char           *file;          /* path of the named file; NULL: none */
  gboolean        differs;       /* the plan differs from @file */
};

G_DEFINE_TYPE (GilkPlanAutosave, gilk_plan_autosave, G_TYPE_OBJECT)

static uint64_t slots;           /* bit mask of the autosave files in use; each window of the
                                  * process uses one */

static Location *
location_ref (Location *location)
{
  g_atomic_ref_count_inc (&location->ref_count);

  return location;
}

static void
location_unref (gpointer data)
{
  Location *location = data;

  if (!g_atomic_ref_count_dec (&location->ref_count))
    return;
  g_mutex_clear (&location->lock);
  g_free (location->path);
  g_free (location->history);
  g_free (location->saved);
  g_free (location);
}

static Location *
location_new (guint slot)
{
  Location *location = g_new0 (Location, 1);
  g_autofree char *name = slot == 0 ? g_strdup ("kept.plan") : g_strdup_printf ("kept-%u.plan", slot + 1);

  g_atomic_ref_count_init (&location->ref_count);
  g_mutex_init (&location->lock);
  location->path = g_build_filename (g_get_user_state_dir (), "gilk", name, NULL);
  location->history = g_strconcat (location->path, "-history", NULL);

  return location;
}

/* Sets the path of the plan's named file, and whether the plan differs from that file. */
static void
set_file (GilkPlanAutosave *self, const char *file, gboolean differs)
{
  if (g_strcmp0 (self->file, file) == 0 && self->differs == differs)
    return;
  if (self->file != file)
    {
      g_free (self->file);
      self->file = g_strdup (file);
    }
  self->differs = differs;
  g_signal_emit_by_name (self, "changed");
}

/* Stores the text that the plan has in its named file, for comparison with the edited plan. @text:
 * (transfer full) (nullable): NULL if the file does not exist */
static void
set_saved_text (Location *location, char *text)
{
  g_mutex_lock (&location->lock);
  g_free (location->saved);
  location->saved = text;
  g_mutex_unlock (&location->lock);
}

/* ---- writing the autosave file ---- */

typedef struct {
  Location    *location;
  GilkPlan *plan;
  GilkPlanHistory *history;
  guint     change;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  location_unref (job->location);
  gilk_plan_unref (job->plan);
  gilk_plan_history_free (job->history);
  g_free (job);
}

/* Writes the plan and its undo history, or deletes both files if plan and history are empty. If
 * only one file gets written, no harm is done: a history that does not match the plan is discarded
 * when it is read. */
static gboolean
write_plan (const Job *job, const char *text, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (job->location->path);
  g_autoptr(GBytes) history = NULL;
  gsize size;
  const char *data;

  if (job->plan->hooks->len == 0 && job->history->undo->len + job->history->redo->len == 0)
    {
      g_unlink (job->location->path);
      g_unlink (job->location->history);
      return TRUE;
    }
  g_mkdir_with_parents (folder, 0700);
  history = gilk_plan_history_pack (job->history, text);
  data = g_bytes_get_data (history, &size);

  return g_file_set_contents_full (job->location->path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, error) &&
         g_file_set_contents_full (job->location->history, data, (gssize) size, G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
}

static void
write_thread (GTask        *task,
              gpointer      source,
              gpointer      task_data,
              GCancellable *cancellable)
{
  const Job *job = task_data;
  g_autofree char *text = gilk_plan_to_text (job->plan);
  gboolean differs;
  GError *error = NULL;

  g_mutex_lock (&job->location->lock);
  if (job->change > job->location->written && write_plan (job, text, &error))
    job->location->written = job->change;
  differs = job->location->saved != NULL ? !g_str_equal (job->location->saved, text) : job->plan->hooks->len > 0;
  g_mutex_unlock (&job->location->lock);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_int (task, differs);
}

static void
written_cb (GObject      *object,
            GAsyncResult *result,
            gpointer      user_data)
{
  GilkPlanAutosave *self = GILK_PLAN_AUTOSAVE (object);
  const Job *job = g_task_get_task_data (G_TASK (result));
  g_autoptr(GError) error = NULL;
  g_autoptr(GError) told = NULL;
  gssize differs = g_task_propagate_int (G_TASK (result), &error);

  g_application_release (g_application_get_default ());
  if (error == NULL)
    {
      if (job->change == self->change)
        set_file (self, self->file, differs != 0);
      return;
    }
  told = g_error_new (GILK_ERROR, GILK_ERROR_FAILED,
                      _("Cannot save the plan automatically: %s. The next start of the workbench will not have it. Save it to a file, or free disk space."), error->message);
  if (g_signal_has_handler_pending (object, g_signal_lookup ("failed", GILK_TYPE_PLAN_AUTOSAVE), 0, FALSE))
    g_signal_emit_by_name (object, "failed", told);
  else
    /* The window is closed, so report the error on stderr. */
    g_printerr ("gilk-workbench: %s\n", told->message);
}

static void
start_write (GilkPlanAutosave *self)
{
  g_autoptr(GTask) task = g_task_new (self, NULL, written_cb, NULL);
  Job *job = g_new0 (Job, 1);

  job->location = location_ref (self->location);
  job->plan = gilk_plan_share (gilk_plan_model_plan (self->model));
  job->history = gilk_plan_history_new ();
  job->history->file = g_strdup (self->file);
  gilk_plan_model_save_history (self->model, job->history);
  job->change = self->change;
  g_task_set_task_data (task, job, job_free);
  g_application_hold (g_application_get_default ());
  g_task_run_in_thread (task, write_thread);
}

static gboolean
write_timeout (gpointer user_data)
{
  GilkPlanAutosave *self = user_data;

  self->source = 0;
  start_write (self);

  return G_SOURCE_REMOVE;
}

/* Schedules a write of the changed plan. */
static void
schedule_write (GilkPlanAutosave *self)
{
  self->change++;
  if (self->source == 0)
    self->source = g_timeout_add (WRITE_DELAY_MS, write_timeout, self);
}

static void
plan_changed (GilkPlanAutosave *self)
{
  self->has_plan = TRUE;
  set_file (self, self->file, self->file != NULL || gilk_plan_model_n_hooks (self->model) > 0);
  schedule_write (self);
}

void
gilk_plan_autosave_flush (GilkPlanAutosave *self)
{
  if (self->source == 0)
    return;
  g_clear_handle_id (&self->source, g_source_remove);
  start_write (self);
}

/* ---- restoring the plan at the start ---- */

typedef struct {
  GilkPlan        *plan;
  GilkPlanHistory *history;      /* undo history; NULL: missing or unusable */
  char            *saved;        /* plan text in the named file; NULL: none */
  gboolean         differs;
} Restored;

static void
restored_free (gpointer data)
{
  Restored *kept = data;

  g_clear_pointer (&kept->plan, gilk_plan_unref);
  g_clear_pointer (&kept->history, gilk_plan_history_free);
  g_free (kept->saved);
  g_free (kept);
}

/* Reads the undo history of the plan @text. If it is damaged, logs a message and returns NULL,
 * because the plan can be used without it. */
static GilkPlanHistory *
read_history (const Location *location, const char *text)
{
  g_autoptr(GBytes) bytes = NULL;
  g_autoptr(GError) error = NULL;
  GilkPlanHistory *history;
  char *data;
  gsize length;

  if (!g_file_get_contents (location->history, &data, &length, NULL))
    return NULL;
  bytes = g_bytes_new_take (data, length);
  history = gilk_plan_history_read (bytes, text, &error);
  if (history == NULL)
    g_message ("%s: %s", location->history, error->message);

  return history;
}

/* Reads the named file of the restored plan, to find out whether the plan differs from it. If the
 * file was deleted or is not a plan, the restored plan keeps the file's name and counts as
 * changed. */
static void
read_saved (Restored *kept, const char *text)
{
  g_autoptr(GilkPlan) plan = kept->history != NULL && kept->history->file != NULL
                             ? gilk_plan_load (kept->history->file, NULL) : NULL;

  kept->saved = plan != NULL ? gilk_plan_to_text (plan) : NULL;
  kept->differs = kept->saved != NULL ? !g_str_equal (kept->saved, text) : kept->plan->hooks->len > 0;
}

static void
restore_thread (GTask        *task,
                gpointer      source,
                gpointer      task_data,
                GCancellable *cancellable)
{
  const Location *location = task_data;
  Restored *kept = g_new0 (Restored, 1);
  g_autofree char *text = NULL;
  GError *error = NULL;

  kept->plan = gilk_plan_load (location->path, &error);
  if (kept->plan == NULL)
    {
      restored_free (kept);
      g_task_return_error (task, error);
      return;
    }
  text = gilk_plan_to_text (kept->plan);
  kept->history = read_history (location, text);
  read_saved (kept, text);
  g_task_return_pointer (task, kept, restored_free);
}

/* Takes over the restored plan. If its file cannot be read, renames the file, so that it is not
 * overwritten. */
static void
restored_cb (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  GilkPlanAutosave *self = GILK_PLAN_AUTOSAVE (object);
  g_autoptr(GError) error = NULL;
  Restored *kept = g_task_propagate_pointer (G_TASK (result), &error);
  g_autofree char *aside = g_strconcat (self->location->path, ".bad", NULL);

  if (kept != NULL && !self->has_plan)
    {
      const char *file = kept->history != NULL ? kept->history->file : NULL;

      set_saved_text (self->location, g_steal_pointer (&kept->saved));
      gilk_plan_model_set_initial_plan (self->model, g_steal_pointer (&kept->plan));
      if (kept->history != NULL)
        gilk_plan_model_restore_history (self->model, kept->history);
      set_file (self, file, kept->differs);
    }
  g_clear_pointer (&kept, restored_free);
  if (error == NULL || g_error_matches (error, GILK_ERROR, GILK_ERROR_NOT_FOUND))
    return;
  g_rename (self->location->path, aside);
  g_signal_emit_by_name (self, "failed", error);
}

void
gilk_plan_autosave_restore (GilkPlanAutosave *self)
{
  g_autoptr(GTask) task = g_task_new (self, NULL, restored_cb, NULL);

  g_task_set_task_data (task, location_ref (self->location), location_unref);
  g_task_run_in_thread (task, restore_thread);
}

/* ---- opening and saving named files ---- */

typedef struct {
  char     *path;
  char     *template_path;       /* existing plan file whose comments are copied to the saved file;
                                  * NULL: none */
  GilkPlan *plan;                /* the plan to save, or the plan read */
  char     *text;                /* text of @plan, as in the file */
} FileJob;

static void
file_job_free (gpointer data)
{
  FileJob *job = data;

  g_free (job->path);
  g_free (job->template_path);
  g_clear_pointer (&job->plan, gilk_plan_unref);
  g_free (job->text);
  g_free (job);
}

static void
open_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  FileJob *job = task_data;
  GError *error = NULL;

  job->plan = gilk_plan_load (job->path, &error);
  if (job->plan == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  job->text = gilk_plan_to_text (job->plan);
  g_task_return_boolean (task, TRUE);
}

static void
save_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  FileJob *job = task_data;
  GError *error = NULL;

  job->text = gilk_plan_to_text (job->plan);
  if (gilk_plan_save_like (job->plan, job->path, job->template_path, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* Makes the file at @job's path the named file of the plan. */
static void
set_named_file (GilkPlanAutosave *self, FileJob *job)
{
  set_saved_text (self->location, g_steal_pointer (&job->text));
  set_file (self, job->path, FALSE);
}

static void
opened_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  GilkPlanAutosave *self = GILK_PLAN_AUTOSAVE (object);
  FileJob *job = g_task_get_task_data (G_TASK (result));
  g_autoptr(GError) error = NULL;

  g_application_release (g_application_get_default ());
  if (!g_task_propagate_boolean (G_TASK (result), &error))
    {
      g_signal_emit_by_name (self, "failed", error);
      return;
    }
  gilk_plan_model_replace_plan (self->model, g_steal_pointer (&job->plan));
  set_named_file (self, job);
  g_signal_emit_by_name (self, "opened");
}

/* Handles the end of a save. Schedules an autosave, because the plan may have been edited during
 * the save; the autosave also updates whether the plan differs from the saved file. */
static void
saved_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  GilkPlanAutosave *self = GILK_PLAN_AUTOSAVE (object);
  FileJob *job = g_task_get_task_data (G_TASK (result));
  g_autoptr(GError) error = NULL;

  g_application_release (g_application_get_default ());
  if (!g_task_propagate_boolean (G_TASK (result), &error))
    {
      g_signal_emit_by_name (self, "failed", error);
      return;
    }
  set_named_file (self, job);
  schedule_write (self);
  g_signal_emit_by_name (self, "saved", job->path);
}

static void
start_file_job (GilkPlanAutosave *self, const char *path, GilkPlan *plan, GTaskThreadFunc func, GAsyncReadyCallback callback)
{
  g_autoptr(GTask) task = g_task_new (self, NULL, callback, NULL);
  FileJob *job = g_new0 (FileJob, 1);

  job->path = g_strdup (path);
  job->template_path = g_strdup (self->file);
  job->plan = plan;
  g_task_set_task_data (task, job, file_job_free);
  g_application_hold (g_application_get_default ());
  g_task_run_in_thread (task, func);
}

void
gilk_plan_autosave_open (GilkPlanAutosave *self,
                         const char       *path)
{
  self->has_plan = TRUE;
  start_file_job (self, path, NULL, open_thread, opened_cb);
}

void
gilk_plan_autosave_save (GilkPlanAutosave *self,
                         const char       *path)
{
  start_file_job (self, path, gilk_plan_share (gilk_plan_model_plan (self->model)), save_thread, saved_cb);
}

void
gilk_plan_autosave_detach_file (GilkPlanAutosave *self)
{
  set_saved_text (self->location, NULL);
  set_file (self, NULL, gilk_plan_model_n_hooks (self->model) > 0);
}

const char *
gilk_plan_autosave_file (GilkPlanAutosave *self)
{
  return self->file;
}

gboolean
gilk_plan_autosave_is_modified (GilkPlanAutosave *self)
{
  return self->differs;
}

/* ---- GObject life cycle ---- */

static void
gilk_plan_autosave_finalize (GObject *object)
{
  GilkPlanAutosave *self = GILK_PLAN_AUTOSAVE (object);

  slots &= ~(G_GUINT64_CONSTANT (1) << self->slot);
  location_unref (self->location);
  g_free (self->file);
  g_object_unref (self->model);
  G_OBJECT_CLASS (gilk_plan_autosave_parent_class)->finalize (object);
}

static void
gilk_plan_autosave_class_init (GilkPlanAutosaveClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gilk_plan_autosave_finalize;
  gilk_add_signal (klass, "opened", 0);
  gilk_add_signal (klass, "saved", 1, G_TYPE_STRING);
  gilk_add_signal (klass, "changed", 0);
  gilk_add_signal (klass, "failed", 1, G_TYPE_ERROR);
}

static void
gilk_plan_autosave_init (GilkPlanAutosave *self)
{
  while (self->slot < WINDOWS_MAX - 1 && (slots & (G_GUINT64_CONSTANT (1) << self->slot)) != 0)
    self->slot++;
  slots |= G_GUINT64_CONSTANT (1) << self->slot;
  self->location = location_new (self->slot);
}

GilkPlanAutosave *
gilk_plan_autosave_new (GilkPlanModel *model)
{
  GilkPlanAutosave *self = g_object_new (GILK_TYPE_PLAN_AUTOSAVE, NULL);

  self->model = g_object_ref (model);
  g_signal_connect_object (model, "changed", G_CALLBACK (plan_changed), self, G_CONNECT_SWAPPED);

  return self;
}
