/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-service.c - checks that the target can serve programs that read event counters or
 * crash the kernel
 *
 * When a plan is bound, the agent or the driver checks whether each event counter can be read, and
 * whether a crash is possible. The run checks the same again when it starts.
 */
#include "core/bind/gilk-bound-private.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/language/gilk-event-names.h"

static GArray *
list_hook_events (const GilkBoundHook *hook)
{
  return hook->program != NULL && hook->error == NULL ? gilk_ops_events (gilk_program_ops (hook->program))
                                                      : g_array_new (FALSE, FALSE, sizeof (uint64_t));
}

static const struct gilk_event_counter *
find_event (const GArray *events, uint64_t key)
{
  for (guint i = 0; i < events->len; i++)
    if (g_array_index (events, struct gilk_event_counter, i).key == key)
      return &g_array_index (events, struct gilk_event_counter, i);

  return NULL;
}

GArray *
gilk_bound_events (const GilkBoundPlan *bound)
{
  GArray *events = g_array_new (FALSE, TRUE, sizeof (struct gilk_event_counter));

  for (guint i = 0; i < bound->hooks->len; i++)
    {
      g_autoptr(GArray) keys = list_hook_events (gilk_bound_hook (bound, i));

      for (guint k = 0; k < keys->len; k++)
        {
          const struct gilk_event_counter event = { .key = g_array_index (keys, uint64_t, k) };

          if (find_event (events, event.key) == NULL)
            g_array_append_val (events, event);
        }
    }

  return events;
}

static void
set_refusal (GilkBoundHook *hook, const char *what, guint refusal)
{
  if (hook->error == NULL)
    g_set_error (&hook->error, GILK_ERROR, GILK_ERROR_REFUSED, _("Program %s: %s (%s): %s %s"), hook->hook->instrument,
                 what, gilk_refusal_name (refusal), gilk_refusal_cause (refusal), gilk_refusal_remedy (refusal));
}

/* ---- event counters ---- */

static void
refuse_missing (const GilkBoundPlan *bound, const GArray *events)
{
  for (guint i = 0; i < bound->hooks->len; i++)
    {
      g_autoptr(GArray) keys = list_hook_events (gilk_bound_hook (bound, i));

      for (guint k = 0; k < keys->len; k++)
        {
          const struct gilk_event_counter *event = find_event (events, g_array_index (keys, uint64_t, k));
          g_autofree char *name = gilk_event_text (event->key);
          g_autofree char *what = g_strdup_printf (_("event(%s) is not available here"), name);

          if (event->refusal != 0)
            set_refusal (gilk_bound_hook (bound, i), what, event->refusal);
        }
    }
}

static void
refuse_excess (const GilkBoundPlan *bound, guint count)
{
  for (guint i = 0; i < bound->hooks->len; i++)
    {
      g_autoptr(GArray) keys = list_hook_events (gilk_bound_hook (bound, i));

      if (keys->len > 0)
        g_set_error (&gilk_bound_hook (bound, i)->error, GILK_ERROR, GILK_ERROR_USAGE,
                     _("The programs read %u event counters, more than the maximum of %d. Let them read fewer."), count, GILK_EVENTS_MAX);
    }
}

/* Returns whether the program of a hook sets the address of a watchpoint. */
static gboolean
moves_watchpoint (const GilkBoundHook *hook)
{
  return hook->program != NULL && hook->error == NULL && gilk_ops_calls_service (gilk_program_ops (hook->program), GILK_SERVICE_MOVE);
}

/* If the plan uses the driver and not BPF, refuses all hooks whose programs read event counters or
 * set the address of a watchpoint. */
static void
refuse_without_bpf (const GilkBoundPlan *bound)
{
  for (guint i = 0; i < bound->hooks->len; i++)
    {
      g_autoptr(GArray) keys = list_hook_events (gilk_bound_hook (bound, i));

      if (keys->len > 0)
        set_refusal (gilk_bound_hook (bound, i), _("event() is not available here"), GILK_REFUSAL_NEEDS_BPF);
      if (moves_watchpoint (gilk_bound_hook (bound, i)))
        set_refusal (gilk_bound_hook (bound, i), _("watch() is not available here"), GILK_REFUSAL_NEEDS_BPF);
    }
}

char *
gilk_bound_plan_describe_missing_counters (const GilkBoundPlan *bound)
{
  g_autoptr(GString) out = g_string_new (NULL);

  for (guint i = 0; bound->events != NULL && i < bound->events->len; i++)
    {
      const struct gilk_event_counter *event = &g_array_index (bound->events, struct gilk_event_counter, i);
      g_autofree char *name = gilk_event_text (event->key);

      if (event->blind != 0 && event->refusal == 0)
        g_string_append_printf (out->len > 0 ? g_string_append_c (out, ' ') : out,
                                _("event(%s) counts on only %u of %u processors; on the others its value is "
                                  "unavailable."), name, event->cpus,
                                event->cpus + event->blind);
    }

  return out->len > 0 ? g_string_free (g_steal_pointer (&out), FALSE) : NULL;
}

static gboolean
check_events (GilkBoundPlan *bound, GilkTarget *target, GCancellable *cancellable, GError **error)
{
  GArray *events = bound->events = gilk_bound_events (bound);

  if (events->len > GILK_EVENTS_MAX)
    {
      refuse_excess (bound, events->len);
      g_array_set_size (events, 0);
    }
  if (!bound->by_bpf)
    refuse_without_bpf (bound);
  if (events->len == 0 || target == NULL || !bound->by_bpf)
    return TRUE;
  if (!gilk_target_events (target, (struct gilk_event_counter *) events->data, events->len, GILK_EVENTS_PROBE, cancellable, error))
    return FALSE;
  refuse_missing (bound, events);

  return TRUE;
}

/* ---- crashes ---- */

uint32_t
gilk_plan_crash_flags (const GilkPlan *plan)
{
  return plan->crash == GILK_CRASH_WITHOUT_DUMP ? ILK_CRASH_NO_DUMP : 0;
}

gboolean
gilk_bound_hook_may_crash (const GilkBoundHook *hook)
{
  return hook->program != NULL && gilk_ops_calls_service (gilk_program_ops (hook->program), ILK_SERVICE_CRASH);
}

static gboolean
check_crashes (const GilkBoundPlan *bound, GilkTarget *target, GCancellable *cancellable, GError **error)
{
  uint32_t refusal = 0;
  gboolean asked = FALSE;

  for (guint i = 0; i < bound->hooks->len; i++)
    {
      if (!gilk_bound_hook_may_crash (gilk_bound_hook (bound, i)))
        continue;
      if (!asked && target != NULL &&
          !gilk_target_crash (target, 0, gilk_plan_crash_flags (bound->plan) | ILK_CRASH_TRY, &refusal, cancellable, error))
        return FALSE;
      asked = TRUE;
      if (refusal != 0)
        set_refusal (gilk_bound_hook (bound, i), _("crash() is not available here"), refusal);
    }

  return TRUE;
}

gboolean
gilk_bound_services_check (GilkBoundPlan *bound,
                           GilkTarget    *target,
                           GCancellable  *cancellable,
                           GError       **error)
{
  return check_events (bound, target, cancellable, error) && check_crashes (bound, target, cancellable, error);
}
