/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-change.c - adds and removes hooks during a run
 *
 *   1. reserve, emit and prepare new hooks; kernel text is unchanged
 *   2. give new hooks rows, in memory and in the session, and write the journal to disk
 *   3. arm: new hooks work and changed patches replace live patches, or nothing changes
 *   4. disarm patches that lost their last hook, and set the stop time of removed hooks
 *
 * The run's plan is a list that only grows: a removed hook keeps its row, its figures and its
 * counters until the run ends. The live hooks are a separate bound plan; each of them has a row.
 *
 * All steps run on the run's thread between two ticks, while the caller waits.
 */
#include "core/run/gilk-run-private.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/run/gilk-run-metadata.h"
#include "core/store/gilk-store-write.h"

/* ---- rows ---- */

static guint
row_of (const GilkRun *run, guint live_hook)
{
  return run->current != NULL ? run->current->rows[live_hook] : live_hook;
}

static void
grow_rows (GilkRun *run, GilkLivePlan *next)
{
  guint before = run->rows.n;

  gilk_run_rows_add (&run->rows, &next->armed, run->current != NULL ? run->current->rows : NULL, next->rows);
  gilk_run_counters_grow (&run->counters, before);
  gilk_ingest_grow (run->ingest, &run->rows);
  gilk_ingest_track_rows (run->ingest, run->bound, before, run->tracked_max);
}

/* ---- the session ---- */

static gboolean
write_rows (GilkRun *run, const GilkLivePlan *next, guint before, uint64_t now_ns, GError **error)
{
  gboolean good;

  gilk_run_session_lock (&run->session);
  good = gilk_run_write_new_hooks (run->session.store, run->session.run, &next->armed, run->image, run->bound, before,
                                   now_ns, error);
  gilk_run_session_unlock (&run->session);
  gilk_run_rows_set_stored (&run->rows, &next->armed, next->rows);

  return good;
}

static gboolean
end_row (GilkRun *run, guint row, uint64_t now_ns, GError **error)
{
  GilkBoundHook *hook = gilk_bound_hook (run->bound, row);
  gboolean good = TRUE;

  hook->removed = TRUE;
  run->rows.patch_of[row] = 0;
  if (hook->hook->stop_ns != 0 && hook->hook->stop_ns <= now_ns)
    return TRUE;
  gilk_run_session_lock (&run->session);
  good = gilk_store_end_hook (run->session.store, run->session.run, run->rows.iids[row], now_ns, error);
  gilk_run_session_unlock (&run->session);

  return good;
}

/* ---- the change ---- */

static GilkLivePlan *
live_plan_new (GilkRun *run, GilkBoundPlan *bound)
{
  GilkLivePlan *next = g_new0 (GilkLivePlan, 1);

  next->bound = bound;
  next->rows = g_new0 (guint, bound->hooks->len + 1);
  gilk_armed_init (&next->armed, run->target, bound,
                   run->current != NULL ? &run->current->armed : &run->armed);

  return next;
}

void
gilk_live_plan_free (GilkLivePlan *live)
{
  if (live == NULL)
    return;

  gilk_armed_clear (&live->armed);
  gilk_bound_plan_free (live->bound);
  g_free (live->rows);
  g_free (live);
}

/* Sets the stop time of hooks that are new in @next to the current time, because the change
 * failed. */
static void
end_new_rows (GilkRun *run, const GilkLivePlan *next)
{
  uint64_t at = gilk_run_clock_now_ns (&run->clock);

  for (guint i = 0; i < next->armed.n_hooks; i++)
    if (gilk_bound_hook (next->bound, i)->live_index == G_MAXUINT)
      end_row (run, next->rows[i], at, NULL);
}

/*
 * Sets the stop time of hooks that were live and are not in @next. @n_rows: number of rows before
 * @next; before the first change of the run, these rows are the live hooks.
 */
static gboolean
end_removed_rows (GilkRun *run, const GilkLivePlan *next, guint n_rows, GError **error)
{
  const GilkBoundPlan *live = gilk_run_live_plan (run);
  guint n_live = run->current != NULL ? live->hooks->len : n_rows;
  g_autofree gboolean *stays = g_new0 (gboolean, n_live + 1);
  uint64_t at = gilk_run_clock_now_ns (&run->clock);
  gboolean good = TRUE;

  for (guint i = 0; i < next->armed.n_hooks; i++)
    {
      guint was = gilk_bound_hook (next->bound, i)->live_index;

      if (was != G_MAXUINT)
        stays[was] = TRUE;
    }
  for (guint i = 0; i < n_live; i++)
    if (!stays[i] && !gilk_bound_hook (live, i)->removed)
      good &= end_row (run, row_of (run, i), at, good ? error : NULL);

  return good;
}

/* Updates the rows of the hooks of @next: hooks that stay may be in another patch now. */
static void
update_rows (GilkRun *run, const GilkLivePlan *next)
{
  for (guint i = 0; i < next->armed.n_hooks; i++)
    {
      const GilkBoundHook *hook = gilk_bound_hook (next->bound, i);

      run->rows.patch_of[next->rows[i]] = next->armed.patch_of[i];
      gilk_bound_hook (run->bound, next->rows[i])->choice = hook->choice;
    }
}

static gboolean
arm_change (GilkRun *run, GilkLivePlan *next, GError **error)
{
  guint before = run->rows.n;
  struct ilk_arm arm;

  grow_rows (run, next);
  if (write_rows (run, next, before, gilk_run_clock_now_ns (&run->clock), error) &&
      gilk_run_rings_claim (&run->rings, next->bound, &run->armed.info, run->ingest, run->arming, error) &&
      gilk_run_patches_plan (&run->patches, &next->armed, NULL, error))
    {
      if (gilk_armed_arm (&next->armed, &arm, NULL, error))
        return TRUE;
      if (arm.refusal != 0)
        gilk_run_patches_revoke (&run->patches, TRUE, *error);
    }

  /* The rows of new hooks stay, because their counters are already requested from the driver. */
  end_new_rows (run, next);
  gilk_armed_rollback (&next->armed, FALSE);

  return FALSE;
}

/* Refuses new hooks whose stop time has passed: they would never run. */
static gboolean
check_times (GilkRun *run, const GilkBoundPlan *bound, GError **error)
{
  uint64_t at = gilk_run_clock_now_ns (&run->clock);

  for (guint i = 0; i < bound->hooks->len; i++)
    {
      const GilkBoundHook *hook = gilk_bound_hook (bound, i);

      if (hook->live_index != G_MAXUINT || hook->hook->stop_ns == 0 || hook->hook->stop_ns > at)
        continue;
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("The stop of hook %s, %.1f s after the run started, has already passed. "
                     "Give the hook a later stop, or none."),
                   hook->hook->label, (double) hook->hook->stop_ns / 1e9);
      return FALSE;
    }

  return TRUE;
}

/* Refuses changes of A/B runs: a hook added later would be on while all others are off. */
static gboolean
check_intervals (const GilkRun *run, const GilkBoundPlan *bound, GError **error)
{
  if (run->intervals.n == 0 && bound->plan->interleave.period_ns == 0)
    return TRUE;
  if (run->intervals.n == 0)
    g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                 _("The plan now switches hooks off and on in intervals, which a run can only do from its start. Stop "
                   "this run and start a new one."));
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                 _("The hooks of this run are switched off and on in intervals, and cannot be "
                   "changed until the run ends. Stop the run first."));

  return FALSE;
}

/* Refuses changes of watchpoints: debug registers are assigned only once. */
static gboolean
check_watches (GilkRun *run, const GilkBoundPlan *bound, GError **error)
{
  const GilkBoundPlan *live = gilk_run_live_plan (run);
  guint stay = 0, there = 0, wanted = 0;

  for (guint i = 0; i < live->hooks->len; i++)
    there += gilk_bound_hook (live, i)->hook->watch != NULL && !gilk_bound_hook (live, i)->removed;
  for (guint i = 0; i < bound->hooks->len; i++)
    if (gilk_bound_hook (bound, i)->hook->watch != NULL)
      {
        wanted++;
        stay += gilk_bound_hook (bound, i)->live_index != G_MAXUINT;
      }
  if (stay == there && stay == wanted)
    return TRUE;
  g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
               _("Watchpoints cannot be changed during a run; other hooks can. Stop the run "
                 "and start a new one."));

  return FALSE;
}

static gboolean
measure_new_hooks (GilkRun *run, const GilkLivePlan *next, GError **error)
{
  gboolean good;

  gilk_run_costs_measure (&run->costs, next->bound, NULL);
  gilk_run_session_lock (&run->session);
  good = gilk_run_costs_store (&run->costs, error);
  gilk_run_session_unlock (&run->session);

  return good;
}

/* Makes @bound the run's live plan: arms new hooks, and disarms removed ones. @bound: (transfer
 * full) */
static gboolean
apply_plan (GilkRun *run, GilkBoundPlan *bound, GilkConsent granted, GError **error)
{
  guint n_rows = run->rows.n;
  GilkLivePlan *next;
  gboolean good;

  gilk_run_assert_own (run);
  g_assert (gilk_run_state (run) == GILK_RUN_RUNNING && run->ingest != NULL);
  if (!check_intervals (run, bound, error) || !gilk_bound_plan_check (bound, error) || !check_times (run, bound, error) ||
      !check_watches (run, bound, error) || !gilk_consent_check (bound, granted, error))
    {
      gilk_bound_plan_free (bound);
      return FALSE;
    }

  next = live_plan_new (run, bound);
  if (!gilk_armed_prepare (&next->armed, run->image, NULL, error))
    {
      gilk_armed_rollback (&next->armed, TRUE);
      gilk_live_plan_free (next);
      return FALSE;
    }
  if (!arm_change (run, next, error))
    {
      g_ptr_array_add (run->past, next);    /* keep @next in @past, because rows refer to its
                                             * hooks */
      return FALSE;
    }

  good = gilk_armed_disarm_removed (&next->armed, error);
  good &= end_removed_rows (run, next, n_rows, good ? error : NULL);
  update_rows (run, next);
  next->armed.live = NULL;
  if (run->current != NULL)
    g_ptr_array_add (run->past, run->current);
  run->current = next;

  return good && measure_new_hooks (run, next, error);
}

/* ---- public functions ---- */

const GilkBoundPlan *
gilk_run_live_plan (GilkRun *run)
{
  return run->current != NULL ? run->current->bound : run->bound;
}

gboolean
gilk_run_change (GilkRun       *run,
                 GilkBoundPlan *bound,
                 GilkConsent    granted,
                 GError       **error)
{
  GilkRunChange change = { .bound = bound, .granted = granted };

  g_mutex_lock (&run->lock);
  if (run->state == GILK_RUN_RUNNING && !run->stop_asked && run->change == NULL)
    {
      run->change = &change;
      g_cond_broadcast (&run->changed);
      while (!change.done && !run->finished)
        g_cond_wait (&run->changed, &run->lock);
      run->change = NULL;
    }
  g_mutex_unlock (&run->lock);

  if (change.done && change.error == NULL)
    return TRUE;
  if (change.error != NULL)
    {
      g_propagate_error (error, change.error);
      return FALSE;
    }
  gilk_bound_plan_free (bound);
  g_set_error (error, GILK_ERROR, GILK_ERROR_FAILED,
               _("The run has ended, so its hooks cannot be changed. Start a new run."));

  return FALSE;
}

void
gilk_run_apply_pending (GilkRun *run)
{
  GilkRunChange *change;
  GError *error = NULL;

  g_mutex_lock (&run->lock);
  change = run->change != NULL && !run->change->done ? run->change : NULL;
  g_mutex_unlock (&run->lock);
  if (change == NULL)
    return;

  apply_plan (run, change->bound, change->granted, &error);
  if (error != NULL)
    gilk_run_note_target_loss (run, error);

  g_mutex_lock (&run->lock);
  change->error = error;
  change->done = TRUE;
  g_cond_broadcast (&run->changed);
  g_mutex_unlock (&run->lock);
}
