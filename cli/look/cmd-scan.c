/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd-scan.c - gilk scan: prints totals over the control-flow graphs of all functions of a kernel
 */
#include <glib/gi18n.h>

#include "cli/base/kernel.h"
#include "cli/base/output.h"
#include "core/base/gilk-refusal.h"
#include "core/cfg/gilk-scan.h"

static void
print_totals (Cli *cli, const CliKernel *kernel, const GilkScan *scan)
{
  g_autoptr(CliTable) table = cli_table_new (_("<REFUSED|>FUNCTIONS|~WHY"));
  g_autofree char *size = cli_format_bytes (scan->bytes);

  cli_print_tinted (cli, CLI_TINT_BOLD, "%s", gilk_target_release (kernel->target));
  cli_print (cli, _(" on %s: %u functions, %s of code\n"), cli->target, scan->functions, size);
  cli_print (cli, _("%u blocks, %u edges, %u instructions\n"), scan->blocks, scan->edges,
             scan->insns);
  cli_print (cli, _("%u blocks (%.1f %%) are shorter than a 5-byte jump\n"),
             scan->short_blocks,
             scan->blocks > 0 ? 100.0 * scan->short_blocks / scan->blocks : 0.0);
  cli_print (cli, _("%u functions (%.1f %%) cannot be hooked\n\n"), scan->refused,
             scan->functions > 0 ? 100.0 * scan->refused / scan->functions : 0.0);

  for (guint i = 1; i < G_N_ELEMENTS (scan->by_refusal); i++)
    if (scan->by_refusal[i] > 0)
      {
        cli_table_cell (table, gilk_refusal_name (i));
        cli_table_cellf (table, "%u", scan->by_refusal[i]);
        cli_table_cell (table, gilk_refusal_cause (i));
      }
  if (cli_table_n_rows (table) > 0)
    cli_print_table (cli, table);
}

static void
totals_to_json (Cli *cli, const CliKernel *kernel, const GilkScan *scan, double seconds)
{
  CliJson *json = cli->doc;

  cli_kernel_to_json (cli, kernel->target);
  cli_json_uint (json, "functions", scan->functions);
  cli_json_uint (json, "functions_refused", scan->refused);
  cli_json_uint (json, "blocks", scan->blocks);
  cli_json_uint (json, "short_blocks", scan->short_blocks);
  cli_json_uint (json, "edges", scan->edges);
  cli_json_uint (json, "instructions", scan->insns);
  cli_json_uint (json, "bytes", scan->bytes);
  cli_json_double (json, "seconds", seconds);
  cli_json_array (json, "refusals");
  for (guint i = 1; i < G_N_ELEMENTS (scan->by_refusal); i++)
    {
      if (scan->by_refusal[i] == 0)
        continue;
      cli_json_row (json, NULL);
      cli_json_string (json, "refusal", gilk_refusal_name (i));
      cli_json_uint (json, "functions", scan->by_refusal[i]);
      cli_json_string (json, "cause", gilk_refusal_cause (i));
      cli_json_string (json, "remedy", gilk_refusal_remedy (i));
      cli_json_end (json);
    }
  cli_json_end (json);
}

gboolean
cmd_scan (Cli *cli, int argc, char **argv, GError **error)
{
  g_auto(CliKernel) kernel = { 0 };
  GilkScan scan = { 0 };
  gint64 begin;
  double seconds;
  char **words;

  if (!cli_parse (cli, argc, argv, NULL,
                  _("Reads all text of the target's kernel and modules and builds the graph of every "
                    "function. Nothing in the kernel changes."), 0, 0, &words, error))
    return FALSE;
  if (!cli_kernel_open (cli, &kernel, error) ||
      !gilk_image_load_all (kernel.image, cli_progress_for_core (cli->progress),
                            cli->cancellable, error))
    return FALSE;

  begin = g_get_monotonic_time ();
  if (!gilk_scan (kernel.functions, NULL, NULL, &scan, cli_progress_for_core (cli->progress),
                  cli->cancellable, error))
    return FALSE;
  seconds = (double) (g_get_monotonic_time () - begin) / G_USEC_PER_SEC;
  cli_progress_clear (cli->progress);

  if (cli->doc != NULL)
    totals_to_json (cli, &kernel, &scan, seconds);
  else
    print_totals (cli, &kernel, &scan);
  return TRUE;
}
