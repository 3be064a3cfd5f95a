/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-coverage.c - reports the block coverage of a run's hooked functions
 *
 * A block is covered if a hook in it was hit; blocks without a hook are not counted.
 */
#include "cli/base/reports.h"

#include <glib/gi18n.h>

typedef struct {
  Cli              *cli;
  const CliSession *session;
  GHashTable       *hooks;            /* block's address -> 1 + hits of the block's most often hit
                                       * hook; no entry: no counting hook */
  CliTable         *table;            /* NULL: JSON */
  guint             blocks, counted, covered;
} CoverageReport;

static void
read_hooks (CoverageReport *coverage)
{
  for (guint i = 0; i < cli_session_n_hooks (coverage->session); i++)
    {
      const GilkStoredHook *hook = cli_session_hook (coverage->session, i);
      gpointer key = GSIZE_TO_POINTER (hook->addr);
      gsize hits = (gsize) MIN (hook->hits, G_MAXSIZE - 1) + 1;

      if (hook->hits_known && hits > GPOINTER_TO_SIZE (g_hash_table_lookup (coverage->hooks, key)))
        g_hash_table_insert (coverage->hooks, key, GSIZE_TO_POINTER (hits));
    }
}

static gsize
get_hits (const CoverageReport *coverage, const GArray *blocks, guint i)
{
  return GPOINTER_TO_SIZE (g_hash_table_lookup (coverage->hooks,
                                                GSIZE_TO_POINTER (g_array_index (blocks, GilkStoredBlock, i).start)));
}

static void
uncovered_to_json (const CoverageReport *coverage, const GArray *blocks)
{
  cli_json_array (coverage->cli->doc, "uncovered");
  for (guint i = 0; i < blocks->len; i++)
    if (get_hits (coverage, blocks, i) == 1)
      cli_json_string (coverage->cli->doc, NULL, g_array_index (blocks, GilkStoredBlock, i).name);
  cli_json_end (coverage->cli->doc);
}

static double
get_percent (guint part, guint whole)
{
  return whole > 0 ? 100.0 * part / whole : 0.0;
}

static void
show_function (const CoverageReport *coverage, const GilkStoredFunction *function, const GArray *blocks, guint counted, guint covered)
{
  CliJson *json = coverage->cli->doc;

  if (json == NULL)
    {
      cli_table_cell (coverage->table, function->name);
      cli_table_cell (coverage->table, function->module != NULL ? function->module : "");
      cli_table_cellf (coverage->table, "%u", blocks->len);
      cli_table_cellf (coverage->table, "%u", counted);
      cli_table_cellf (coverage->table, "%u", covered);
      cli_table_cellf (coverage->table, "%.1f %%", get_percent (covered, counted));
      return;
    }
  cli_json_row (json, NULL);
  cli_json_string (json, "function", function->name);
  cli_json_string (json, "module", function->module);
  cli_json_uint (json, "blocks", blocks->len);
  cli_json_uint (json, "counted", counted);
  cli_json_uint (json, "covered", covered);
  uncovered_to_json (coverage, blocks);
  cli_json_end (json);
}

static gboolean
report_function (CoverageReport *coverage, const GilkStoredFunction *function, GError **error)
{
  g_autoptr(GArray) blocks = NULL, edges = NULL;
  guint counted = 0, covered = 0;

  if (!gilk_store_function (coverage->session->store, function, &blocks, &edges, error))
    return FALSE;
  for (guint i = 0; i < blocks->len; i++)
    {
      counted += get_hits (coverage, blocks, i) > 0;
      covered += get_hits (coverage, blocks, i) > 1;
    }
  coverage->blocks += blocks->len;
  coverage->counted += counted;
  coverage->covered += covered;
  show_function (coverage, function, blocks, counted, covered);
  return TRUE;
}

static void
show_sums (const CoverageReport *coverage)
{
  CliJson *json = coverage->cli->doc;

  if (json == NULL)
    {
      cli_print_table (coverage->cli, coverage->table);
      cli_print (coverage->cli, _("\n%u of %u counted blocks ran, %.1f %%; the functions have %u "
                                  "blocks in all.\n"), coverage->covered,
                 coverage->counted, get_percent (coverage->covered, coverage->counted), coverage->blocks);
      return;
    }
  cli_json_end (json);
  cli_json_object (json, "coverage");
  cli_json_uint (json, "blocks", coverage->blocks);
  cli_json_uint (json, "counted", coverage->counted);
  cli_json_uint (json, "covered", coverage->covered);
  cli_json_end (json);
}

gboolean
cli_coverage_report (Cli *cli, const CliSession *session, GError **error)
{
  g_autoptr(GArray) functions = gilk_store_functions (session->store, session->run->id, error);
  g_autoptr(GHashTable) hooks = g_hash_table_new (NULL, NULL);
  g_autoptr(CliTable) table = cli_table_new (_("<FUNCTION|<MODULE|>BLOCKS|>COUNTED|>EXECUTED|>COVERAGE"));
  CoverageReport coverage = { cli, session, hooks, table, 0, 0, 0 };

  if (functions == NULL)
    return FALSE;
  read_hooks (&coverage);
  cli_json_array (cli->doc, "functions");
  for (guint i = 0; i < functions->len; i++)
    if (!report_function (&coverage, &g_array_index (functions, GilkStoredFunction, i), error))
      return FALSE;
  show_sums (&coverage);
  return TRUE;
}
