/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-cost.c - reports the measured cost of a run's hooks
 */
#include <glib/gi18n.h>

#include "cli/base/output.h"
#include "cli/read/report-cost.h"
#include "core/analysis/gilk-hook-cost.h"

static void
cost_to_json (CliJson *json, const GilkStoredCost *cost)
{
  cli_json_row (json, NULL);
  cli_json_string (json, "instrument", cost->instrument);
  cli_json_string (json, "tactic", cost->tactic);
  cli_json_uint (json, "instructions", cost->instructions);
  cli_json_double (json, "ns", cost->ns);
  cli_json_double (json, "low_ns", cost->low_ns);
  cli_json_double (json, "high_ns", cost->high_ns);
  cli_json_double (json, "min_ns", cost->min_ns);
  cli_json_uint (json, "measurements", cost->n_measurements);
  cli_json_end (json);
}

/* Returns three significant digits, or integer nanoseconds. (transfer full) */
static char *
format_ns (double ns)
{
  return g_strdup_printf (ns < 999.5 ? "%.3g" : "%.0f", ns);
}

static void
print_cost (Cli *cli, const GilkStoredCost *cost)
{
  g_autofree char *ns = format_ns (cost->ns), *low = format_ns (cost->low_ns), *high = format_ns (cost->high_ns);
  g_autofree char *basis = gilk_hook_cost_basis (cost->n_measurements);

  cli_print (cli, _("  %s by %s, %u instructions: %s ns (%s to %s), %s\n"), cost->instrument, cost->tactic,
             cost->instructions, ns, low, high, basis);
}

gboolean
cli_cost_report (Cli              *cli,
                 const CliSession *session,
                 GError          **error)
{
  g_autoptr(GArray) costs = gilk_store_costs (session->store, session->run->id, error);

  if (costs == NULL)
    return FALSE;
  if (cli->doc != NULL)
    cli_json_array (cli->doc, "costs");
  else if (costs->len > 0)
    cli_print (cli, _("Cost of a hit (95 %% confidence interval, including the spread between measurements):\n"));
  for (guint i = 0; i < costs->len; i++)
    {
      const GilkStoredCost *cost = &g_array_index (costs, GilkStoredCost, i);

      if (cli->doc != NULL)
        cost_to_json (cli->doc, cost);
      else
        print_cost (cli, cost);
    }
  if (cli->doc != NULL)
    cli_json_end (cli->doc);

  return TRUE;
}
