/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan-reach.c - gilk plan new --reach: counters in a function and its callees
 *
 * Notes where the set of callees ends, and why: code beyond is not counted.
 */
#include "cli/plan-reach.h"

#include <glib/gi18n.h>

#include "cli/output.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/run/gilk-plan-reach.h"

gboolean
cli_plan_reach (Cli *cli, GilkPlan *plan, const char *name, CliKernel *kernel, guint depth,
                gboolean fewest, GError **error)
{
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  const GilkPlanReachWish wish = { name, depth, fewest };
  g_autoptr(GilkPlanReach) reach = NULL;
  g_autoptr(GPtrArray) left = NULL;
  GError *problem = NULL;

  reach = gilk_plan_reach (plan, &wish, kernel->functions, kernel->image, decoder, cli_progress_for_core (cli->progress),
                           cli->cancellable, &problem);
  cli_progress_clear (cli->progress);
  if (reach == NULL)
    {
      if (g_error_matches (problem, GILK_ERROR, GILK_ERROR_REFUSED))
        cli->refusal = gilk_refusal_told (problem->message);
      g_propagate_error (error, problem);
      return FALSE;
    }

  left = gilk_plan_reach_left (reach);
  for (guint i = 0; i < left->len; i++)
    cli_note (cli, "%s", (const char *) g_ptr_array_index (left, i));
  for (guint i = 0; i < reach->hooks->len; i++)
    g_ptr_array_add (plan->hooks, gilk_plan_hook_ref (g_ptr_array_index (reach->hooks, i)));
  cli_note (cli, _("%s: %u functions are cloned, up to %u calls deep, with %u counters."), name, reach->n_cloned,
            depth, reach->hooks->len);
  return TRUE;
}
