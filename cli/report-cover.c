/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-cover.c - reports the block coverage of a run's hooked functions
 *
 * A block is covered if a hook in it was hit; blocks without a hook are not counted.
 */
#include "cli/report-cover.h"

#include <glib/gi18n.h>

typedef struct {
  Cli              *cli;
  const CliSession *session;
  GHashTable       *hooks;            /* address of a block -> maximum hits of its hooks + 1 */
  CliTable         *table;            /* NULL: JSON */
  guint             blocks, counted, covered;
} Cover;

static void
take_hooks (Cover *cover)
{
  for (guint i = 0; i < cli_session_n_hooks (cover->session); i++)
    {
      const GilkStoredHook *hook = cli_session_hook (cover->session, i);
      gpointer key = GSIZE_TO_POINTER (hook->addr);
      gsize hits = (gsize) MIN (hook->hits, G_MAXSIZE - 1) + 1;

      if (hook->hits_known && hits > GPOINTER_TO_SIZE (g_hash_table_lookup (cover->hooks, key)))
        g_hash_table_insert (cover->hooks, key, GSIZE_TO_POINTER (hits));
    }
}

static gsize
hits_of (const Cover *cover, const GArray *blocks, guint i)
{
  return GPOINTER_TO_SIZE (g_hash_table_lookup (cover->hooks,
                                                GSIZE_TO_POINTER (g_array_index (blocks, GilkStoredBlock, i).start)));
}

static void
uncovered_to_json (const Cover *cover, const GArray *blocks)
{
  cli_json_array (cover->cli->doc, "uncovered");
  for (guint i = 0; i < blocks->len; i++)
    if (hits_of (cover, blocks, i) == 1)
      cli_json_string (cover->cli->doc, NULL, g_array_index (blocks, GilkStoredBlock, i).name);
  cli_json_end (cover->cli->doc);
}

static double
percent (guint part, guint whole)
{
  return whole > 0 ? 100.0 * part / whole : 0.0;
}

static void
show (const Cover *cover, const GilkStoredFunction *function, const GArray *blocks, guint counted, guint covered)
{
  CliJson *json = cover->cli->doc;

  if (json == NULL)
    {
      cli_table_cell (cover->table, function->name);
      cli_table_cell (cover->table, function->module != NULL ? function->module : "");
      cli_table_cellf (cover->table, "%u", blocks->len);
      cli_table_cellf (cover->table, "%u", counted);
      cli_table_cellf (cover->table, "%u", covered);
      cli_table_cellf (cover->table, "%.1f %%", percent (covered, counted));
      return;
    }
  cli_json_row (json, NULL);
  cli_json_string (json, "function", function->name);
  cli_json_string (json, "module", function->module);
  cli_json_uint (json, "blocks", blocks->len);
  cli_json_uint (json, "counted", counted);
  cli_json_uint (json, "covered", covered);
  uncovered_to_json (cover, blocks);
  cli_json_end (json);
}

static gboolean
take_function (Cover *cover, const GilkStoredFunction *function, GError **error)
{
  g_autoptr(GArray) blocks = NULL, edges = NULL;
  guint counted = 0, covered = 0;

  if (!gilk_store_function (cover->session->store, function, &blocks, &edges, error))
    return FALSE;
  for (guint i = 0; i < blocks->len; i++)
    {
      counted += hits_of (cover, blocks, i) > 0;
      covered += hits_of (cover, blocks, i) > 1;
    }
  cover->blocks += blocks->len;
  cover->counted += counted;
  cover->covered += covered;
  show (cover, function, blocks, counted, covered);
  return TRUE;
}

static void
show_sums (const Cover *cover)
{
  CliJson *json = cover->cli->doc;

  if (json == NULL)
    {
      cli_print_table (cover->cli, cover->table);
      cli_print (cover->cli, _("\n%u of %u counted blocks ran, %.1f %%; the functions have %u.\n"), cover->covered,
                 cover->counted, percent (cover->covered, cover->counted), cover->blocks);
      return;
    }
  cli_json_end (json);
  cli_json_object (json, "coverage");
  cli_json_uint (json, "blocks", cover->blocks);
  cli_json_uint (json, "counted", cover->counted);
  cli_json_uint (json, "covered", cover->covered);
  cli_json_end (json);
}

gboolean
cli_cover_report (Cli *cli, const CliSession *session, GError **error)
{
  g_autoptr(GArray) functions = gilk_store_functions (session->store, session->run->id, error);
  g_autoptr(GHashTable) hooks = g_hash_table_new (NULL, NULL);
  g_autoptr(CliTable) table = cli_table_new (_("<FUNCTION|<MODULE|>BLOCKS|>COUNTED|>RUN|>SHARE"));
  Cover cover = { cli, session, hooks, table, 0, 0, 0 };

  if (functions == NULL)
    return FALSE;
  take_hooks (&cover);
  if (cli->doc != NULL)
    cli_json_array (cli->doc, "functions");
  for (guint i = 0; i < functions->len; i++)
    if (!take_function (&cover, &g_array_index (functions, GilkStoredFunction, i), error))
      return FALSE;
  show_sums (&cover);
  return TRUE;
}
