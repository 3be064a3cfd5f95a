/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-figures.c - computes the current figures of a run, for users and for the session
 */
#include "core/run/gilk-run-private.h"
#include "core/store/gilk-store-write.h"

/* ---- figures ---- */

/* Returns a map from patch id to its last status. */
static GHashTable *
map_status_by_patch (GilkRun *run)
{
  GHashTable *by_patch = g_hash_table_new (NULL, NULL);

  for (guint i = 0; run->status != NULL && i < run->status->len; i++)
    {
      struct ilk_patch_status *s = &g_array_index (run->status, struct ilk_patch_status, i);

      g_hash_table_insert (by_patch, GUINT_TO_POINTER (s->id), s);
    }

  return by_patch;
}

static uint64_t
get_stored (GilkRun *run, uint32_t iid, guint cpu)
{
  uint64_t stored;

  gilk_run_lock_store (run);
  stored = gilk_store_stored (run->store, iid, cpu);
  gilk_run_unlock_store (run);

  return stored;
}

static void
sum_hook (GilkRun *run, guint i, const struct ilk_patch_status *status, GilkHookFigures *figures, GilkCpuFigures *cpus)
{
  const GilkBoundHook *hook = &g_array_index (run->bound->hooks, GilkBoundHook, i);
  gboolean takes_samples = gilk_hook_takes_samples (run->bound, i);
  const struct ilk_watch_status *watch = gilk_run_watchpoint_status (run, i);
  guint now = run->tick % GILK_RUN_RATE_TICKS;
  double seconds;

  *figures = (GilkHookFigures) { .iid = run->armed.iids[i], .tactic = hook->choice.tactic };
  if (status != NULL)
    figures->state = status->state;
  if (hook->hook->watch != NULL)
    figures->state = gilk_run_watchpoint_state (run, i);
  if (watch != NULL)
    figures->watch = *watch;
  if (hook->removed)
    figures->state = ILK_STATE_RESTORED;
  for (guint cpu = 0; cpu < gilk_run_n_cpus (run); cpu++)
    {
      struct ilk_counter counter = gilk_run_hook_totals (run, i, cpu);

      figures->hits += counter.count;
      figures->lost += counter.lost;
      figures->missed += counter.missed;
      cpus[cpu].hits += counter.count;
      cpus[cpu].lost += counter.lost;
      if (takes_samples)
        figures->stored += get_stored (run, figures->iid, cpu);
    }
  figures->hits_known = !(takes_samples && run->ring_mode == GILK_RING_FIFO) &&
                        (figures->hits != 0 || !gilk_hook_leaves_no_trace (run->bound, i));

  /* The current slot holds the hits of GILK_RUN_RATE_TICKS ticks ago. */
  seconds = (double) (g_get_monotonic_time () - run->history_us[now]) / 1e6;
  if (seconds > 0.0 && figures->hits >= run->history[now * run->armed.n_hooks + i])
    figures->rate =
      (double) (figures->hits - run->history[now * run->armed.n_hooks + i]) / seconds;
  run->history[now * run->armed.n_hooks + i] = figures->hits;
}

static gboolean
is_live (uint32_t state)
{
  return state == ILK_STATE_TRAPPED || state == ILK_STATE_ARMED;
}

void
gilk_run_update_figures (GilkRun *run)
{
  g_autoptr(GHashTable) status = map_status_by_patch (run);
  GilkRunFigures now = {
    .elapsed = gilk_run_elapsed (run), .duration = (double) run->duration_ns / 1e9,
    .bytes = gilk_store_bytes (run->store), .n_hooks = run->armed.n_hooks,
    .ring_bytes = run->rings.ring_bytes, .ring_used = run->rings.used,
    .ring_used_max = run->rings.used_max,
    .hooks = g_new0 (GilkHookFigures, run->armed.n_hooks + 1),
    .n_cpus = gilk_run_n_cpus (run), .cpus = g_new0 (GilkCpuFigures, gilk_run_n_cpus (run) + 1),
  };

  gilk_run_assert_own (run);
  g_assert (run->counters != NULL && run->history != NULL && run->zero_us != 0);
  for (guint i = 0; i < now.n_hooks; i++)
    {
      sum_hook (run, i, g_hash_table_lookup (status, GUINT_TO_POINTER (run->armed.patch_of[i])),
                &now.hooks[i], now.cpus);
      now.samples += now.hooks[i].stored;
      now.hooks_live += is_live (now.hooks[i].state);
      if (gilk_hook_takes_samples (run->bound, i))
        {
          now.lost += now.hooks[i].lost;
          now.samples_per_second += now.hooks[i].rate;
        }
    }
  gilk_run_sum_failed_reads (run, now.hooks);
  run->history_us[run->tick % GILK_RUN_RATE_TICKS] = g_get_monotonic_time ();

  g_mutex_lock (&run->lock);
  now.state = run->state;
  gilk_run_figures_clear (&run->figures);
  run->figures = now;
  g_mutex_unlock (&run->lock);
  gilk_run_notify_changed (run);
}

/* States are much larger than counters, and rarely change. */
static gboolean
are_states_due (const GilkRun *run)
{
  return run->status == NULL || g_get_monotonic_time () - run->status_us >=
         GILK_RUN_TICK_US * (gint64) run->armed.n_hooks / GILK_RUN_STATUS_HOOKS;
}

gboolean
gilk_run_poll_target (GilkRun *run, gboolean states, GError **error)
{
  gint64 asked_us = g_get_monotonic_time ();
  GArray *status;

  gilk_run_assert_own (run);
  g_assert (run->counters != NULL && run->zero_us != 0);
  if (!gilk_target_counters (run->target, run->armed.iids, run->armed.n_hooks, TRUE,
                             run->counters, NULL, error))
    {
      gilk_run_note_target_loss (run, *error);
      return FALSE;
    }
  run->answered_us = g_get_monotonic_time ();
  if (!gilk_run_record_losses (run, asked_us, error))
    return FALSE;
  run->new_states = states || are_states_due (run);
  if (!run->new_states)
    return TRUE;
  status = gilk_target_status (run->target, FALSE, NULL, NULL, error);
  if (status == NULL)
    {
      gilk_run_note_target_loss (run, *error);
      return FALSE;
    }
  g_clear_pointer (&run->status, g_array_unref);
  run->status = status;
  run->status_us = g_get_monotonic_time ();

  return gilk_run_poll_watchpoints (run, error);
}

gboolean
gilk_run_freeze_rings (GilkRun *run,
                       GError **error)
{
  gilk_run_assert_own (run);
  if (!run->sampling || run->ring_mode != ILK_RING_OVERWRITE)
    return TRUE;
  if (!gilk_target_samples_freeze (run->target, NULL, error) ||
      !gilk_run_poll_target (run, TRUE, error))
    {
      gilk_run_note_target_loss (run, *error);
      return FALSE;
    }
  /* Samples lost from now on are not those that were overwritten. */
  gilk_run_close_losses (run);
  run->frozen = TRUE;

  return TRUE;
}
