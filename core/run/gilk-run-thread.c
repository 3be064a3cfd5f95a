/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-thread.c - the run's own thread: arms, polls, stops
 *
 *   ARMING:   reserve, emit, prepare, write the run's metadata and the journal, arm.
 *   RUNNING:  update figures every tick, store counts every few ticks; change hooks between ticks.
 *   STOPPING: freeze rings in overwrite mode, disarm; store the last samples, totals, journal, end.
 *
 * However RUNNING ends (time, stop, disarmed by others, full disk, target lost), STOPPING follows,
 * and recorded data are kept.
 */
#include "core/run/gilk-run-private.h"
#include "core/store/gilk-store-loss.h"
#include "core/store/gilk-store-write.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/run/gilk-run-metadata.h"

#define TICK_US      100000       /* length of the shortest tick, in µs; each TICK_HOOKS hooks make
                                   * a tick longer by this length */
#define TICK_HOOKS   25000
#define POINT_TICKS  3            /* number of ticks between two stored points of a counter's
                                   * series */
#define COMMIT_TICKS 5
#define DISARM_TRIES 50           /* maximum number of attempts to restore sites that another tool
                                   * is still using */
#define DISARM_US    100000

/* ---- ARMING ---- */

/* Waits at the barrier for the other runs, right before ARM. */
static gboolean
wait_barrier (GilkRun *run, GError **error)
{
  g_autoptr(GilkStartBarrier) barrier = g_steal_pointer (&run->barrier);

  gilk_run_assert_own (run);

  return barrier == NULL || gilk_start_barrier_wait (barrier, run->arming, error);
}

/* Leaves the barrier if the run has not reached it, so that the other runs do not wait for it. */
static void
leave_barrier (GilkRun *run)
{
  gilk_run_assert_own (run);
  if (run->barrier != NULL)
    gilk_start_barrier_leave (run->barrier);
}

static gboolean
arm_and_start (GilkRun *run, GError **error)
{
  const gboolean has_barrier = run->barrier != NULL;
  struct ilk_arm arm;
  GilkRunZero zero;
  GilkClock clock;
  gint64 arming_us;
  gboolean good;

  if (!gilk_run_rings_claim (&run->rings, run->bound, &run->armed.info, run->ingest, run->arming, error) ||
      !gilk_run_intervals_set (&run->intervals, run->armed.switch_iid, run->duration_ns, run->arming, error) ||
      !gilk_run_clock_compare (&run->clock, run->arming, error) ||
      !gilk_run_patches_plan (&run->patches, &run->armed, run->arming, error) || !wait_barrier (run, error))
    return FALSE;
  arming_us = g_get_monotonic_time ();
  if (!gilk_armed_arm (&run->armed, &arm, run->arming, error))
    {
      if (arm.refusal != 0)
        gilk_run_patches_revoke (&run->patches, TRUE, *error);
      return FALSE;
    }

  gilk_run_clock_start (&run->clock, arming_us, &arm);
  zero = gilk_run_clock_find_zero (&run->clock, &arm, has_barrier);
  g_mutex_lock (&run->lock);
  run->zero = zero;
  g_mutex_unlock (&run->lock);
  gilk_run_session_lock (&run->session);
  good = gilk_run_clock_store (&run->clock, &arm, &zero, error);
  gilk_run_session_unlock (&run->session);
  clock = gilk_clock_at (arm.zero.tsc, MAX (run->armed.info.tsc_khz, 1) * 1000);
  gilk_ingest_start (run->ingest, run->session.run, &clock);

  return good && gilk_run_counters_store_points (&run->counters, 0, FALSE, error);
}

/* Stores the run's metadata before its first sample. */
static gboolean
store_metadata (GilkRun *run, GError **error)
{
  gint64 id = 0;
  gboolean good;

  gilk_run_session_lock (&run->session);
  good = gilk_run_write_metadata (run->session.store, &run->armed, run->image, &id, error);
  g_mutex_lock (&run->lock);
  run->session.run = id;
  g_mutex_unlock (&run->lock);
  good = good && gilk_run_costs_store (&run->costs, error);
  gilk_run_session_unlock (&run->session);
  gilk_run_rows_set_stored (&run->rows, &run->armed, NULL);

  return good;
}

static gboolean
prepare_run (GilkRun *run, GError **error)
{
  if (!gilk_consent_check (run->bound, run->granted, error))
    return FALSE;
  if (run->target == NULL)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_TARGET,
                   _("The functions shown are not from a running kernel. Connect to a target first."));
      return FALSE;
    }
  if (!gilk_bound_plan_check (run->bound, error))
    return FALSE;
  gilk_run_costs_measure (&run->costs, run->bound, run->arming);
  if (!gilk_run_rings_reserve (&run->rings, run->bound, run->arming, error) ||
      !gilk_armed_prepare (&run->armed, run->image, run->arming, error))
    return FALSE;

  gilk_run_rows_init (&run->rows, run->bound, &run->armed);
  if (!gilk_run_counters_init (&run->counters, run->target, &run->session, &run->rows, &run->clock, error))
    return FALSE;
  run->ingest = gilk_ingest_new (&run->session, &run->rows);
  gilk_ingest_track_rows (run->ingest, run->bound, 0, run->tracked_max);

  return store_metadata (run, error) && arm_and_start (run, error);
}

/* ---- figures ---- */

static uint64_t
get_stored (GilkRun *run, uint32_t iid, guint cpu)
{
  uint64_t stored;

  gilk_run_session_lock (&run->session);
  stored = gilk_store_stored (run->session.store, iid, cpu);
  gilk_run_session_unlock (&run->session);

  return stored;
}

static void
sum_hook (GilkRun *run, guint i, const struct ilk_patch_status *status, GilkHookFigures *figures, GilkCpuFigures *cpus)
{
  const gboolean failed = gilk_run_has_error (run);
  const GilkBoundHook *hook = gilk_bound_hook (run->bound, i);
  gboolean takes_samples = gilk_hook_takes_samples (run->bound, i);
  const struct gilk_watch_status *watch = gilk_run_patches_watchpoint (&run->patches, i);

  *figures = (GilkHookFigures) { .iid = run->rows.iids[i], .tactic = hook->choice.tactic };
  if (status != NULL)
    figures->state = status->state;
  if (hook->hook->watch != NULL)
    figures->state = gilk_run_patches_watchpoint_state (&run->patches, i);
  if (watch != NULL)
    figures->watch = *watch;
  if (hook->removed)
    figures->state = ILK_STATE_RESTORED;
  for (guint cpu = 0; cpu < run->rows.n_cpus; cpu++)
    {
      struct ilk_counter counter = gilk_run_counters_totals (&run->counters, run->ingest, i, cpu, failed);

      figures->hits += counter.count;
      figures->lost += counter.lost;
      figures->missed += counter.missed;
      cpus[cpu].hits += counter.count;
      cpus[cpu].lost += counter.lost;
      if (takes_samples)
        figures->stored += get_stored (run, figures->iid, cpu);
    }
  figures->hits_known = !(takes_samples && run->rings.mode == GILK_RING_FIFO) &&
                        (figures->hits != 0 || !gilk_hook_leaves_no_trace (run->bound, i));
  figures->rate = gilk_run_counters_note_hits (&run->counters, i, figures->hits);
}

static gboolean
is_live (uint32_t state)
{
  return state == ILK_STATE_TRAPPED || state == ILK_STATE_ARMED;
}

static void
update_figures (GilkRun *run)
{
  g_autoptr(GHashTable) status = gilk_run_patches_by_id (&run->patches);
  GilkRunFigures now = {
    .elapsed = gilk_run_clock_elapsed (&run->clock), .duration = (double) run->duration_ns / 1e9,
    .bytes = gilk_store_bytes (run->session.store), .n_hooks = run->rows.n,
    .ring_bytes = run->rings.now.ring_bytes, .ring_used = run->rings.now.used,
    .ring_used_max = run->rings.now.used_max,
    .hooks = g_new0 (GilkHookFigures, run->rows.n + 1),
    .n_cpus = run->rows.n_cpus, .cpus = g_new0 (GilkCpuFigures, run->rows.n_cpus + 1),
  };

  gilk_run_assert_own (run);
  g_assert (run->counters.now != NULL && run->counters.history != NULL && run->clock.zero_us != 0);
  for (guint i = 0; i < now.n_hooks; i++)
    {
      sum_hook (run, i, g_hash_table_lookup (status, GUINT_TO_POINTER (run->rows.patch_of[i])),
                &now.hooks[i], now.cpus);
      now.samples += now.hooks[i].stored;
      now.hooks_live += is_live (now.hooks[i].state);
      if (gilk_hook_takes_samples (run->bound, i))
        {
          now.lost += now.hooks[i].lost;
          now.samples_per_second += now.hooks[i].rate;
        }
    }
  gilk_run_maps_sum_failed_reads (&run->maps, now.hooks);
  gilk_run_counters_note_time (&run->counters);

  g_mutex_lock (&run->lock);
  now.state = run->state;
  gilk_run_figures_clear (&run->figures);
  run->figures = now;
  g_mutex_unlock (&run->lock);
  gilk_run_notify_changed (run);
}

/* Marks the target as lost if a request failed (@answered is FALSE) and @error means that the
 * target does not reply. Returns @answered. */
static gboolean
note_answer (GilkRun *run, gboolean answered, GError **error)
{
  if (!answered)
    gilk_run_note_target_loss (run, *error);

  return answered;
}

/* Requests the counters from the target, and also the patch states if they are due or @states is
 * set. If only the request for states fails, the old states stay. @has_states: (out) (nullable):
 * set if new states were read. @error must not be NULL. */
static gboolean
poll_target (GilkRun *run, gboolean states, gboolean *has_states, GError **error)
{
  gint64 asked_us = g_get_monotonic_time ();

  if (!note_answer (run, gilk_run_counters_read (&run->counters, error), error) ||
      !gilk_run_counters_record_losses (&run->counters, asked_us, gilk_run_rings_overwrite (&run->rings), error))
    return FALSE;
  states = states || gilk_run_patches_is_due (&run->patches);
  if (has_states != NULL)
    *has_states = states;

  return !states || note_answer (run, gilk_run_patches_read (&run->patches, error), error);
}

/* ---- RUNNING ---- */

/* Waits for the next tick. Returns FALSE if the run's duration is over, a stop was requested, or
 * the target was lost. A tick's length includes the tick's work; at least a quarter of the length
 * is idle. @tick_us: (inout): start of the tick */
static gboolean
wait_tick (GilkRun *run, gint64 *tick_us)
{
  gint64 tick = TICK_US * (1 + (gint64) run->rows.n / TICK_HOOKS);
  gint64 next = MAX (*tick_us + tick, g_get_monotonic_time () + tick / 4);
  gint64 end = run->duration_ns != 0 ? run->clock.zero_us + (gint64) (run->duration_ns / 1000)
                                     : G_MAXINT64;
  gboolean more;

  if (run->end.trigger_us != 0)
    end = MIN (end, run->end.trigger_us);
  g_mutex_lock (&run->lock);
  while (!run->stop_asked && run->lost == NULL &&
         (run->change == NULL || run->change->done) &&
         g_cond_wait_until (&run->changed, &run->lock, MIN (next, end)))
    ;
  *tick_us = MIN (next, g_get_monotonic_time ());
  more = !run->stop_asked && run->lost == NULL && g_get_monotonic_time () < end;
  run->end.is_requested = run->stop_asked;
  g_mutex_unlock (&run->lock);

  return more;
}

/* Reads how full the rings are, and checks for triggers. @go_on: (out): FALSE if the run must
 * end */
static gboolean
poll_rings (GilkRun *run, gboolean *go_on, GError **error)
{
  *go_on = TRUE;
  if (!note_answer (run, gilk_run_rings_read (&run->rings, error), error))
    return FALSE;
  if (!run->rings.is_claimed)
    return TRUE;
  if (run->rings.mode == ILK_RING_OVERWRITE)
    gilk_run_end_find_trigger (&run->end, &run->counters);
  else if (run->rings.now.frozen)
    {
      *go_on = FALSE;
      gilk_run_end_set_reason (&run->end, g_strdup ("a ring is full"));
    }

  return TRUE;
}

/* Handles requests of programs. @go_on: (inout): set to FALSE if a request ends the run */
static gboolean
handle_requests (GilkRun *run, gboolean *go_on, GError **error)
{
  g_autoptr(GPtrArray) notices = g_ptr_array_new_with_free_func (g_free);

  if (!note_answer (run, gilk_run_end_check_requests (&run->end, notices, go_on, error), error))
    return FALSE;
  for (guint i = 0; i < notices->len; i++)
    gilk_run_emit_notice (run, g_ptr_array_index (notices, i));

  return TRUE;
}

/* Checks the stop conditions. If the user has set new conditions, these replace the old ones first.
 * They were validated when the user set them. @go_on: (inout): set to FALSE if a condition holds */
static void
check_conditions (GilkRun *run, gboolean *go_on)
{
  g_autofree char *until = NULL;
  gboolean is_new;
  char *status;

  g_mutex_lock (&run->lock);
  is_new = run->conditions.is_new;
  run->conditions.is_new = FALSE;
  until = g_strdup (run->conditions.until);
  g_mutex_unlock (&run->lock);
  if (is_new)
    gilk_run_end_set_conditions (&run->end, until);
  /* Only this thread writes figures, so it may read them without the lock. */
  status = gilk_run_end_check_conditions (&run->end, &run->figures, run->ingest, go_on);
  g_mutex_lock (&run->lock);
  g_free (run->conditions.status);
  run->conditions.status = status;
  g_mutex_unlock (&run->lock);
}

static gboolean
read_maps (GilkRun *run, GError **error)
{
  return note_answer (run, gilk_run_maps_read (&run->maps, error), error);
}

/* Does the work of a tick. Returns FALSE without an error if the run must end. */
static gboolean
run_tick (GilkRun *run, guint tick, GError **error)
{
  gboolean go_on, has_states;
  uint64_t at_ns;

  if (!poll_target (run, FALSE, &has_states, error) || !poll_rings (run, &go_on, error) ||
      !handle_requests (run, &go_on, error))
    return FALSE;
  at_ns = gilk_run_clock_now_ns (&run->clock);
  gilk_run_counters_next_tick (&run->counters);
  update_figures (run);
  check_conditions (run, &go_on);
  *error = gilk_ingest_error (run->ingest);
  if (*error != NULL || !go_on)
    return FALSE;
  g_assert (gilk_run_state (run) == GILK_RUN_RUNNING);
  if (has_states && (!gilk_run_patches_store (&run->patches, FALSE, error) || !gilk_run_patches_check (&run->patches)))
    return FALSE;
  if (tick % POINT_TICKS == 0 && !gilk_run_counters_store_points (&run->counters, at_ns, FALSE, error))
    return FALSE;
  if (!gilk_run_costs_remeasure (&run->costs, error))
    return FALSE;

  return tick % COMMIT_TICKS != 0 ||
         (read_maps (run, error) && gilk_run_maps_store (&run->maps, error) &&
          gilk_run_counters_store_totals (&run->counters, run->ingest, at_ns, FALSE, gilk_run_has_error (run), error) &&
          gilk_run_session_sync (&run->session, error));
}

static void
run_until_end (GilkRun *run)
{
  g_autoptr(GError) error = NULL;
  gint64 tick_us = 0;

  gilk_run_counters_start_rates (&run->counters);
  for (guint tick = 1; wait_tick (run, &tick_us); tick++)
    {
      gilk_run_apply_pending (run);
      if (!run_tick (run, tick, &error))
        break;
    }
  gilk_run_set_error (run, g_steal_pointer (&error));
}

/* ---- STOPPING ---- */

/*
 * Disarms all hooks. The first request turns all of them off. Sites that cannot be restored because
 * another tool uses them are tried again: the kernel optimizes and unoptimizes kprobes
 * asynchronously, so the bytes of a removed kprobe are restored with a delay.
 */
static gboolean
disarm_hooks (GilkRun *run, GError **error)
{
  gboolean disarmed = gilk_armed_disarm (&run->armed, error);

  run->clock.stopped_us = g_get_monotonic_time ();
  for (guint i = 0; i < DISARM_TRIES && !disarmed && g_error_matches (*error, GILK_ERROR, GILK_ERROR_STILL_OWNED); i++)
    {
      g_clear_error (error);
      g_usleep (DISARM_US);
      disarmed = gilk_armed_disarm (&run->armed, error);
    }

  return disarmed;
}

static gboolean
freeze_rings (GilkRun *run, GError **error)
{
  if (!run->rings.is_claimed || run->rings.mode != ILK_RING_OVERWRITE)
    return TRUE;
  if (!gilk_run_rings_freeze (&run->rings, error) || !poll_target (run, TRUE, NULL, error))
    {
      gilk_run_note_target_loss (run, *error);
      return FALSE;
    }
  /* Frozen rings lose new samples from now on; until now the rings lost the oldest samples. So end
   * the recorded losses here. */
  gilk_run_counters_close_losses (&run->counters);
  run->rings.is_frozen = TRUE;

  return TRUE;
}

/* Reads the stacks. They may contain addresses in code of any plan that was live. */
static gboolean
read_stacks (GilkRun *run, GError **error)
{
  g_autoptr(GPtrArray) armed = g_ptr_array_new ();

  if (run->current != NULL)
    g_ptr_array_add (armed, &run->current->armed);
  for (guint i = run->past->len; i-- > 0;)
    g_ptr_array_add (armed, &((GilkLivePlan *) g_ptr_array_index (run->past, i))->armed);
  g_ptr_array_add (armed, &run->armed);

  return note_answer (run, gilk_run_names_read (&run->names, armed, error), error);
}

/* Disarms, then collects the last samples; in the reverse order, samples could be left in a ring.
 * Returns TRUE if the target replied to all requests. */
static gboolean
stop_target (GilkRun *run, struct gilk_samples_end *end, GError **error)
{
  if (!freeze_rings (run, error))
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
  gilk_run_clock_read_end (&run->clock);
  gilk_run_intervals_read (&run->intervals);

  return note_answer (run, gilk_run_rings_release (&run->rings, end, error), error) &&
         poll_target (run, TRUE, NULL, error) && read_maps (run, error) && read_stacks (run, error);
}

static char *
get_end_reason (GilkRun *run)
{
  const char *own;
  char *reason;

  g_mutex_lock (&run->lock);
  own = run->end.reason != NULL && !run->end.is_requested ? run->end.reason : run->stop_asked ? "stopped" : "time is up";
  if (run->error != NULL)
    reason = g_strdup (run->error->message);
  else if (run->patches.is_cut_off)
    reason = g_strdup (run->patches.cut_reason);
  else if (run->patches.cut_reason != NULL)
    reason = g_strdup_printf ("%s; %s", own, run->patches.cut_reason);
  else
    reason = g_strdup (own);
  g_free (run->ended);
  run->ended = g_strdup (reason);
  g_mutex_unlock (&run->lock);

  return reason;
}

/* Writes the final data. Tries each step even after a failure, to keep as much as possible. */
static void
write_final_data (GilkRun *run, uint64_t duration_ns)
{
  g_autofree char *reason = NULL;
  GError *errors[9] = { NULL };

  gilk_run_session_sync (&run->session, &errors[0]);
  gilk_run_set_error (run, errors[0]);
  gilk_run_counters_store_totals (&run->counters, run->ingest, duration_ns, TRUE, gilk_run_has_error (run), &errors[1]);
  gilk_run_counters_store_points (&run->counters, duration_ns, TRUE, &errors[2]);
  gilk_run_patches_store (&run->patches, TRUE, &errors[3]);
  gilk_run_maps_store (&run->maps, &errors[7]);
  for (guint i = 1; i <= 3; i++)
    gilk_run_set_error (run, errors[i]);
  gilk_run_set_error (run, errors[7]);
  update_figures (run);
  if (run->rings.is_frozen)
    {
      gilk_run_session_lock (&run->session);
      gilk_store_narrow_losses (run->session.store, run->session.run, &errors[5]);
      gilk_run_session_unlock (&run->session);
      gilk_run_set_error (run, errors[5]);
    }

  gilk_run_session_lock (&run->session);
  if (gilk_run_clock_store_end (&run->clock, &errors[6]))
    gilk_run_intervals_store (&run->intervals, duration_ns, &errors[6]);
  gilk_run_names_store (&run->names, &errors[8]);
  gilk_run_session_unlock (&run->session);
  gilk_run_set_error (run, errors[6]);
  gilk_run_set_error (run, errors[8]);
  reason = get_end_reason (run);
  gilk_run_session_lock (&run->session);
  gilk_run_names_store_lines (&run->names);
  gilk_run_names_store_accesses (&run->names);
  gilk_store_end_run (run->session.store, run->session.run, duration_ns, reason, &errors[4]);
  gilk_run_session_unlock (&run->session);
  gilk_run_set_error (run, errors[4]);
}

/* If the target was lost, makes the loss the run's error, unless the run has an error already. The
 * run's end is then the time of the last reply with counters. */
static void
handle_target_loss (GilkRun *run)
{
  GError *lost;

  gilk_run_rings_abandon (&run->rings);
  run->clock.stopped_us = MAX (run->counters.answered_us, run->clock.zero_us);
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

  g_assert (run->clock.zero_us != 0 && run->ingest != NULL);
  gilk_run_set_state (run, GILK_RUN_STOPPING);
  if (!gilk_run_is_lost (run))
    complete = stop_target (run, &end, &error);
  gilk_run_set_error (run, g_steal_pointer (&error));
  if (gilk_run_is_lost (run))
    handle_target_loss (run);
  gilk_ingest_close (run->ingest);
  gilk_run_set_error (run, gilk_ingest_error (run->ingest));
  if (complete && run->rings.mode != GILK_RING_FIFO &&
      !gilk_run_counters_check_totals (&run->counters, run->ingest, &end, &error))
    gilk_run_set_error (run, g_steal_pointer (&error));
  if (complete && !gilk_run_costs_finish (&run->costs, &error))
    gilk_run_set_error (run, error);
  if (!gilk_run_is_lost (run))
    gilk_armed_release (&run->armed);
  write_final_data (run, (uint64_t) (run->clock.stopped_us - run->clock.zero_us) * 1000);
}

/* Undoes the steps of a failed ARMING. Nothing has been recorded yet. */
static void
roll_back (GilkRun *run)
{
  struct gilk_samples_end end;
  g_autofree char *reason = NULL;

  g_assert (run->clock.zero_us == 0);
  if (run->target != NULL && !gilk_run_is_lost (run) && !run->armed.reserved)
    gilk_run_costs_free_stubs (&run->costs);
  if (run->target != NULL && !gilk_run_is_lost (run) && gilk_armed_release (&run->armed) &&
      run->session.run != 0)
    gilk_run_patches_revoke (&run->patches, FALSE, NULL);
  if (gilk_run_is_lost (run))
    gilk_run_rings_abandon (&run->rings);
  else
    gilk_run_rings_release (&run->rings, &end, NULL);
  g_clear_pointer (&run->ingest, gilk_ingest_free);
  if (run->session.run == 0)
    return;
  reason = get_end_reason (run);
  gilk_run_session_lock (&run->session);
  gilk_store_end_run (run->session.store, run->session.run, 0, reason, NULL);
  gilk_run_session_unlock (&run->session);
}

/* ---- the run's thread ---- */

gpointer
gilk_run_thread (gpointer data)
{
  GilkRun *run = data;
  g_autoptr(GError) error = NULL;
  gulong lost_func = 0;

  run->session.thread = g_thread_self ();
  if (run->target != NULL)
    lost_func = gilk_target_add_lost_func (run->target, gilk_run_target_lost, run);
  if (prepare_run (run, &error))
    {
      gilk_run_set_state (run, GILK_RUN_RUNNING);
      run_until_end (run);
      stop_run (run);
    }
  else if (run->clock.zero_us != 0)
    {
      gilk_run_set_error (run, g_steal_pointer (&error));
      stop_run (run);
    }
  else
    {
      leave_barrier (run);
      gilk_run_set_error (run, g_steal_pointer (&error));
      roll_back (run);
    }
  if (run->target != NULL)
    gilk_target_remove_lost_func (run->target, lost_func);
  gilk_run_finish (run);
  g_object_unref (run);

  return NULL;
}
