/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-state.c - changes a run's state, records its errors and emits its signals, on any thread
 */
#include "core/run/gilk-run-private.h"

#include "core/base/gilk-error.h"

void
gilk_run_figures_clear (GilkRunFigures *figures)
{
  g_clear_pointer (&figures->hooks, g_free);
  g_clear_pointer (&figures->cpus, g_free);
}

/* ---- emits signals, in the main context of the run's creator ---- */

static gboolean
emit_changed (gpointer data)
{
  GilkRun *run = data;

  g_mutex_lock (&run->lock);
  run->notified = FALSE;
  g_mutex_unlock (&run->lock);
  g_signal_emit_by_name (run, "changed");

  return G_SOURCE_REMOVE;
}

static gboolean
emit_ended (gpointer data)
{
  g_signal_emit_by_name (data, "changed");
  g_signal_emit_by_name (data, "ended");

  return G_SOURCE_REMOVE;
}

static void
post_idle (GilkRun *run, GSourceFunc func)
{
  GSource *source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, func, g_object_ref (run), g_object_unref);
  g_source_attach (source, run->context);
  g_source_unref (source);
}

static gboolean
emit_notice (gpointer data)
{
  GilkRun *run = data;
  g_autofree char *text = NULL;

  g_mutex_lock (&run->lock);
  text = g_queue_pop_head (&run->notices);
  g_mutex_unlock (&run->lock);
  g_signal_emit_by_name (run, "notice", text);

  return G_SOURCE_REMOVE;
}

void
gilk_run_emit_notice (GilkRun *run, const char *text)
{
  g_mutex_lock (&run->lock);
  g_queue_push_tail (&run->notices, g_strdup (text));
  g_mutex_unlock (&run->lock);
  post_idle (run, emit_notice);
}

/* Emits signal "changed" from an idle source; at most one emission is pending at a time. */
void
gilk_run_notify_changed (GilkRun *run)
{
  gboolean wanted;

  g_mutex_lock (&run->lock);
  wanted = !run->notified;
  run->notified = TRUE;
  g_mutex_unlock (&run->lock);
  if (wanted)
    post_idle (run, emit_changed);
}

/* Returns whether a run's state may change from @was to @state. gilk_run_start() changes IDLE to
 * ARMING, before the run has a thread. gilk_run_finish() sets DONE or FAILED. */
static gboolean
is_valid_transition (GilkRunState was, GilkRunState state)
{
  switch (state)
    {
    case GILK_RUN_ARMING:
      return was == GILK_RUN_IDLE;
    case GILK_RUN_RUNNING:
      return was == GILK_RUN_ARMING;
    case GILK_RUN_STOPPING:
      return was == GILK_RUN_ARMING || was == GILK_RUN_RUNNING;
    case GILK_RUN_DONE:
    case GILK_RUN_FAILED:
      return was == GILK_RUN_ARMING || was == GILK_RUN_STOPPING;
    case GILK_RUN_IDLE:
    default:
      return FALSE;
    }
}

void
gilk_run_set_state (GilkRun *run, GilkRunState state)
{
  g_mutex_lock (&run->lock);
  g_assert (is_valid_transition (run->state, state));
  run->state = run->figures.state = state;
  g_mutex_unlock (&run->lock);
  gilk_run_notify_changed (run);
}

GilkRunState
gilk_run_state (GilkRun *run)
{
  GilkRunState state;

  g_mutex_lock (&run->lock);
  state = run->state;
  g_mutex_unlock (&run->lock);

  return state;
}

/* ---- records errors: only the first one is kept ---- */

void
gilk_run_set_error (GilkRun *run, GError *error)
{
  if (error == NULL)
    return;
  g_mutex_lock (&run->lock);
  if (run->error == NULL)
    run->error = error;
  else
    g_error_free (error);
  g_mutex_unlock (&run->lock);
}

gboolean
gilk_run_has_error (GilkRun *run)
{
  gboolean has;

  g_mutex_lock (&run->lock);
  has = run->error != NULL;
  g_mutex_unlock (&run->lock);

  return has;
}

/* Marks the target as lost. Called by the target's reader thread, as its GilkLostFunc, and by the
 * run's own thread. */
void
gilk_run_target_lost (GilkTarget *target, const GError *error, gpointer data)
{
  GilkRun *run = data;

  g_mutex_lock (&run->lock);
  if (run->lost == NULL)
    run->lost = g_error_copy (error);
  g_cond_broadcast (&run->changed);
  g_mutex_unlock (&run->lock);
}

/* Treats a target that does not reply, or violates the protocol, as lost: further requests would
 * only time out again. */
void
gilk_run_note_target_loss (GilkRun *run, const GError *error)
{
  if (g_error_matches (error, GILK_ERROR, GILK_ERROR_TARGET) ||
      g_error_matches (error, GILK_ERROR, GILK_ERROR_PROTOCOL))
    gilk_run_target_lost (run->target, error, run);
}

gboolean
gilk_run_is_lost (GilkRun *run)
{
  gboolean lost;

  g_mutex_lock (&run->lock);
  lost = run->lost != NULL;
  g_mutex_unlock (&run->lock);

  return lost;
}

/* ---- finish ---- */

void
gilk_run_finish (GilkRun *run)
{
  gboolean failed;

  gilk_run_assert_own (run);
  run->refusals = g_array_new (FALSE, FALSE, sizeof (uint16_t));
  g_array_append_vals (run->refusals, run->armed.refusals, run->armed.n_hooks);
  gilk_armed_clear (&run->armed);
  g_mutex_lock (&run->lock);
  failed = run->error != NULL;
  g_assert (is_valid_transition (run->state, failed ? GILK_RUN_FAILED : GILK_RUN_DONE));
  run->state = run->figures.state = failed ? GILK_RUN_FAILED : GILK_RUN_DONE;
  run->finished = TRUE;
  g_cond_broadcast (&run->changed);
  g_mutex_unlock (&run->lock);
  post_idle (run, emit_ended);
}
