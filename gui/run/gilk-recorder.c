/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-recorder.c - one recording, from the Run button to the closed session file
 *
 *   IDLE -start-> PREPARING -ok-> RUNNING -stop, time, error-> STOPPING -> IDLE
 *                    \-failed, stopped-> IDLE
 *
 * While RUNNING, another plan may be applied, one change at a time ("changing"). Until the change
 * is done, only the thread that applies the change may use the plan of the run.
 *
 * Worker threads bind plans and close session files, because both may take long: binding reads
 * kernel text, and closing may checkpoint the database. The run has a thread of its own and reports
 * to the main thread.
 */
#include "gui/run/gilk-recorder.h"

#include <glib/gi18n.h>

#include "core/bind/gilk-plan-way.h"
#include "core/base/gilk-error.h"
#include "gui/base/gilk-object.h"
#include "gui/base/gilk-text.h"

struct _GilkRecorder {
  GObject            parent_instance;

  GilkRecorderState  state;
  GCancellable      *cancellable;    /* cancels the preparation */
  gboolean           changing;
  GilkRun           *run;
  GilkStore         *store;
  char              *path;
  GilkRunFigures     figures;
  gboolean           has_figures;
  gpointer           awaiting_consent;       /* Job that waits for consent; NULL: none */
};

G_DEFINE_TYPE (GilkRecorder, gilk_recorder, G_TYPE_OBJECT)

typedef struct {
  GilkPlan      *plan;
  GilkFunctions *functions;
  GilkImage     *image;
  char          *path;
  uint64_t       duration_ns;
  GilkRun       *run;            /* the run to which the change applies */
  /* out: */
  char          *why_bpf;        /* why the plan is run with BPF although the driver was selected;
                                  * NULL: it is not */
  GilkBoundPlan *bound;
  GilkStore     *store;
  guint          added, removed;
  GPtrArray   *items;           /* element-type GilkConsentItem: kernel changes of the plan to which
                                 * the user must consent; NULL: not known yet */
  GilkConsent  granted;
  gboolean     is_waiting;           /* the job changes the plan of the running recording, and waits
                                      * for the user's consent */
} Job;

static void
job_clear (gpointer data)
{
  Job *job = data;

  g_clear_pointer (&job->bound, gilk_bound_plan_free);
  g_clear_pointer (&job->store, gilk_store_free);
  g_clear_object (&job->run);
  gilk_plan_unref (job->plan);
  gilk_functions_unref (job->functions);
  gilk_image_unref (job->image);
  g_clear_pointer (&job->items, g_ptr_array_unref);
  g_free (job->path);
  g_free (job->why_bpf);
}

/* Drops a reference to a job. A task holds a reference while it runs the job, and the recorder
 * holds one while the job waits for consent. */
static void
job_release (gpointer job)
{
  g_atomic_rc_box_release_full (job, job_clear);
}

static Job *
job_new (GilkConnection *connection,
         const GilkPlan *plan)
{
  Job *job = g_atomic_rc_box_new0 (Job);

  job->plan = gilk_plan_share (plan);
  job->functions = gilk_functions_ref (gilk_connection_functions (connection));
  job->image = gilk_image_ref (gilk_connection_image (connection));

  return job;
}

static void
set_state (GilkRecorder     *self,
           GilkRecorderState state)
{
  self->state = state;
  g_signal_emit_by_name (self, "changed");
}

/* ---- end: STOPPING -> IDLE ---- */

static void
close_thread (GTask        *task,
              gpointer      source,
              gpointer      task_data,
              GCancellable *cancellable)
{
  GError *error = NULL;

  if (gilk_store_close (task_data, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
closed_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  GilkRecorder *self = GILK_RECORDER (object);
  g_autoptr(GError) error = NULL;

  self->state = GILK_RECORDER_IDLE;
  if (!g_task_propagate_boolean (G_TASK (result), &error))
    g_signal_emit_by_name (self, "failed", error);
  g_signal_emit_by_name (self, "changed");
  g_signal_emit_by_name (self, "ended");
}

static void
update_figures (GilkRecorder *self)
{
  if (self->has_figures)
    gilk_run_figures_clear (&self->figures);
  gilk_run_figures (self->run, &self->figures);
  self->has_figures = TRUE;
}

static void
run_changed (GilkRun      *run,
             GilkRecorder *self)
{
  if (self->run != run)
    return;

  update_figures (self);
  if (self->figures.state == GILK_RUN_STOPPING)
    self->state = GILK_RECORDER_STOPPING;
  g_signal_emit_by_name (self, "changed");
}

static void
run_ended (GilkRun      *run,
           GilkRecorder *self)
{
  const GError *error = gilk_run_error (run);
  g_autoptr(GTask) task = NULL;

  update_figures (self);
  set_state (self, GILK_RECORDER_STOPPING);
  if (error != NULL)
    g_signal_emit_by_name (self, "failed", error);

  task = g_task_new (self, NULL, closed_cb, NULL);
  g_task_set_task_data (task, g_steal_pointer (&self->store), NULL);
  g_task_run_in_thread (task, close_thread);
}

static void
run_notice (GilkRun *run, const char *text, GilkRecorder *self)
{
  g_signal_emit_by_name (self, "notice", text);
}

static void change_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable);
static void changed_cb (GObject *object, GAsyncResult *result, gpointer user_data);

/* ---- start: IDLE -> PREPARING -> RUNNING ---- */

/* Returns whether the plan makes kernel changes to which the user has not consented yet. Must be
 * called before the session file is created. */
static gboolean
needs_consent (Job *job)
{
  if (job->items == NULL)
    job->items = gilk_consent_items (job->bound);

  return (gilk_consent_needed (job->items) & ~(guint) job->granted) != 0;
}

/* Asks the user to consent to the plan's kernel changes. Takes another reference to @job, held
 * until the answer arrives. */
static void
request_consent (GilkRecorder *self,
                 Job          *job)
{
  self->awaiting_consent = g_atomic_rc_box_acquire (job);
  g_signal_emit_by_name (self, "consent", job->items);
}

static void
prepare_thread (GTask        *task,
                gpointer      source,
                gpointer      task_data,
                GCancellable *cancellable)
{
  Job *job = task_data;
  g_autoptr(GilkPlan) plan = gilk_plan_copy (job->plan);
  GError *error = NULL;

  if (job->bound == NULL && gilk_plan_needs_bpf (plan) &&
      !gilk_plan_choose_way (plan, gilk_image_target (job->image), &job->why_bpf, cancellable, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  if (job->bound == NULL)
    job->bound = gilk_bound_plan_new (plan, job->functions, job->image, NULL, cancellable, &error);
  if (job->bound != NULL && gilk_bound_plan_check (job->bound, &error) && !needs_consent (job))
    job->store = gilk_store_open (job->path, &error);

  if (error == NULL)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
prepared_cb (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  GilkRecorder *self = GILK_RECORDER (object);
  Job *job = g_task_get_task_data (G_TASK (result));
  g_autoptr(GError) error = NULL;
  gboolean ready = g_task_propagate_boolean (G_TASK (result), &error);

  g_clear_object (&self->cancellable);
  if (job->why_bpf != NULL)
    {
      g_signal_emit_by_name (self, "way-chosen", job->why_bpf);
      g_clear_pointer (&job->why_bpf, g_free);
    }
  if (!ready)
    {
      self->state = GILK_RECORDER_IDLE;
      if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) &&
          !g_error_matches (error, GILK_ERROR, GILK_ERROR_CANCELLED))
        g_signal_emit_by_name (self, "failed", error);
      g_signal_emit_by_name (self, "changed");
      return;
    }

  if (job->store == NULL)
    {
      request_consent (self, job);
      return;
    }
  self->store = g_steal_pointer (&job->store);
  g_free (self->path);
  self->path = g_strdup (job->path);
  g_clear_object (&self->run);
  self->run = gilk_run_new (g_steal_pointer (&job->bound), job->image, self->store, job->duration_ns,
                            job->granted);
  gilk_run_set_tracked_max (self->run, GILK_RECORDER_SKETCHED_FIELDS);
  g_signal_connect (self->run, "changed", G_CALLBACK (run_changed), self);
  g_signal_connect (self->run, "ended", G_CALLBACK (run_ended), self);
  g_signal_connect (self->run, "notice", G_CALLBACK (run_notice), self);
  set_state (self, GILK_RECORDER_RUNNING);
  gilk_run_start (self->run);
}

void
gilk_recorder_start (GilkRecorder   *self,
                     GilkConnection *connection,
                     const GilkPlan *plan,
                     const char     *path,
                     uint64_t        duration_ns)
{
  g_autoptr(GTask) task = NULL;
  Job *job;

  if (self->state != GILK_RECORDER_IDLE || self->changing ||
      gilk_connection_target (connection) == NULL)
    return;

  job = job_new (connection, plan);
  job->path = g_strdup (path);
  job->duration_ns = duration_ns;

  self->cancellable = g_cancellable_new ();
  task = g_task_new (self, self->cancellable, prepared_cb, NULL);
  g_task_set_task_data (task, job, job_release);
  set_state (self, GILK_RECORDER_PREPARING);
  g_task_run_in_thread (task, prepare_thread);
}

/* Continues the job that was waiting, with the consent that the user has granted. */
static void
resume_job (GilkRecorder *self,
            Job          *job)
{
  g_autoptr(GTask) task = NULL;

  if (!self->changing)
    self->cancellable = g_cancellable_new ();
  task = g_task_new (self, self->changing ? NULL : self->cancellable, self->changing ? changed_cb : prepared_cb, NULL);
  g_task_set_task_data (task, g_atomic_rc_box_acquire (job), job_release);
  g_task_run_in_thread (task, self->changing ? change_thread : prepare_thread);
}

void
gilk_recorder_answer (GilkRecorder *self,
                      GilkConsent   granted)
{
  Job *job = g_steal_pointer (&self->awaiting_consent);

  if (job == NULL)
    return;
  job->granted = granted;
  if (granted != GILK_CONSENT_NONE)
    resume_job (self, job);
  else
    {
      if (!self->changing)
        self->state = GILK_RECORDER_IDLE;
      self->changing = FALSE;
      g_signal_emit_by_name (self, "changed");
    }
  job_release (job);
}

void
gilk_recorder_stop (GilkRecorder *self)
{
  if (self->awaiting_consent != NULL)
    gilk_recorder_answer (self, GILK_CONSENT_NONE);
  if (self->state == GILK_RECORDER_PREPARING)
    g_cancellable_cancel (self->cancellable);
  else if (self->state == GILK_RECORDER_RUNNING)
    {
      set_state (self, GILK_RECORDER_STOPPING);
      gilk_run_stop (self->run);
    }
}

/* ---- change of the plan while RUNNING ---- */

static void
change_thread (GTask        *task,
               gpointer      source,
               gpointer      task_data,
               GCancellable *cancellable)
{
  Job *job = task_data;
  g_autoptr(GilkPlan) plan = gilk_plan_copy (job->plan);
  GError *error = NULL;
  const GilkBoundPlan *live = gilk_run_live_plan (job->run);
  gboolean good;

  if (job->bound == NULL)
    job->bound = gilk_bound_plan_next (plan, live, job->functions, job->image, NULL, NULL, &error);
  good = job->bound != NULL && gilk_bound_plan_check (job->bound, &error);
  job->is_waiting = good && needs_consent (job);
  if (job->is_waiting)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  if (good)
    gilk_bound_plan_count_changes (job->bound, live, &job->added, &job->removed);
  if (good && job->added + job->removed > 0)
    good = gilk_run_change (job->run, g_steal_pointer (&job->bound), job->granted, &error);

  if (good)
    gilk_run_set_until (job->run, job->plan->until);
  if (good)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
changed_cb (GObject      *object,
            GAsyncResult *result,
            gpointer      user_data)
{
  GilkRecorder *self = GILK_RECORDER (object);
  Job *job = g_task_get_task_data (G_TASK (result));
  g_autoptr(GError) error = NULL;

  if (job->is_waiting)
    {
      g_task_propagate_boolean (G_TASK (result), NULL);
      request_consent (self, job);
      return;
    }
  self->changing = FALSE;
  if (g_task_propagate_boolean (G_TASK (result), &error))
    g_signal_emit_by_name (self, "applied", job->added, job->removed);
  else if (self->state == GILK_RECORDER_RUNNING)
    g_signal_emit_by_name (self, "failed", error);
  g_signal_emit_by_name (self, "changed");
}

gboolean
gilk_recorder_may_change (GilkRecorder *self)
{
  return self->state == GILK_RECORDER_RUNNING && !self->changing && self->has_figures &&
         self->figures.state == GILK_RUN_RUNNING;
}

gboolean
gilk_recorder_is_changing (GilkRecorder *self)
{
  return self->changing;
}

void
gilk_recorder_change (GilkRecorder   *self,
                      GilkConnection *connection,
                      const GilkPlan *plan)
{
  g_autoptr(GTask) task = NULL;
  Job *job;

  if (!gilk_recorder_may_change (self) || gilk_connection_target (connection) == NULL)
    return;

  job = job_new (connection, plan);
  job->run = g_object_ref (self->run);
  self->changing = TRUE;
  task = g_task_new (self, NULL, changed_cb, NULL);
  g_task_set_task_data (task, job, job_release);
  g_signal_emit_by_name (self, "changed");
  g_task_run_in_thread (task, change_thread);
}

GilkRecorderState
gilk_recorder_state (GilkRecorder *self)
{
  return self->state;
}

const GilkRunFigures *
gilk_recorder_figures (GilkRecorder *self)
{
  return self->has_figures ? &self->figures : NULL;
}

char *
gilk_recorder_describe_counts (GilkRecorder *self)
{
  const GilkRunFigures *figures = gilk_recorder_figures (self);
  g_autofree char *hits = NULL;
  g_autofree char *samples = gilk_text_samples (figures->samples);
  uint64_t sum = 0;

  for (guint i = 0; i < figures->n_hooks; i++)
    sum += figures->hooks[i].hits;
  hits = gilk_text_hits (sum);

  return figures->samples > 0 ? g_strdup_printf ("%s · %s", hits, samples)
                              : g_strdup (hits);
}

const GilkBoundPlan *
gilk_recorder_bound (GilkRecorder *self)
{
  return self->run != NULL && !self->changing ? gilk_run_plan (self->run) : NULL;
}

const char *
gilk_recorder_interference (GilkRecorder *self)
{
  return self->run != NULL ? gilk_run_cut_short (self->run) : NULL;
}

GilkSketch *
gilk_recorder_sketch (GilkRecorder           *self,
                      guint                   hook,
                      const struct ilk_field *field,
                      GilkValueHistory      **history)
{
  GilkSketch *sketch;

  *history = NULL;
  if (self->run == NULL)
    return NULL;
  sketch = gilk_run_sketch (self->run, hook, field->name, history);
  if (sketch == NULL)
    gilk_run_track_field (self->run, hook, field);

  return sketch;
}

char *
gilk_recorder_stop_conditions (GilkRecorder *self)
{
  return self->run != NULL ? gilk_run_condition_status (self->run) : NULL;
}

guint
gilk_recorder_refusal (GilkRecorder *self,
                       guint         hook)
{
  return self->run != NULL ? gilk_run_refusal (self->run, hook) : 0;
}

const GError *
gilk_recorder_error (GilkRecorder *self)
{
  return self->run != NULL ? gilk_run_error (self->run) : NULL;
}

const char *
gilk_recorder_end_reason (GilkRecorder *self)
{
  return self->run != NULL ? gilk_run_end_reason (self->run) : NULL;
}

const char *
gilk_recorder_path (GilkRecorder *self)
{
  return self->path;
}

static void
gilk_recorder_finalize (GObject *object)
{
  GilkRecorder *self = GILK_RECORDER (object);

  if (self->run != NULL)
    g_signal_handlers_disconnect_by_data (self->run, self);
  if (self->has_figures)
    gilk_run_figures_clear (&self->figures);
  g_clear_object (&self->run);
  g_clear_pointer (&self->store, gilk_store_free);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->awaiting_consent, job_release);
  g_free (self->path);
  G_OBJECT_CLASS (gilk_recorder_parent_class)->finalize (object);
}

static void
gilk_recorder_class_init (GilkRecorderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gilk_recorder_finalize;
  gilk_add_signal (klass, "changed", 0);
  gilk_add_signal (klass, "failed", 1, G_TYPE_ERROR);
  gilk_add_signal (klass, "applied", 2, G_TYPE_UINT, G_TYPE_UINT);
  gilk_add_signal (klass, "notice", 1, G_TYPE_STRING);
  gilk_add_signal (klass, "consent", 1, G_TYPE_POINTER);
  gilk_add_signal (klass, "way-chosen", 1, G_TYPE_STRING);
  gilk_add_signal (klass, "ended", 0);
}

static void
gilk_recorder_init (GilkRecorder *self)
{
}

GilkRecorder *
gilk_recorder_new (void)
{
  return g_object_new (GILK_TYPE_RECORDER, NULL);
}
