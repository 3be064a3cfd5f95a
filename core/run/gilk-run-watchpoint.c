/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-watchpoint.c - status of a run's watchpoints
 */
#include "core/run/gilk-run-private.h"

static const GilkBoundHook *
hook_at (const GilkBoundPlan *bound, guint i)
{
  return &g_array_index (bound->hooks, GilkBoundHook, i);
}

/* @rows: (out): row of each. Returns how many there are. */
static guint
list_watches (GilkRun *run, uint32_t iids[ILK_WATCHES_MAX], guint rows[ILK_WATCHES_MAX])
{
  guint n = 0;

  for (guint i = 0; i < run->armed.n_hooks && n < ILK_WATCHES_MAX; i++)
    if (hook_at (run->bound, i)->hook->watch != NULL)
      {
        rows[n] = i;
        iids[n++] = run->armed.iids[i];
      }

  return n;
}

gboolean
gilk_run_poll_watchpoints (GilkRun *run,
                           GError **error)
{
  uint32_t iids[ILK_WATCHES_MAX];
  guint rows[ILK_WATCHES_MAX], n;

  gilk_run_assert_own (run);
  n = list_watches (run, iids, rows);
  if (n == 0)
    return TRUE;
  if (!gilk_target_watchpoint_status (run->target, iids, n, run->watches, NULL, error))
    {
      gilk_run_note_target_loss (run, *error);
      return FALSE;
    }
  run->n_watches = n;

  return TRUE;
}

guint
gilk_run_watchpoint_state (GilkRun *run,
                           guint    row)
{
  for (guint i = 0; i < run->n_watches; i++)
    if (run->watches[i].iid == run->armed.iids[row])
      return run->watches[i].state == ILK_WATCH_LIVE ? ILK_STATE_ARMED
             : run->watches[i].state == ILK_WATCH_READY ? ILK_STATE_PREPARED
             : run->watches[i].state == ILK_WATCH_GONE ? ILK_STATE_GONE : ILK_STATE_RESTORED;

  return ILK_STATE_PREPARED;
}

const struct ilk_watch_status *
gilk_run_watchpoint_status (GilkRun *run, guint row)
{
  for (guint i = 0; i < run->n_watches; i++)
    if (run->watches[i].iid == run->armed.iids[row])
      return &run->watches[i];

  return NULL;
}
