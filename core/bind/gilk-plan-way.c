/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-way.c - chooses whether the driver or BPF serves a plan's hooks, and prepares plans for
 * BPF
 */
#include "core/bind/gilk-plan-way.h"

#include <glib/gi18n.h>
#include <string.h>

#include "agent/gilk-wire.h"
#include "core/cfg/gilk-function.h"
#include "core/language/gilk-event-names.h"

/* Instruments that are kernel modules (in instruments/), each with a probe program that records the
 * same fields and takes its place with BPF. */
static const struct { const char *instrument, *code; } programs[] = {
  { "task", "sample (pid = (u32) tid, comm = comm)" },
  { "args", "sample (arg0 = %rdi, arg1 = %rsi, arg2 = %rdx, arg3 = %rcx, arg4 = %r8, arg5 = %r9)" },
};

gboolean
gilk_plan_hook_needs_bpf (const GilkPlan     *plan,
                          const GilkPlanHook *hook)
{
  const char *code = gilk_plan_hook_code (plan, hook);

  return hook->event.kind != 0 || hook->watch != NULL || (hook->function != NULL && gilk_function_is_user (hook->function)) ||
         (code != NULL && gilk_code_reads_events (code));
}

gboolean
gilk_plan_needs_bpf (const GilkPlan *plan)
{
  for (guint i = 0; i < plan->hooks->len; i++)
    if (gilk_plan_hook_needs_bpf (plan, g_ptr_array_index (plan->hooks, i)))
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
  *why = g_strdup (_("All hooks of the plan are BPF programs, because watchpoints, tracepoints, timers, event "
                     "counters and hooks in user programs need BPF."));

  return TRUE;
}

gboolean
gilk_plan_choose_way_again (const GilkPlan *before,
                            const GilkPlan *rest,
                            GilkTarget     *target,
                            GCancellable   *cancellable,
                            GError        **error)
{
  g_autofree char *why = NULL;

  return !gilk_plan_needs_bpf (before) || gilk_plan_needs_bpf (rest) ||
         (gilk_target_use (target, GILK_WAY_ILK, 0, cancellable, error) &&
          gilk_plan_choose_way (rest, target, &why, cancellable, error));
}

/* Returns the code of the program that can replace the hook's instrument module; NULL: none can. */
static const char *
find_code (const GilkPlanHook *hook)
{
  for (gsize i = 0; i < G_N_ELEMENTS (programs) && !hook->is_program; i++)
    if (g_strcmp0 (hook->instrument, programs[i].instrument) == 0 && g_hash_table_size (hook->params) == 0)
      return programs[i].code;

  return NULL;
}

/* Returns the name of the plan's program that consists of @code; NULL if the plan has none. */
static const char *
find_name (const GilkPlan *plan, const char *code)
{
  for (guint i = 0; i < plan->programs->len; i++)
    {
      const GilkPlanProgram *program = g_ptr_array_index (plan->programs, i);

      if (strcmp (program->code, code) == 0)
        return program->name;
    }

  return NULL;
}

static void
use_program (GilkPlan *plan, guint index, const char *code)
{
  GilkPlanHook *hook = gilk_plan_edit_hook (plan, index);
  const char *name = find_name (plan, code);

  if (name == NULL)
    name = gilk_plan_add_program (plan, hook->instrument, code);
  if (strcmp (name, hook->instrument) != 0)
    {
      g_free (hook->instrument);
      hook->instrument = g_strdup (name);
    }
  hook->is_program = TRUE;
}

GilkPlan *
gilk_plan_without_modules (GilkPlan *plan)
{
  GilkPlan *changed = NULL;

  for (guint i = 0; i < plan->hooks->len; i++)
    {
      const char *code = find_code (g_ptr_array_index (plan->hooks, i));

      if (code == NULL)
        continue;
      if (changed == NULL)
        changed = gilk_plan_share (plan);
      use_program (changed, i, code);
    }

  return changed != NULL ? changed : gilk_plan_ref (plan);
}
