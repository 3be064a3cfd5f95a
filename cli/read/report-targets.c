/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-targets.c - reports the recorded targets of a run's indirect calls
 */
#include "cli/read/report.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "core/store/gilk-store-calls.h"

static const GilkStoredTarget *
get_target (const GArray *targets, guint i)
{
  return &g_array_index (targets, GilkStoredTarget, i);
}

static void
targets_to_json (Cli *cli, const CliSession *session, const GArray *targets)
{
  CliJson *json = cli->doc;

  cli_json_array (json, "targets");
  for (guint i = 0; i < targets->len; i++)
    {
      const GilkStoredTarget *target = get_target (targets, i);
      const GilkStoredHook *hook = cli_session_hook (session, target->hook);

      cli_json_row (json, NULL);
      cli_json_string (json, "hook", hook->label);
      cli_json_string (json, "function", hook->function);
      cli_json_string (json, "module", hook->module);
      cli_json_string (json, "call", hook->block);
      cli_json_address (json, "address", target->address);
      cli_json_string (json, "target", target->name);
      cli_json_string (json, "target_module", target->module);
      cli_json_uint (json, "count", target->count);
      cli_json_end (json);
    }
  cli_json_end (json);
}

static uint64_t
sum_targets (const GArray *targets, guint hook)
{
  uint64_t total = 0;

  for (guint i = 0; i < targets->len; i++)
    if (get_target (targets, i)->hook == hook)
      total += get_target (targets, i)->count;
  return total;
}

static void
print_targets (Cli *cli, const CliSession *session, const GArray *targets)
{
  g_autoptr(CliTable) table = cli_table_new (_("<CALL|<TARGET|<MODULE|>TIMES|>SHARE"));

  for (guint i = 0; i < targets->len; i++)
    {
      const GilkStoredTarget *target = get_target (targets, i);
      const GilkStoredHook *hook = cli_session_hook (session, target->hook);
      gboolean first = i == 0 || get_target (targets, i - 1)->hook != target->hook;

      if (first)
        cli_table_cellf (table, "%s%s", hook->function, hook->block);
      else
        cli_table_cell (table, "");
      cli_table_cell (table, target->name);
      cli_table_cell (table, target->module != NULL ? target->module : "");
      cli_table_cellf (table, "%" PRIu64, target->count);
      cli_table_cellf (table, "%.1f %%", 100.0 * (double) target->count / (double) sum_targets (targets, target->hook));
    }
  cli_print_tinted (cli, CLI_TINT_BOLD, _("\nIndirect calls\n"));
  cli_print_table (cli, table);
}

/* Warns that some recorded calls are missing from the percentages, because a map was full. */
static gboolean
warn_map_full (Cli *cli, const CliSession *session, const GArray *targets, GError **error)
{
  for (guint i = 0; i < targets->len; i++)
    {
      const GilkStoredHook *hook = cli_session_hook (session, get_target (targets, i)->hook);
      uint64_t missed;

      if (i > 0 && get_target (targets, i - 1)->hook == get_target (targets, i)->hook)
        continue;
      if (!gilk_store_targets_missed (session->store, hook, &missed, error))
        return FALSE;
      if (missed > 0)
        cli_print_tinted (cli, CLI_TINT_WARN,
                          _("%" PRIu64 " more calls at %s%s did not fit in the map: declare the "
                            "map with more keys in the plan.\n"),
                          missed, hook->function, hook->block);
    }
  return TRUE;
}

gboolean
cli_targets_report (Cli *cli, const CliSession *session, GError **error)
{
  g_autoptr(GArray) targets = gilk_store_targets (session->store, session->run->id, session->hooks, error);

  if (targets == NULL)
    return FALSE;
  if (cli->doc != NULL)
    targets_to_json (cli, session, targets);
  else if (targets->len > 0)
    {
      print_targets (cli, session, targets);
      return warn_map_full (cli, session, targets, error);
    }
  return TRUE;
}
