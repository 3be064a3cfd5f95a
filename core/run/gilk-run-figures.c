/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-figures.c - what is known of a run at a moment, for people and for the
 * session
 */
#include "core/run/gilk-run-private.h"

/* ---- figures ---- */

/* Inline samples have no counter of hits: what came in and what was lost is all.
 * Where an instrument counts as well, that count has the last word. */
static struct ilk_counter
account (GilkRun *run, guint hook, guint cpu)
{
  struct ilk_counter counter = run->counters[hook * gilk_run_n_cpus (run) + cpu];
  uint64_t received = gilk_inflow_received (run->inflow, hook, cpu), stored;

  if (!gilk_hook_takes_samples (run->bound, hook))
    return counter;

  gilk_run_lock_store (run);
  stored = gilk_store_stored (run->store, run->armed.iids[hook], cpu);
  gilk_run_unlock_store (run);
  if (counter.count == 0)
    counter.count = received + counter.lost;
  if (stored < received && gilk_run_has_error (run))
    counter.lost += received - stored;

  return counter;
}

/* Patch id -> struct ilk_patch_status, as last seen. */
static GHashTable *
status_by_patch (GilkRun *run)
{
  GHashTable *by_patch = g_hash_table_new (NULL, NULL);

  for (guint i = 0; run->status != NULL && i < run->status->len; i++)
    {
      struct ilk_patch_status *s = &g_array_index (run->status, struct ilk_patch_status, i);

      g_hash_table_insert (by_patch, GUINT_TO_POINTER (s->id), s);
    }

  return by_patch;
}

static void
sum_hook (GilkRun *run, guint i, const struct ilk_patch_status *status, GilkHookFigures *figures)
{
  const GilkBoundHook *hook = &g_array_index (run->bound->hooks, GilkBoundHook, i);
  guint now = run->tick % GILK_RUN_RATE_TICKS;
  double seconds;

  *figures = (GilkHookFigures) { .iid = run->armed.iids[i], .tactic = hook->choice.tactic };
  if (status != NULL)
    figures->state = status->state;
  if (hook->gone)
    figures->state = ILK_STATE_RESTORED;
  for (guint cpu = 0; cpu < gilk_run_n_cpus (run); cpu++)
    {
      struct ilk_counter counter = account (run, i, cpu);

      figures->hits += counter.count;
      figures->lost += counter.lost;
      figures->dropped += counter.dropped;
      gilk_run_lock_store (run);
      figures->stored += gilk_store_stored (run->store, figures->iid, cpu);
      gilk_run_unlock_store (run);
    }
  figures->hits_known = !(gilk_hook_takes_samples (run->bound, i) &&
                          run->ring_mode == GILK_RING_FIFO) &&
                        (figures->hits != 0 || !gilk_hook_is_silent (run->bound, i));

  /* The slot of now still holds what was there so many ticks ago. */
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
  g_autoptr(GHashTable) status = status_by_patch (run);
  GilkRunFigures now = {
    .elapsed = gilk_run_elapsed (run), .duration = (double) run->duration_ns / 1e9,
    .bytes = gilk_store_bytes (run->store), .n_hooks = run->armed.n_hooks,
    .ring_bytes = run->rings.ring_bytes, .ring_used = run->rings.used,
    .ring_used_most = run->rings.used_most,
    .hooks = g_new0 (GilkHookFigures, run->armed.n_hooks),
  };

  gilk_run_assert_own (run);
  g_assert (run->counters != NULL && run->history != NULL && run->zero_us != 0);
  for (guint i = 0; i < now.n_hooks; i++)
    {
      sum_hook (run, i, g_hash_table_lookup (status, GUINT_TO_POINTER (run->armed.patch_of[i])),
                &now.hooks[i]);
      now.samples += now.hooks[i].stored;
      now.hooks_live += is_live (now.hooks[i].state);
      if (gilk_hook_takes_samples (run->bound, i))
        {
          now.lost += now.hooks[i].lost;
          now.samples_per_second += now.hooks[i].rate;
        }
    }
  run->history_us[run->tick % GILK_RUN_RATE_TICKS] = g_get_monotonic_time ();

  g_mutex_lock (&run->lock);
  now.state = run->state;
  gilk_run_figures_clear (&run->figures);
  run->figures = now;
  g_mutex_unlock (&run->lock);
  gilk_run_notify_changed (run);
}

/* Asks the target for counters and states; what was known of the others stays if it fails
 * half-way. @error must not be NULL. */
gboolean
gilk_run_ask_target (GilkRun *run, GError **error)
{
  gint64 asked_us = g_get_monotonic_time ();
  GArray *status;

  gilk_run_assert_own (run);
  g_assert (run->counters != NULL && run->zero_us != 0);
  if (!gilk_target_counters (run->target, run->armed.iids, run->armed.n_hooks, TRUE,
                             run->counters, NULL, error))
    {
      gilk_run_note_loss (run, *error);
      return FALSE;
    }
  run->answered_us = g_get_monotonic_time ();
  if (!gilk_run_note_missing (run, asked_us, error))
    return FALSE;
  status = gilk_target_status (run->target, FALSE, NULL, NULL, error);
  if (status == NULL)
    {
      gilk_run_note_loss (run, *error);
      return FALSE;
    }
  g_clear_pointer (&run->status, g_array_unref);
  run->status = status;

  return TRUE;
}

gboolean
gilk_run_freeze_rings (GilkRun  *run,
                       GError  **error)
{
  gilk_run_assert_own (run);
  if (!run->sampling || run->ring_mode != ILK_RING_OVERWRITE)
    return TRUE;
  if (!gilk_target_samples_freeze (run->target, NULL, error) ||
      !gilk_run_ask_target (run, error))
    {
      gilk_run_note_loss (run, *error);
      return FALSE;
    }
  /* What is lost from now on is not what was given up. */
  gilk_run_close_losses (run);
  run->frozen = TRUE;

  return TRUE;
}

/* ---- into the session ---- */

static uint64_t
total_hits (GilkRun *run, guint hook)
{
  uint64_t hits = 0;

  for (guint cpu = 0; cpu < gilk_run_n_cpus (run); cpu++)
    hits += run->counters[hook * gilk_run_n_cpus (run) + cpu].count;

  return hits;
}

gboolean
gilk_run_store_points (GilkRun *run, uint64_t at_ns, GError **error)
{
  gboolean good = TRUE;

  for (guint i = 0; good && i < run->armed.n_hooks; i++)
    if (!gilk_hook_takes_samples (run->bound, i))
      {
        gilk_run_lock_store (run);
        good = gilk_store_add_count_point (run->store, run->run, run->armed.iids[i], at_ns,
                                           total_hits (run, i), error);
        gilk_run_unlock_store (run);
      }

  return good;
}

gboolean
gilk_run_store_counts (GilkRun *run, uint64_t at_ns, GError **error)
{
  gboolean good = TRUE;

  for (guint i = 0; good && i < run->armed.n_hooks; i++)
    for (guint cpu = 0; good && cpu < gilk_run_n_cpus (run); cpu++)
      {
        struct ilk_counter counter = account (run, i, cpu);

        gilk_run_lock_store (run);
        good = gilk_store_put_counts (run->store, run->run, run->armed.iids[i], cpu, &counter,
                                      at_ns, error);
        gilk_run_unlock_store (run);
      }

  return good;
}

gboolean
gilk_run_flush (GilkRun *run, GError **error)
{
  gboolean good;

  gilk_run_lock_store (run);
  good = gilk_store_sync (run->store, error);
  gilk_run_unlock_store (run);

  return good;
}
