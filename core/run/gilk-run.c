/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run.c - public interface of a run: create, start, stop, query
 *
 *   IDLE      start()            spawns the run's thread
 *   ARMING, RUNNING, STOPPING    see gilk-run-thread.c
 *   DONE      or FAILED, with gilk_run_error()
 */
#include "core/run/gilk-run-private.h"

#include "core/base/gilk-discard.h"

G_DEFINE_FINAL_TYPE (GilkRun, gilk_run, G_TYPE_OBJECT)

static void
gilk_run_finalize (GObject *object)
{
  GilkRun *run = GILK_RUN (object);

  gilk_ingest_free (run->ingest);
  gilk_discard (run->bound, (GDestroyNotify) gilk_bound_plan_free);
  gilk_discard (run->current, (GDestroyNotify) gilk_live_plan_free);
  gilk_discard (run->past, (GDestroyNotify) g_ptr_array_unref);
  g_clear_pointer (&run->target, gilk_target_unref);
  gilk_image_unref (run->image);
  g_main_context_unref (run->context);
  g_object_unref (run->arming);
  g_clear_pointer (&run->barrier, gilk_start_barrier_unref);
  g_clear_pointer (&run->status, g_array_unref);
  g_clear_pointer (&run->intervals, g_array_unref);
  g_clear_pointer (&run->costs.all, g_array_unref);
  g_clear_pointer (&run->cpu_clocks, g_array_unref);
  g_clear_pointer (&run->end_cpu_clocks, g_array_unref);
  g_free (run->counters);
  g_free (run->counts);
  g_clear_pointer (&run->memory, g_byte_array_unref);
  g_clear_pointer (&run->stored_memory, g_byte_array_unref);
  g_hash_table_unref (run->noticed);
  g_clear_pointer (&run->stacks, g_byte_array_unref);
  g_clear_pointer (&run->slots, g_array_unref);
  g_queue_clear_full (&run->notices, g_free);
  g_free (run->points);
  g_free (run->losses);
  g_free (run->history);
  g_clear_error (&run->lost);
  g_clear_error (&run->error);
  g_free (run->cut_reason);
  g_free (run->cut_short);
  g_free (run->refusals);
  g_free (run->end_word);
  g_clear_pointer (&run->limits, g_ptr_array_unref);
  g_free (run->until);
  g_free (run->condition_status);
  g_free (run->ended);
  gilk_run_figures_clear (&run->figures);
  g_mutex_clear (&run->store_lock);
  g_mutex_clear (&run->lock);
  g_cond_clear (&run->changed);

  G_OBJECT_CLASS (gilk_run_parent_class)->finalize (object);
}

static void
gilk_run_class_init (GilkRunClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gilk_run_finalize;

  g_signal_new ("changed", GILK_TYPE_RUN, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new ("ended", GILK_TYPE_RUN, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new ("notice", GILK_TYPE_RUN, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
gilk_run_init (GilkRun *run)
{
  run->noticed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_queue_init (&run->notices);
  g_mutex_init (&run->store_lock);
  g_mutex_init (&run->lock);
  g_cond_init (&run->changed);
  run->arming = g_cancellable_new ();
  run->past = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_live_plan_free);
  run->context = g_main_context_ref_thread_default ();
}

GilkRun *
gilk_run_new (GilkBoundPlan *bound,
              GilkImage     *image,
              GilkStore     *store,
              uint64_t       duration_ns,
              GilkConsent    granted)
{
  GilkRun *run = g_object_new (GILK_TYPE_RUN, NULL);
  GilkTarget *target = gilk_image_target (image);

  run->bound = bound;
  run->image = gilk_image_ref (image);
  run->target = target != NULL ? gilk_target_ref (target) : NULL;
  run->store = store;
  run->duration_ns = duration_ns;
  run->granted = granted;
  run->ring_mode = bound->plan->ring.mode;
  run->until = g_strdup (bound->plan->until);
  run->until_is_new = run->until != NULL;
  run->figures.duration = (double) duration_ns / 1e9;
  run->figures.n_hooks = bound->hooks->len;
  run->figures.hooks = g_new0 (GilkHookFigures, bound->hooks->len);

  return run;
}

void
gilk_run_start (GilkRun *run)
{
  g_return_if_fail (gilk_run_state (run) == GILK_RUN_IDLE);

  gilk_armed_init (&run->armed, run->target, run->bound, NULL);
  gilk_run_set_state (run, GILK_RUN_ARMING);
  g_thread_unref (g_thread_new ("gilk-run", gilk_run_thread, g_object_ref (run)));
}

void
gilk_run_stop (GilkRun *run)
{
  gboolean arming;

  g_mutex_lock (&run->lock);
  run->stop_asked = TRUE;
  arming = run->state == GILK_RUN_ARMING;
  g_cond_broadcast (&run->changed);
  g_mutex_unlock (&run->lock);
  if (arming)
    g_cancellable_cancel (run->arming);
}

void
gilk_run_figures (GilkRun        *run,
                  GilkRunFigures *figures)
{
  g_mutex_lock (&run->lock);
  *figures = run->figures;
  figures->hooks = g_memdup2 (run->figures.hooks, run->figures.n_hooks * sizeof *figures->hooks);
  figures->cpus = g_memdup2 (run->figures.cpus, run->figures.n_cpus * sizeof *figures->cpus);
  g_mutex_unlock (&run->lock);
}

const GError *
gilk_run_error (GilkRun *run)
{
  const GError *error;

  g_mutex_lock (&run->lock);
  error = run->finished ? run->error : NULL;
  g_mutex_unlock (&run->lock);

  return error;
}

guint
gilk_run_refusal (GilkRun *run, guint hook)
{
  guint refusal;

  g_mutex_lock (&run->lock);
  refusal = run->finished && run->refusals != NULL && hook < run->n_refusals ? run->refusals[hook] : 0;
  g_mutex_unlock (&run->lock);

  return refusal;
}

const char *
gilk_run_cut_short (GilkRun *run)
{
  const char *cut_short;

  g_mutex_lock (&run->lock);
  cut_short = run->finished ? run->cut_short : NULL;
  g_mutex_unlock (&run->lock);

  return cut_short;
}

void
gilk_run_set_tracked_max (GilkRun *run,
                          guint    max)
{
  g_return_if_fail (gilk_run_state (run) == GILK_RUN_IDLE);

  run->tracked_max = max;
}

void
gilk_run_set_until (GilkRun    *run,
                    const char *until)
{
  g_mutex_lock (&run->lock);
  if (g_strcmp0 (run->until, until) != 0)
    {
      g_free (run->until);
      run->until = g_strdup (until);
      run->until_is_new = TRUE;
    }
  g_mutex_unlock (&run->lock);
}

char *
gilk_run_condition_status (GilkRun *run)
{
  char *told;

  g_mutex_lock (&run->lock);
  told = g_strdup (run->condition_status);
  g_mutex_unlock (&run->lock);

  return told;
}

const char *
gilk_run_end_reason (GilkRun *run)
{
  const char *ended;

  g_mutex_lock (&run->lock);
  ended = run->finished ? run->ended : NULL;
  g_mutex_unlock (&run->lock);

  return ended;
}

gint64
gilk_run_session_run_id (GilkRun *run)
{
  gint64 id;

  g_mutex_lock (&run->lock);
  id = run->run;
  g_mutex_unlock (&run->lock);

  return id;
}

GilkBoundPlan *
gilk_run_plan (GilkRun *run)
{
  return run->bound;
}
