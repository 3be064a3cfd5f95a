/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run.c - public interface of a run: create, start, stop, query
 *
 *   IDLE:                         gilk_run_start() spawns the run's thread.
 *   ARMING, RUNNING, STOPPING:    see gilk-run-thread.c.
 *   DONE, or FAILED:              if the run failed, gilk_run_error() returns the error.
 */
#include "core/run/gilk-run-private.h"

#include <gio/gio.h>

#include "core/base/gilk-progress.h"

G_DEFINE_FINAL_TYPE (GilkRun, gilk_run, G_TYPE_OBJECT)

static void
gilk_run_finalize (GObject *object)
{
  GilkRun *run = GILK_RUN (object);

  gilk_ingest_free (run->ingest);
  gilk_discard (run->bound, (GDestroyNotify) gilk_bound_plan_free);
  gilk_discard (run->current, (GDestroyNotify) gilk_live_plan_free);
  gilk_discard (run->past, (GDestroyNotify) g_ptr_array_unref);
  gilk_run_rows_clear (&run->rows);
  gilk_run_clock_clear (&run->clock);
  g_clear_pointer (&run->intervals.starts, g_array_unref);
  gilk_run_counters_clear (&run->counters);
  gilk_run_patches_clear (&run->patches);
  gilk_run_maps_clear (&run->maps);
  gilk_run_names_clear (&run->names);
  gilk_run_costs_clear (&run->costs);
  gilk_run_end_clear (&run->end);
  g_clear_pointer (&run->target, gilk_target_unref);
  gilk_image_unref (run->image);
  g_main_context_unref (run->context);
  g_object_unref (run->arming);
  g_clear_pointer (&run->barrier, gilk_start_barrier_unref);
  g_queue_clear_full (&run->notices, g_free);
  g_clear_error (&run->lost);
  g_clear_error (&run->error);
  g_clear_pointer (&run->refusals, g_array_unref);
  g_free (run->conditions.until);
  g_free (run->conditions.status);
  g_free (run->ended);
  gilk_run_figures_clear (&run->figures);
  g_mutex_clear (&run->session.lock);
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
  g_queue_init (&run->notices);
  g_mutex_init (&run->session.lock);
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
  run->session.store = store;
  run->duration_ns = duration_ns;
  run->granted = granted;
  run->conditions.until = g_strdup (bound->plan->until);
  run->conditions.is_new = run->conditions.until != NULL;
  run->figures.duration = (double) duration_ns / 1e9;
  run->figures.n_hooks = bound->hooks->len;
  run->figures.hooks = g_new0 (GilkHookFigures, bound->hooks->len);

  gilk_run_clock_init (&run->clock, &run->session, run->target);
  run->intervals = (GilkRunIntervals) { .clock = &run->clock, .interleave = &bound->plan->interleave };
  run->patches = (GilkRunPatches) { run->target, &run->session, &run->rows, &run->clock, run->image };
  run->rings = (GilkRunRings) {
    run->target, &run->session, .mode = bound->plan->ring.mode, .window_ns = bound->plan->ring.window_ns,
  };
  run->maps = (GilkRunMaps) { run->target, &run->session, &run->rows };
  run->names = (GilkRunNames) { run->target, &run->session, &run->rows, run->image };
  run->costs = (GilkRunCosts) { run->target, &run->session, &run->clock };
  gilk_run_end_init (&run->end, run->target, &run->session, &run->rows);

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
  refusal = run->finished && hook < run->refusals->len ? g_array_index (run->refusals, uint16_t, hook) : 0;
  g_mutex_unlock (&run->lock);

  return refusal;
}

const char *
gilk_run_cut_short (GilkRun *run)
{
  const char *cut_short;

  g_mutex_lock (&run->lock);
  cut_short = run->finished ? run->patches.cut_short : NULL;
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
  if (g_strcmp0 (run->conditions.until, until) != 0)
    {
      g_free (run->conditions.until);
      run->conditions.until = g_strdup (until);
      run->conditions.is_new = TRUE;
    }
  g_mutex_unlock (&run->lock);
}

char *
gilk_run_condition_status (GilkRun *run)
{
  char *told;

  g_mutex_lock (&run->lock);
  told = g_strdup (run->conditions.status);
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
  id = run->session.run;
  g_mutex_unlock (&run->lock);

  return id;
}

GilkBoundPlan *
gilk_run_plan (GilkRun *run)
{
  return run->bound;
}

void
gilk_run_set_barrier (GilkRun *run, GilkStartBarrier *gate)
{
  g_return_if_fail (gilk_run_state (run) == GILK_RUN_IDLE && run->barrier == NULL);

  run->barrier = gilk_start_barrier_ref (gate);
}

gboolean
gilk_run_zero (GilkRun *run, GilkRunZero *zero)
{
  g_mutex_lock (&run->lock);
  *zero = run->zero;
  g_mutex_unlock (&run->lock);

  return zero->us != 0;
}

/* ---- statistics of fields ---- */

/* Returns whether the run has an ingest queue and is, or was, recording samples. Must be called
 * with the run's lock held. */
static gboolean
has_ingest (const GilkRun *run)
{
  return run->ingest != NULL && (run->state == GILK_RUN_RUNNING || run->state == GILK_RUN_STOPPING || run->finished);
}

void
gilk_run_track_field (GilkRun                *run,
                      guint                   hook,
                      const struct ilk_field *field)
{
  g_mutex_lock (&run->lock);
  if (has_ingest (run))
    gilk_ingest_track_field (run->ingest, hook, field);
  g_mutex_unlock (&run->lock);
}

GilkSketch *
gilk_run_sketch (GilkRun           *run,
                 guint              hook,
                 const char        *field,
                 GilkValueHistory **history)
{
  GilkSketch *sketch = NULL;

  if (history != NULL)
    *history = NULL;
  g_mutex_lock (&run->lock);
  if (has_ingest (run))
    sketch = gilk_ingest_sketch (run->ingest, hook, field, history);
  g_mutex_unlock (&run->lock);

  return sketch;
}
