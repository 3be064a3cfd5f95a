/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-way.c - chooses the way by which a plan hooks: the driver or BPF
 */
#include "core/bind/gilk-plan-way.h"

#include <glib/gi18n.h>

#include "agent/gilk-wire.h"
#include "core/cfg/gilk-function.h"

static gboolean
needs_bpf (const GilkPlanHook *hook)
{
  return hook->event.kind != 0 || (hook->function != NULL && gilk_function_is_user (hook->function));
}

gboolean
gilk_plan_needs_bpf (const GilkPlan *plan)
{
  for (guint i = 0; i < plan->hooks->len; i++)
    if (needs_bpf (g_ptr_array_index (plan->hooks, i)))
      return TRUE;

  return FALSE;
}

gboolean
gilk_plan_choose_way (const GilkPlan *plan,
                      GilkTarget     *target,
                      char          **why,
                      GCancellable   *cancellable,
                      GError        **error)
{
  *why = NULL;
  if (!gilk_plan_needs_bpf (plan) || gilk_target_way (target) == GILK_WAY_BPF)
    return gilk_target_choose_way (target, why, cancellable, error);
  if (!gilk_target_use (target, GILK_WAY_BPF, 0, cancellable, error))
    return FALSE;
  *why = g_strdup (_("All hooks of the plan are BPF programs, because tracepoints, timers and hooks in programs need them."));

  return TRUE;
}
