/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-check.c - checks that all of a bound plan can be armed, or reduces it to what can
 */
#include "core/bind/gilk-bound-plan.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/bind/gilk-bound-conditions.h"

GilkPlan *
gilk_bound_plan_bindable_subset (const GilkBoundPlan *bound,
                                 guint                first)
{
  GilkPlan *plan = gilk_plan_copy (bound->plan);

  for (guint i = bound->hooks->len; i-- > first;)
    if (g_array_index (bound->hooks, GilkBoundHook, i).error != NULL)
      g_ptr_array_remove_index (plan->hooks, i);
  gilk_plan_remove_unused_programs (plan);

  return plan;
}

gboolean
gilk_bound_plan_check (const GilkBoundPlan *bound,
                       GError             **error)
{
  if (bound->hooks->len == 0 && bound->splice_plans->len == 0)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("The plan has no hooks. Add at least one."));
      return FALSE;
    }
  for (guint i = 0; i < bound->hooks->len; i++)
    {
      const GilkBoundHook *hook = &g_array_index (bound->hooks, GilkBoundHook, i);

      if (hook->error == NULL)
        continue;
      g_propagate_error (error, g_error_copy (hook->error));
      if (bound->n_failed > 1 && error != NULL)
        {
          g_autofree char *first = g_steal_pointer (&(*error)->message);

          (*error)->message = g_strdup_printf (ngettext ("%s (%u more hook of the plan cannot be placed.)",
                                                         "%s (%u more hooks of the plan cannot be placed.)",
                                                         bound->n_failed - 1),
                                               first, bound->n_failed - 1);
        }
      return FALSE;
    }

  return gilk_bound_check_conditions (bound, error);
}
