/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-run.c - reports the accuracy of a run's times and the measured cost of its hooks
 */
#include "cli/read/report.h"

#include "cli/base/output.h"
#include "core/analysis/gilk-run-facts.h"

static void
cpus_to_json (CliJson *json, const GilkStoredClock *clock)
{
  g_autoptr(GilkFacts) facts = gilk_facts_of_cpus (clock);

  cli_json_array (json, "cpus");
  for (guint i = 0; i < clock->cpus->len; i++)
    {
      cli_json_row (json, NULL);
      cli_json_fact (json, gilk_facts_at (facts, i));
      cli_json_bool (json, "corrected", g_array_index (clock->cpus, GilkStoredCpuClock, i).subtracted_offset);
      cli_json_end (json);
    }
  cli_json_end (json);
}

gboolean
cli_clock_report (Cli              *cli,
                  const CliSession *session,
                  GError          **error)
{
  g_auto(GilkStoredClock) clock = { 0 };
  g_autoptr(GilkFacts) facts = NULL;

  if (!gilk_store_clock (session->store, session->run->id, &clock, error))
    return FALSE;
  facts = gilk_facts_of_clock (&clock, TRUE);
  if (cli->doc != NULL)
    {
      cli_json_object (cli->doc, "clock");
      cli_json_bool (cli->doc, "measured", clock.measured);
      cli_json_facts (cli->doc, facts);
      cpus_to_json (cli->doc, &clock);
      cli_json_end (cli->doc);
    }
  cli_print_facts (cli, facts);

  return TRUE;
}

static void
costs_to_json (CliJson *json, const GArray *costs, const GilkFacts *facts)
{
  cli_json_array (json, "costs");
  for (guint i = 0; i < costs->len; i++)
    {
      cli_json_row (json, NULL);
      cli_json_string (json, "instrument", g_array_index (costs, GilkStoredCost, i).instrument);
      cli_json_string (json, "tactic", g_array_index (costs, GilkStoredCost, i).tactic);
      cli_json_fact (json, gilk_facts_at (facts, i));
      cli_json_end (json);
    }
  cli_json_end (json);
}

gboolean
cli_cost_report (Cli              *cli,
                 const CliSession *session,
                 GError          **error)
{
  g_autoptr(GArray) costs = gilk_store_costs (session->store, session->run->id, error);
  g_autoptr(GilkFacts) facts = costs != NULL ? gilk_facts_of_costs (costs) : NULL;

  if (facts == NULL)
    return FALSE;
  if (cli->doc != NULL)
    costs_to_json (cli->doc, costs, facts);
  cli_print_facts (cli, facts);

  return TRUE;
}
