/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-armed-watchpoint.c - hands the watchpoints of a bound plan to the driver
 *
 * They get their debug registers when the hooks are prepared and work from ARM on, together with
 * hooks in kernel text.
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
  return hook_at (armed->bound, i)->hook->watch != NULL && hook_at (armed->bound, i)->live_index == G_MAXUINT;
}

static struct ilk_watch
make_watch (const GilkArmed *armed, guint i)
{
  const GilkBoundHook *hook = hook_at (armed->bound, i);
  struct ilk_watch watch = hook->watch;

  watch.iid = armed->iids[i];
  watch.patch = armed->patch_of[i];
  watch.start_ns = hook->hook->start_ns;
  watch.stop_ns = hook->hook->stop_ns;
  if (hook->control == GILK_CONTROL_STARTED)
    watch.flags |= ILK_WATCH_GATE_CLOSED;
  if (gilk_plan_is_switched (armed->bound->plan, hook->hook))
    watch.gate = armed->switch_iid;

  return watch;
}

/* Replaces @error by the refusal of a watchpoint, if one was refused. Always returns FALSE. */
static gboolean
explain_refusal (GilkArmed *armed, const struct ilk_watch *watches, guint n, GError **error)
{
  for (guint w = 0; w < n; w++)
    for (guint i = 0; watches[w].refusal != ILK_REFUSAL_NONE && i < armed->n_hooks; i++)
      {
        if (armed->iids[i] != watches[w].iid)
          continue;
        armed->refusals[i] = (uint16_t) watches[w].refusal;
        g_clear_error (error);
        g_set_error (error, GILK_ERROR, GILK_ERROR_REFUSED, _("Cannot watch %s: %s %s"),
                     hook_at (armed->bound, i)->hook->function, gilk_refusal_cause (watches[w].refusal),
                     gilk_refusal_remedy (watches[w].refusal));
        return FALSE;
      }

  return FALSE;
}

gboolean
gilk_armed_set_watchpoints (GilkArmed    *armed,
                            GCancellable *cancellable,
                            GError      **error)
{
  struct ilk_watch watches[ILK_WATCHES_MAX];
  guint n = 0;

  for (guint i = 0; i < armed->n_hooks && n < ILK_WATCHES_MAX; i++)
    if (is_new (armed, i))
      watches[n++] = make_watch (armed, i);
  if (n == 0 || gilk_target_set_watchpoints (armed->target, watches, n, cancellable, error))
    return TRUE;

  return explain_refusal (armed, watches, n, error);
}
