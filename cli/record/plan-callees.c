/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan-callees.c - gilk plan new --callees: counters in a function and its callees
 *
 * Prints a note on where the set of callees ends, and why: code beyond is not counted.
 */
#include "cli/record/plan.h"

#include <glib/gi18n.h>

#include "cli/base/output.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/plan/gilk-plan-callees.h"

gboolean
cli_plan_callees (Cli *cli, GilkPlan *plan, const char *name, CliKernel *kernel, guint depth,
                  gboolean fewest, GError **error)
{
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  const GilkPlanCalleesSettings settings = { name, depth, fewest };
  g_autoptr(GilkPlanCallees) callees = NULL;
  g_autoptr(GPtrArray) left = NULL;
  GError *problem = NULL;

  callees = gilk_plan_callees_new (plan, &settings, kernel->functions, kernel->image, decoder, cli_progress_for_core (cli->progress),
                                   cli->cancellable, &problem);
  cli_progress_clear (cli->progress);
  if (callees == NULL)
    {
      if (g_error_matches (problem, GILK_ERROR, GILK_ERROR_REFUSED))
        cli->refusal = gilk_refusal_in_text (problem->message);
      g_propagate_error (error, problem);
      return FALSE;
    }

  left = gilk_plan_callees_describe_uncounted (callees);
  for (guint i = 0; i < left->len; i++)
    cli_note (cli, "%s", (const char *) g_ptr_array_index (left, i));
  for (guint i = 0; i < callees->hooks->len; i++)
    g_ptr_array_add (plan->hooks, gilk_plan_hook_ref (g_ptr_array_index (callees->hooks, i)));
  cli_note (cli, _("%s: %u functions are cloned, up to %u calls deep, with %u counters."), name, callees->n_cloned,
            depth, callees->hooks->len);
  return TRUE;
}
