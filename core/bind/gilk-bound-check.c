/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-check.c - checks that all hooks of a bound plan can be armed, copies a plan without
 * the hooks that cannot, reports hooks whose code has moved since the plan was written, and adapts
 * the plan to the current kernel
 *
 * The CLI and the GUI both use the messages of this file.
 */
#include "core/bind/gilk-bound-plan.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-format.h"
#include "core/bind/gilk-bound-conditions.h"
#include "core/bind/gilk-plan-way.h"

#define HOOKS_NAMED 4

/* Returns whether all hooks that need BPF have errors. Without them, the driver may serve the rest
 * of the plan. */
static gboolean
needs_no_bpf (const GilkBoundPlan *bound)
{
  gboolean any = FALSE;

  for (guint i = 0; i < bound->hooks->len; i++)
    {
      const GilkBoundHook *hook = gilk_bound_hook (bound, i);

      if (!gilk_plan_hook_needs_bpf (bound->plan, hook->hook))
        continue;
      if (hook->error == NULL)
        return FALSE;
      any = TRUE;
    }

  return any;
}

GilkPlan *
gilk_bound_plan_bindable_subset (const GilkBoundPlan *bound,
                                 guint                first,
                                 GilkBoundHookFunc    func,
                                 gpointer             data)
{
  const gboolean driver_next = needs_no_bpf (bound);
  GilkPlan *plan = gilk_plan_copy (bound->plan);
  guint at = first;                    /* index of the current hook in @plan; smaller than @i once
                                        * hooks were removed from @plan */

  for (guint i = first; i < bound->hooks->len; i++)
    {
      const GilkBoundHook *hook = gilk_bound_hook (bound, i);

      if (hook->error == NULL || (driver_next && !gilk_plan_hook_needs_bpf (bound->plan, hook->hook)))
        {
          at++;
          continue;
        }
      func (hook, data);
      g_ptr_array_remove_index (plan->hooks, at);
    }
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
      const GilkBoundHook *hook = gilk_bound_hook (bound, i);

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

/* ---- hooks that moved ---- */

char *
gilk_bound_plan_describe_moved (const GilkBoundPlan *bound)
{
  g_autoptr(GPtrArray) places = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *list = NULL;

  for (guint i = 0; i < bound->hooks->len; i++)
    {
      const GilkBoundHook *hook = gilk_bound_hook (bound, i);
      g_autofree char *place = NULL;

      if (!hook->moved)
        continue;
      place = gilk_cfg_offset_name (hook->cfg, hook->addr);
      g_ptr_array_add (places, g_strdup_printf (_("%s (%s%s, now %s)"), hook->hook->label, hook->hook->function, hook->hook->block,
                                                place));
    }
  if (places->len == 0)
    return NULL;

  list = gilk_list_names (places, HOOKS_NAMED);
  return g_strdup_printf (ngettext ("%u of %u hooks has moved, because the plan was made for another kernel: %s. The "
                                    "instructions are the same; gilk plan renew updates the plan.",
                                    "%u of %u hooks have moved, because the plan was made for another kernel: %s. The "
                                    "instructions are the same; gilk plan renew updates the plan.", places->len),
                          places->len, bound->hooks->len, list);
}

GilkPlan *
gilk_bound_plan_renew (const GilkBoundPlan *bound,
                       const char          *release,
                       const char          *build_id,
                       GError             **error)
{
  g_autoptr(GilkPlan) plan = gilk_plan_copy (bound->plan);

  for (guint i = 0; i < bound->hooks->len; i++)
    {
      const GilkBoundHook *found = gilk_bound_hook (bound, i);
      GilkPlanHook *hook = g_ptr_array_index (plan->hooks, i);

      if (found->error != NULL || (found->addr == 0 && gilk_plan_hook_has_graph (hook)))
        {
          if (error != NULL)
            *error = g_error_copy (found->error);
          return NULL;
        }
      if (hook->block == NULL)
        continue;
      g_free (hook->block);
      hook->block = gilk_cfg_offset_name (found->cfg, found->addr);
      if (hook->where == GILK_WHERE_AT)
        gilk_cfg_insn_fingerprint (found->cfg, found->addr, hook->fingerprint);
      else
        gilk_cfg_fingerprint (found->cfg, found->block, hook->fingerprint);
    }
  g_clear_pointer (&plan->kernel, g_free);
  g_clear_pointer (&plan->build_id, g_free);
  gilk_plan_set_origin (plan, release, build_id);

  return g_steal_pointer (&plan);
}
