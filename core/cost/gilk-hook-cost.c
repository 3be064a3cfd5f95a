/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-cost.c - finds the cost of a hook's own code, and subtracts it from the time between
 * two hits of the hook
 */
#include "core/cost/gilk-hook-cost.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "core/base/gilk-error.h"

gboolean
gilk_hook_cost_of (GilkStore            *store,
                   const GilkStoredHook *hook,
                   GilkHookCost         *cost,
                   GError              **error)
{
  g_autoptr(GArray) costs = gilk_store_costs (store, hook->run, error);
  const GilkStoredCost *found;

  if (costs == NULL)
    return FALSE;
  found = gilk_costs_of (costs, hook);
  if (found == NULL)
    return gilk_fail (error, GILK_ERROR_NOT_FOUND,
        _("The cost of a hit of hook %s was not measured in its run, so it cannot be subtracted. Record again "
          "with count, stamp, span or a module whose cost can be measured (args, task), or do not subtract it."),
        hook->label);
  *cost = (GilkHookCost) {
    MAX (found->ns, 0.0) / 1e9, MAX (found->low_ns, 0.0) / 1e9, MAX (found->high_ns, 0.0) / 1e9,
    found->n_measurements, FALSE, 0,
  };

  return TRUE;
}

char *
gilk_hook_cost_basis (guint n_measurements)
{
  if (n_measurements < 2)
    return g_strdup (_("from one measurement, before the run"));

  return g_strdup_printf (_("from %u measurements over the run"), n_measurements);
}

char *
gilk_hook_cost_text (const GilkHookCost *cost)
{
  g_autofree char *basis = gilk_hook_cost_basis (cost->n_measurements);
  g_autofree char *clamped =
    cost->clamped == 0 ? g_strdup ("")
    : g_strdup_printf (_("; %" PRIu64 " shorter values count as 0"), cost->clamped);

  if (cost->of_calls)
    return g_strdup_printf (_("%.3g ns subtracted from each call, which is half the cost of the "
                              "hooks around it (95 %% interval %.3g to %.3g, %s). This lowers "
                              "medians by the same amount%s"),
                            cost->seconds * 1e9, cost->low * 1e9, cost->high * 1e9, basis, clamped);

  return g_strdup_printf (_("%.3g ns subtracted from each value, which is the cost of one hit "
                            "(95 %% interval %.3g to %.3g, %s). This lowers medians by the same "
                            "amount%s"),
                          cost->seconds * 1e9, cost->low * 1e9, cost->high * 1e9, basis, clamped);
}
