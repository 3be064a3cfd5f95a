/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-service.c - event counters, and permission to crash, for hooks that have iids
 *
 * Both are requested before any code is prepared, after the programs' memory.
 */
#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/bind/gilk-bound-service.h"
#include "core/program/gilk-event-names.h"
#include "core/run/gilk-run-private.h"

static gboolean
fail_refused (GError **error, const char *what, guint refusal)
{
  g_set_error (error, GILK_ERROR, GILK_ERROR_REFUSED, "%s (%s): %s %s", what, gilk_refusal_name (refusal),
               gilk_refusal_cause (refusal), gilk_refusal_remedy (refusal));

  return FALSE;
}

static gboolean
make_events (GilkArmed *armed, GCancellable *cancellable, GError **error)
{
  g_autoptr(GArray) events = gilk_bound_events (armed->bound);

  if (events->len == 0)
    return TRUE;
  if (!gilk_target_events (armed->target, (struct ilk_event_counter *) events->data, events->len, 0, cancellable, error))
    return FALSE;
  for (guint i = 0; i < events->len; i++)
    {
      const struct ilk_event_counter *event = &g_array_index (events, struct ilk_event_counter, i);
      g_autofree char *name = gilk_event_text (event->key);
      g_autofree char *what = g_strdup_printf (_("event(%s) is not available here"), name);

      if (event->refusal != 0)
        return fail_refused (error, what, event->refusal);
    }

  return TRUE;
}

static gboolean
allow_crashes (GilkArmed *armed, GCancellable *cancellable, GError **error)
{
  for (guint i = 0; i < armed->n_hooks; i++)
    {
      uint32_t refusal = 0;

      if (!gilk_bound_hook_may_crash (&g_array_index (armed->bound->hooks, GilkBoundHook, i)))
        continue;
      if (!gilk_target_crash (armed->target, armed->iids[i], gilk_plan_crash_flags (armed->bound->plan), &refusal,
                              cancellable, error))
        return FALSE;
      if (refusal != 0)
        return fail_refused (error, _("crash() is not available here"), refusal);
    }

  return TRUE;
}

gboolean
gilk_armed_request_services (GilkArmed    *armed,
                             GCancellable *cancellable,
                             GError      **error)
{
  return make_events (armed, cancellable, error) && allow_crashes (armed, cancellable, error);
}
