/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-watch.c - watches of a run: given to the driver, and looked after
 *
 * They get their registers with the hooks' PREPARE and work from ARM on; hooks in text and they are armed together.
 */
#include "core/run/gilk-run-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"

static const GilkBoundHook *
hook_at (const GilkBoundPlan *bound, guint i)
{
  return &g_array_index (bound->hooks, GilkBoundHook, i);
}

static gboolean
is_new (const GilkArmed *armed, guint i)
{
  return hook_at (armed->bound, i)->hook->watch != NULL && hook_at (armed->bound, i)->was == G_MAXUINT;
}

static struct ilk_watch
watch_of (const GilkArmed *armed, guint i)
{
  const GilkBoundHook *hook = hook_at (armed->bound, i);
  struct ilk_watch watch = hook->watch;

  watch.iid = armed->iids[i];
  watch.start_ns = hook->hook->start_ns;
  watch.stop_ns = hook->hook->stop_ns;
  if (hook->control == GILK_CONTROL_STARTED)
    watch.flags |= ILK_WATCH_HELD;
  if (gilk_plan_switches (armed->bound->plan, hook->hook))
    watch.gate = armed->switch_iid;

  return watch;
}

/* In the words of the watch that was refused. */
static gboolean
explain (const GilkArmed *armed, const struct ilk_watch *watches, guint n, GError **error)
{
  for (guint w = 0; w < n; w++)
    for (guint i = 0; watches[w].refusal != ILK_REFUSAL_NONE && i < armed->n_hooks; i++)
      {
        if (armed->iids[i] != watches[w].iid)
          continue;
        g_clear_error (error);
        g_set_error (error, GILK_ERROR, GILK_ERROR_REFUSED, _("%s cannot be watched: %s %s"),
                     hook_at (armed->bound, i)->hook->function, gilk_refusal_cause (watches[w].refusal),
                     gilk_refusal_remedy (watches[w].refusal));
        return FALSE;
      }

  return FALSE;
}

gboolean
gilk_armed_watch (GilkArmed     *armed,
                  GCancellable  *cancellable,
                  GError       **error)
{
  struct ilk_watch watches[ILK_WATCHES_MAX];
  guint n = 0;

  for (guint i = 0; i < armed->n_hooks && n < ILK_WATCHES_MAX; i++)
    if (is_new (armed, i))
      watches[n++] = watch_of (armed, i);
  if (n == 0 || gilk_target_watch (armed->target, watches, n, cancellable, error))
    return TRUE;

  return explain (armed, watches, n, error);
}

gboolean
gilk_run_check_watches (GilkRun              *run,
                        const GilkBoundPlan  *bound,
                        GError              **error)
{
  const GilkBoundPlan *live = gilk_run_live_plan (run);
  guint stay = 0, there = 0, wanted = 0;

  for (guint i = 0; i < live->hooks->len; i++)
    there += hook_at (live, i)->hook->watch != NULL && !hook_at (live, i)->gone;
  for (guint i = 0; i < bound->hooks->len; i++)
    if (hook_at (bound, i)->hook->watch != NULL)
      {
        wanted++;
        stay += hook_at (bound, i)->was != G_MAXUINT;
      }
  if (stay == there && stay == wanted)
    return TRUE;
  g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
               _("The watches of a run stay the same until it ends; hooks may come and go. Stop it and start a new one."));

  return FALSE;
}

/* ---- while it runs ---- */

/* @rows: (out): of the status of each. Returns how many there are. */
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
gilk_run_ask_watches (GilkRun  *run,
                      GError  **error)
{
  uint32_t iids[ILK_WATCHES_MAX];
  guint rows[ILK_WATCHES_MAX], n;

  gilk_run_assert_own (run);
  n = list_watches (run, iids, rows);
  if (n == 0)
    return TRUE;
  if (!gilk_target_watch_status (run->target, iids, n, run->watches, NULL, error))
    {
      gilk_run_note_loss (run, *error);
      return FALSE;
    }
  run->n_watches = n;

  return TRUE;
}

guint
gilk_run_watch_state (GilkRun *run,
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
gilk_run_watch_paused (GilkRun *run, guint row)
{
  for (guint i = 0; i < run->n_watches; i++)
    if (run->watches[i].iid == run->armed.iids[row] && run->watches[i].pauses > 0)
      return &run->watches[i];

  return NULL;
}
