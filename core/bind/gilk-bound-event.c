/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gilk-bound-event.c - finds the tracepoints of a plan in a running kernel */
#include "core/bind/gilk-bound-event.h"

#include <glib/gi18n.h>
#include <string.h>

#include "agent/gilk-wire.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/emit/gilk-inline.h"
#include "core/image/gilk-image-user.h"
#include "core/plan/gilk-plan-event.h"

/* Returns the reason (GILK_REFUSAL_*) why a tracepoint or timer cannot be hooked: the driver cannot
 * hook events, and the instrument span measures only calls. Returns 0 if it can be hooked. */
static guint
find_refusal (const GilkPlanHook *hook, gboolean by_bpf)
{
  if (!by_bpf)
    return GILK_REFUSAL_NEEDS_BPF;
  if (gilk_inline_is (hook->instrument, GILK_INLINE_SPAN))
    return GILK_REFUSAL_EVENT_SPAN;

  return 0;
}

static void
refuse_event (GilkBoundHook *hook, guint refusal)
{
  hook->choice.refusal = refusal;
  g_set_error (&hook->error, GILK_ERROR, GILK_ERROR_REFUSED, _("Cannot hook %s: %s %s"), hook->hook->function,
               gilk_refusal_cause (refusal), gilk_refusal_remedy (refusal));
}

static void
bind_tracepoint (GilkBoundHook *hook, GilkImage *image, GilkTracepoints **tracepoints, GCancellable *cancellable)
{
  g_autofree char *system = gilk_plan_event_system (hook->hook->function);
  const GilkTracepoint *found;

  if (*tracepoints == NULL)
    *tracepoints = gilk_tracepoints_new (image, cancellable, &hook->error);
  if (*tracepoints == NULL)
    return;
  found = gilk_tracepoints_find (*tracepoints, system, gilk_plan_event_name (hook->hook->function), &hook->error);
  if (found == NULL)
    return;
  hook->event_module = found->module;
  hook->watch_module = gilk_image_module_name (image, found->module);
}

void
gilk_bound_event_bind (GilkBoundHook    *hook,
                       GilkImage        *image,
                       gboolean          by_bpf,
                       GilkTracepoints **tracepoints,
                       GCancellable     *cancellable)
{
  const guint refusal = find_refusal (hook->hook, by_bpf);

  hook->watch_module = "kernel";
  if (refusal != 0)
    refuse_event (hook, refusal);
  else if (hook->hook->event.kind == GILK_EVENT_TRACEPOINT)
    bind_tracepoint (hook, image, tracepoints, cancellable);
}

gboolean
gilk_bound_event_is_same (const GilkBoundHook *a,
                          const GilkBoundHook *b)
{
  const GilkPlanHook *of_a = a->hook, *of_b = b->hook;

  return of_a->event.kind == of_b->event.kind && of_a->event.amount == of_b->event.amount &&
         strcmp (gilk_plan_event_name (of_a->function), gilk_plan_event_name (of_b->function)) == 0 &&
         strcmp (of_a->instrument, of_b->instrument) == 0 && g_strcmp0 (a->code, b->code) == 0 &&
         of_a->start_ns == of_b->start_ns && of_a->stop_ns == of_b->stop_ns && a->control == b->control;
}

gboolean
gilk_bound_event_arguments (const GilkBtf *btf,
                            const char    *what,
                            GilkPrototype *arguments)
{
  return btf != NULL && g_str_has_prefix (what, "tracepoint:") &&
         gilk_btf_tracepoint (btf, gilk_plan_event_name (what), arguments);
}
