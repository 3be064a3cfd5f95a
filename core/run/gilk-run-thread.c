/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-thread.c - arm, watch, stop: the run's own thread
 *
 *   ARMING    reserve, emit, prepare, write the run's metadata and the journal, arm
 *   RUNNING   figures at every tick, stored counts at some; changes of hooks between ticks
 *   STOPPING  freeze rings in overwrite mode, disarm; then the last samples, totals, journal, end
 *
 * However RUNNING ends (time, stop, disarmed by others, full disk, target gone), STOPPING follows,
 * and what was recorded is kept.
 */
#include "core/base/gilk-error.h"

#include <glib/gi18n.h>
#include "core/run/gilk-run-private.h"
#include "core/store/gilk-store-loss.h"
#include "core/store/gilk-store-write.h"

#define POINT_TICKS  3            /* ticks between two points of a counter's series */
#define COMMIT_TICKS 5
#define DISARM_TRIES 50           /* for sites that another tool is about to leave */
#define DISARM_US    100000

/* ---- ARMING ---- */

static gboolean
arm_and_start (GilkRun *run, GError **error)
{
  struct ilk_arm arm;
  GilkClock clock;
  gboolean good;

  if (!gilk_run_claim_rings (run, run->bound, error) ||
      !gilk_run_set_intervals (run, run->arming, error) || !gilk_run_compare_clocks (run, run->arming, error) ||
      !gilk_run_journal_planned (run, &run->armed, run->arming, error) || !gilk_run_wait_barrier (run, error))
    return FALSE;
  run->arming_us = g_get_monotonic_time ();
  if (!gilk_armed_arm (&run->armed, &arm, run->arming, error))
    {
      if (arm.refusal != 0)
        gilk_run_revoke_journal (run, TRUE, *error);
      return FALSE;
    }

  run->zero_us = g_get_monotonic_time ();
  run->zero_mono_ns = arm.zero.mono_ns;
  gilk_run_find_zero (run, &arm);
  gilk_run_lock_store (run);
  good = gilk_run_store_clocks (run, &arm, error);
  gilk_run_unlock_store (run);
  clock = gilk_clock_at (arm.zero.tsc, MAX (run->armed.info.tsc_khz, 1) * 1000);
  gilk_ingest_start (run->ingest, run->run, &clock);

  return good && gilk_run_store_points (run, 0, FALSE, error);
}

static gboolean
prepare_run (GilkRun *run, GError **error)
{
  gint64 id = 0;
  gboolean good;

  if (!gilk_consent_check (run->bound, run->granted, error))
    return FALSE;
  if (run->target == NULL)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_TARGET,
                   _("This image has no running kernel. Connect to a target first."));
      return FALSE;
    }
  if (!gilk_bound_plan_check (run->bound, error))
    return FALSE;
  gilk_run_measure_costs (run, run->arming);
  if (!gilk_armed_prepare (&run->armed, run->image, run->arming, error))
    return FALSE;

  run->counters = g_try_new0 (struct ilk_counter,
                              (gsize) run->armed.n_hooks * gilk_run_n_cpus (run) + 1);
  if (run->counters == NULL)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("Not enough memory for the counters of %u hooks on %u processors. Plan fewer hooks at once."), run->armed.n_hooks, gilk_run_n_cpus (run));
      return FALSE;
    }
  run->losses = g_new0 (GilkOpenLoss, (gsize) run->armed.n_hooks * gilk_run_n_cpus (run));
  gilk_run_grow_counts (run, 0, run->armed.n_hooks);
  run->history = g_new0 (uint64_t, (gsize) run->armed.n_hooks * GILK_RUN_RATE_TICKS + 1);
  run->ingest = gilk_ingest_new (run->store, &run->store_lock, run->armed.iids, run->armed.n_hooks,
                               gilk_run_n_cpus (run));
  gilk_run_track_rows (run, 0);
  gilk_run_lock_store (run);
  good = gilk_run_write_metadata (run->store, &run->armed, run->image, &id, error) &&
         gilk_run_store_costs (run, id, error);
  gilk_run_unlock_store (run);
  g_mutex_lock (&run->lock);
  run->run = id;
  g_mutex_unlock (&run->lock);

  return good && arm_and_start (run, error);
}

/* ---- RUNNING ---- */

/* Waits for the next tick, the end of the duration, a stop request or a lost target. The work of a
 * tick counts as part of it, but a quarter of a tick is always left idle. */
static gboolean
wait_tick (GilkRun *run)
{
  gint64 tick = GILK_RUN_TICK_US * (1 + (gint64) run->armed.n_hooks / GILK_RUN_TICK_HOOKS);
  gint64 next = MAX (run->tick_us + tick, g_get_monotonic_time () + tick / 4);
  gint64 end = run->duration_ns != 0 ? run->zero_us + (gint64) (run->duration_ns / 1000)
                                     : G_MAXINT64;
  gboolean more;

  if (run->trigger_us != 0)
    end = MIN (end, run->trigger_us);
  g_mutex_lock (&run->lock);
  while (!run->stop_asked && run->lost == NULL &&
         (run->change == NULL || run->change->done) &&
         g_cond_wait_until (&run->changed, &run->lock, MIN (next, end)))
    ;
  run->tick_us = MIN (next, g_get_monotonic_time ());
  more = !run->stop_asked && run->lost == NULL && g_get_monotonic_time () < end;
  run->stopped = run->stop_asked;
  g_mutex_unlock (&run->lock);

  return more;
}

/* Returns FALSE without an error if the run has to end. */
static gboolean
run_tick (GilkRun *run, GError **error)
{
  gboolean go_on;
  uint64_t at_ns;

  if (!gilk_run_poll_target (run, FALSE, error) || !gilk_run_poll_rings (run, &go_on, error) ||
      !gilk_run_check_signals (run, &go_on, error))
    return FALSE;
  at_ns = (uint64_t) (gilk_run_elapsed (run) * 1e9);
  run->tick++;
  gilk_run_update_figures (run);
  gilk_run_check_conditions (run, &go_on);
  *error = gilk_ingest_error (run->ingest);
  if (*error != NULL || !go_on)
    return FALSE;
  if (run->new_states && (!gilk_run_store_journal (run, FALSE, error) || !gilk_run_check_patch_states (run)))
    return FALSE;
  if (run->tick % POINT_TICKS == 0 && !gilk_run_store_points (run, at_ns, FALSE, error))
    return FALSE;
  if (!gilk_run_remeasure_costs (run, error))
    return FALSE;

  return run->tick % COMMIT_TICKS != 0 ||
         (gilk_run_read_memory (run, error) && gilk_run_store_memory (run, error) &&
          gilk_run_store_counts (run, at_ns, FALSE, error) && gilk_run_sync_session (run, error));
}

static void
run_until_end (GilkRun *run)
{
  g_autoptr(GError) error = NULL;

  for (guint i = 0; i < GILK_RUN_RATE_TICKS; i++)
    run->history_us[i] = run->zero_us;
  while (wait_tick (run))
    {
      gilk_run_apply_pending (run);
      if (!run_tick (run, &error))
        break;
    }
  gilk_run_set_error (run, g_steal_pointer (&error));
}

/* ---- STOPPING ---- */

/*
 * The first request turns all hooks off. Sites that another tool keeps from being restored are
 * tried again: the kernel optimizes and unoptimizes kprobes asynchronously, so one that was just
 * removed leaves a moment later.
 */
static gboolean
disarm_hooks (GilkRun *run, GError **error)
{
  gboolean disarmed = gilk_armed_disarm (&run->armed, error);

  run->stopped_us = g_get_monotonic_time ();
  for (guint i = 0; i < DISARM_TRIES && !disarmed && g_error_matches (*error, GILK_ERROR, GILK_ERROR_KEPT); i++)
    {
      g_clear_error (error);
      g_usleep (DISARM_US);
      disarmed = gilk_armed_disarm (&run->armed, error);
    }

  return disarmed;
}

/* Disarms, then collects the last samples: in this order none is left in a ring. TRUE if the target
 * answered all of it. */
static gboolean
stop_target (GilkRun *run, struct gilk_samples_end *end, GError **error)
{
  if (!gilk_run_freeze_rings (run, error))
    {
      if (gilk_run_is_lost (run))
        return FALSE;
      gilk_run_set_error (run, g_steal_pointer (error));
    }
  if (!disarm_hooks (run, error))
    {
      gilk_run_note_target_loss (run, *error);
      if (gilk_run_is_lost (run))
        return FALSE;
      gilk_run_set_error (run, g_steal_pointer (error));
    }

  gilk_armed_wait_retired (&run->armed);
  gilk_run_read_end_clocks (run);
  gilk_run_read_intervals (run);
  if (run->sampling && !gilk_target_samples_stop (run->target, end, NULL, error))
    {
      gilk_run_note_target_loss (run, *error);
      return FALSE;
    }

  return gilk_run_poll_target (run, TRUE, error) && gilk_run_read_memory (run, error) &&
         gilk_run_read_stacks (run, error);
}

static char *
get_end_reason (GilkRun *run)
{
  const char *own;
  char *reason;

  g_mutex_lock (&run->lock);
  own = run->end_word != NULL && !run->stopped ? run->end_word : run->stop_asked ? "stopped" : "time is up";
  if (run->error != NULL)
    reason = g_strdup (run->error->message);
  else if (run->cut_off)
    reason = g_strdup (run->cut_reason);
  else if (run->cut_reason != NULL)
    reason = g_strdup_printf ("%s; %s", own, run->cut_reason);
  else
    reason = g_strdup (own);
  g_free (run->ended);
  run->ended = g_strdup (reason);
  g_mutex_unlock (&run->lock);

  return reason;
}

/* Tries each step even after one has failed, to keep as much as possible. */
static void
write_final_data (GilkRun *run, uint64_t duration_ns)
{
  g_autofree char *reason = NULL;
  GError *errors[9] = { NULL };

  gilk_run_sync_session (run, &errors[0]);
  gilk_run_set_error (run, errors[0]);
  gilk_run_store_counts (run, duration_ns, TRUE, &errors[1]);
  gilk_run_store_points (run, duration_ns, TRUE, &errors[2]);
  gilk_run_store_journal (run, TRUE, &errors[3]);
  gilk_run_store_memory (run, &errors[7]);
  for (guint i = 1; i <= 3; i++)
    gilk_run_set_error (run, errors[i]);
  gilk_run_set_error (run, errors[7]);
  gilk_run_update_figures (run);
  if (run->frozen)
    {
      gilk_run_lock_store (run);
      gilk_store_narrow_losses (run->store, run->run, &errors[5]);
      gilk_run_unlock_store (run);
      gilk_run_set_error (run, errors[5]);
    }

  gilk_run_lock_store (run);
  if (gilk_run_store_end_clocks (run, &errors[6]))
    gilk_run_store_intervals (run, duration_ns, &errors[6]);
  if (gilk_run_store_names (run, &errors[8]))
    gilk_run_store_values (run, &errors[8]);
  gilk_run_unlock_store (run);
  gilk_run_set_error (run, errors[6]);
  gilk_run_set_error (run, errors[8]);
  reason = get_end_reason (run);
  gilk_run_lock_store (run);
  gilk_run_store_lines (run);
  gilk_run_store_accesses (run);
  gilk_store_end_run (run->store, run->run, duration_ns, reason, &errors[4]);
  gilk_run_unlock_store (run);
  gilk_run_set_error (run, errors[4]);
}

/* Makes the loss of the target the run's error, unless there is one already. The run ended at the
 * last answer with counters. */
static void
handle_target_loss (GilkRun *run)
{
  GError *lost;

  gilk_run_stop_receiving (run);
  run->stopped_us = MAX (run->answered_us, run->zero_us);
  g_mutex_lock (&run->lock);
  lost = g_error_copy (run->lost);
  g_mutex_unlock (&run->lock);
  gilk_run_set_error (run, lost);
}

static void
stop_run (GilkRun *run)
{
  struct gilk_samples_end end = { 0 };
  gboolean complete = FALSE;
  GError *error = NULL;

  g_assert (run->zero_us != 0 && run->ingest != NULL);
  gilk_run_set_state (run, GILK_RUN_STOPPING);
  if (!gilk_run_is_lost (run))
    complete = stop_target (run, &end, &error);
  gilk_run_set_error (run, error);
  if (gilk_run_is_lost (run))
    handle_target_loss (run);
  gilk_ingest_close (run->ingest);
  gilk_run_set_error (run, gilk_ingest_error (run->ingest));
  if (complete)
    gilk_run_check_totals (run, &end);
  if (complete && !gilk_run_measure_final_costs (run, &error))
    gilk_run_set_error (run, error);
  if (!gilk_run_is_lost (run))
    gilk_armed_release (&run->armed);
  write_final_data (run, (uint64_t) (run->stopped_us - run->zero_us) * 1000);
}

/* Undoes whatever was half done. Nothing has been recorded yet. */
static void
roll_back (GilkRun *run)
{
  struct gilk_samples_end end;
  g_autofree char *reason = NULL;

  g_assert (run->zero_us == 0);
  if (run->target != NULL && !gilk_run_is_lost (run) && !run->armed.reserved)
    gilk_run_free_stubs (run);
  if (run->target != NULL && !gilk_run_is_lost (run) && gilk_armed_release (&run->armed) &&
      run->run != 0)
    gilk_run_revoke_journal (run, FALSE, NULL);
  if (gilk_run_is_lost (run))
    gilk_run_stop_receiving (run);
  else if (run->sampling)
    gilk_target_samples_stop (run->target, &end, NULL, NULL);
  g_clear_pointer (&run->ingest, gilk_ingest_free);
  if (run->run == 0)
    return;
  reason = get_end_reason (run);
  gilk_run_lock_store (run);
  gilk_store_end_run (run->store, run->run, 0, reason, NULL);
  gilk_run_unlock_store (run);
}

/* ---- the run's thread ---- */

gpointer
gilk_run_thread (gpointer data)
{
  GilkRun *run = data;
  g_autoptr(GError) error = NULL;

  run->thread = g_thread_self ();
  if (run->target != NULL)
    run->lost_func = gilk_target_add_lost_func (run->target, gilk_run_target_lost, run);
  if (prepare_run (run, &error))
    {
      gilk_run_set_state (run, GILK_RUN_RUNNING);
      run_until_end (run);
      stop_run (run);
    }
  else if (run->zero_us != 0)
    {
      gilk_run_set_error (run, g_steal_pointer (&error));
      stop_run (run);
    }
  else
    {
      gilk_run_leave_barrier (run);
      gilk_run_set_error (run, g_steal_pointer (&error));
      roll_back (run);
    }
  gilk_run_finish (run);
  g_object_unref (run);

  return NULL;
}
