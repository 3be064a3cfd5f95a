/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-edges.c - reports counts of all blocks and edges of a run's counted functions
 *
 * The counts of the blocks that were hooked for the whole run determine counts of other blocks and
 * of edges. The report has the derived counts, contradictions between counts, and the blocks and
 * edges whose counts cannot be derived.
 */
#include "cli/read/report.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli/base/cfg-heat.h"
#include "cli/base/kernel.h"
#include "cli/base/names.h"
#include "cli/base/output.h"
#include "core/dataflow/gilk-circulation.h"

typedef struct {
  Cli            *cli;
  const char     *function;     /* function's name as in the plan */
  GilkCirculation   *circulation;
  GilkCirculationCounts *counts;
} View;

static gboolean
is_same_function (const GilkStoredHook *a, const GilkStoredHook *b)
{
  return strcmp (a->function, b->function) == 0 && g_strcmp0 (a->module, b->module) == 0;
}

/* Reads the hit counts of the blocks of @cfg from the hooks in the same function as @first. */
static void
read_counts (const CliSession *session, const GilkStoredHook *first, const GilkCfg *cfg,
             GilkCirculationPoint *points, uint64_t *measured)
{
  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    {
      const GilkStoredHook *hook = cli_session_hook (session, i);
      uint64_t addr;
      int block;

      if (!is_same_function (hook, first) || !cli_heat_counts_whole_run (hook) ||
          !gilk_cfg_parse_offset (cfg, hook->block, &addr))
        continue;
      block = gilk_cfg_block_at (cfg, addr);
      if (block < 0 ||
          (strcmp (hook->where, "post") == 0 && !gilk_circulation_runs_through (cfg, (guint) block)))
        continue;
      points[block] = (GilkCirculationPoint) { TRUE, GILK_WHERE_PRE, 1 };
      measured[block] = hook->hits;
    }
}

static void
add_count_cell (CliTable *table, guint fate, uint64_t count)
{
  if (fate == GILK_COUNT_STATUS_FOLLOWS)
    cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) count);
  else
    cli_table_cell (table, gilk_count_status_name (fate));
}

static char *
get_block_name (const GilkCfg *cfg, guint block)
{
  return gilk_cfg_offset_name (cfg, cfg->blocks[block].start);
}

static void
print_view (const View *view)
{
  const GilkCfg *cfg = view->circulation->cfg;
  g_autoptr(CliTable) table = cli_table_new (_("<BLOCK|>COUNT|<COUNTED|<EDGE|<TO|>COUNT"));

  cli_print_tinted (view->cli, CLI_TINT_BOLD, _("\nCounts of the blocks and edges of %s\n"), view->function);
  for (guint i = 0; i < cfg->n_blocks; i++)
    {
      const GilkBlock *block = &cfg->blocks[i];

      for (guint k = 0; k < MAX (block->n_out, 1); k++)
        {
          const GilkEdge *edge = &cfg->edges[block->first_out + k];
          g_autofree char *name = k == 0 ? get_block_name (cfg, i) : NULL;
          g_autofree char *to = block->n_out > 0 ? get_block_name (cfg, edge->to) : NULL;

          cli_table_cell (table, name);
          if (k == 0)
            add_count_cell (table, view->circulation->block_statuses[i], view->counts->blocks[i]);
          else
            cli_table_cell (table, NULL);
          cli_table_cell (table, k == 0 && view->circulation->hooked[i] ? _("hook") : NULL);
          cli_table_cell (table, to != NULL ? cli_edge_name (edge->kind) : _("leaves"));
          cli_table_cell (table, to);
          if (to != NULL)
            add_count_cell (table, view->circulation->edge_statuses[block->first_out + k],
                            view->counts->edges[block->first_out + k]);
          else
            add_count_cell (table, view->circulation->exit_statuses[i], view->counts->exits[i]);
        }
    }
  cli_print_table (view->cli, table);
  cli_print (view->cli, _("Consistency checks of the counts: %u; contradictions: %u\n"), view->circulation->n_checks,
             view->counts->faults->len);
}

static void
count_to_json (CliJson *json, guint fate, uint64_t count)
{
  cli_json_uint_if (json, "count", count, fate == GILK_COUNT_STATUS_FOLLOWS);
  cli_json_string (json, "status", gilk_count_status_name (fate));
  cli_json_end (json);
}

static void
view_to_json (const View *view)
{
  CliJson *json = view->cli->doc;
  const GilkCfg *cfg = view->circulation->cfg;

  cli_json_object (json, NULL);
  cli_json_string (json, "function", view->function);
  cli_json_uint (json, "checks", view->circulation->n_checks);
  cli_json_array (json, "blocks");
  for (guint i = 0; i < cfg->n_blocks; i++)
    {
      g_autofree char *name = get_block_name (cfg, i);

      cli_json_row (json, NULL);
      cli_json_string (json, "block", name);
      cli_json_bool (json, "counted", view->circulation->hooked[i]);
      count_to_json (json, view->circulation->block_statuses[i], view->counts->blocks[i]);
    }
  cli_json_end (json);
  cli_json_array (json, "edges");
  for (guint i = 0; i < cfg->n_edges; i++)
    {
      g_autofree char *from = get_block_name (cfg, cfg->edges[i].from);
      g_autofree char *to = get_block_name (cfg, cfg->edges[i].to);

      cli_json_row (json, NULL);
      cli_json_string (json, "from", from);
      cli_json_string (json, "to", to);
      cli_json_string (json, "kind", cli_edge_name (cfg->edges[i].kind));
      count_to_json (json, view->circulation->edge_statuses[i], view->counts->edges[i]);
    }
  cli_json_end (json);
  cli_json_array (json, "contradictions");
  for (guint i = 0; i < view->counts->faults->len; i++)
    {
      g_autofree char *text =
        gilk_circulation_describe (view->circulation, &g_array_index (view->counts->faults, GilkCirculationFault, i));

      cli_json_string (json, NULL, text);
    }
  cli_json_end (json);
  cli_json_end (json);
}

static void
show_view (const View *view)
{
  if (view->cli->doc != NULL)
    {
      view_to_json (view);
      return;
    }

  print_view (view);
  for (guint i = 0; i < view->counts->faults->len; i++)
    {
      g_autofree char *text =
        gilk_circulation_describe (view->circulation, &g_array_index (view->counts->faults, GilkCirculationFault, i));

      cli_print_tinted (view->cli, CLI_TINT_WARN, "%s\n", text);
    }
}

/* Returns the picture's file name: "out.svg", or with several functions "out-vfs_read.svg".
 * (transfer full) (nullable) */
static char *
make_file_name (const char *path, const char *function, gboolean several)
{
  const char *end = path != NULL ? strrchr (path, '.') : NULL;

  if (end == NULL || !several)
    return g_strdup (path);
  return g_strdup_printf ("%.*s-%s%s", (int) (end - path), path, function, end);
}

static gboolean
draw_function (Cli *cli, const CliSession *session, const GilkStoredHook *first, GilkCfg *cfg, GilkDecoder *decoder,
               const CliPicture *picture, gboolean several, GError **error)
{
  g_autoptr(CliHeat) heat = cli_heat_new (session, cfg, first->function, first->module);
  CliPicture own = {
    .svg = make_file_name (picture->svg, first->function, several), .png = make_file_name (picture->png, first->function, several),
    .pdf = make_file_name (picture->pdf, first->function, several), .out = make_file_name (picture->out, first->function, several),
    .dark = picture->dark, .scales = TRUE,
  };
  Cli beside = *cli;
  gboolean good;

  beside.doc = NULL;          /* do not add the picture to the JSON document, in which an array
                               * of functions is open */
  good = heat == NULL || cli_heat_picture (&beside, heat, cfg, decoder, &own, error);
  cli_picture_clear (&own);
  return good;
}

static gboolean
report_function (Cli *cli, const CliSession *session, CliKernel *kernel,
                 const GilkStoredHook *first, const CliPicture *picture, gboolean several, GError **error)
{
  gboolean has_module = first->module != NULL && *first->module != '\0';
  g_autofree char *name = has_module ? g_strdup_printf ("%s:%s", first->module, first->function)
                                    : g_strdup (first->function);
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  g_autoptr(GilkCfg) cfg = cli_kernel_cfg (kernel, name, decoder, error);
  g_autoptr(GilkCirculation) circulation = NULL;
  g_autoptr(GilkCirculationCounts) counts = NULL;
  g_autofree GilkCirculationPoint *points = NULL;
  g_autofree uint64_t *measured = NULL;
  View view = { .cli = cli, .function = first->function };

  if (cfg == NULL)
    return FALSE;

  points = g_new0 (GilkCirculationPoint, cfg->n_blocks + 1);
  measured = g_new0 (uint64_t, cfg->n_blocks + 1);
  read_counts (session, first, cfg, points, measured);
  view.circulation = circulation = gilk_circulation_new (cfg, points, GILK_CIRCULATION_ALL);
  view.counts = counts = gilk_circulation_solve (circulation, measured);
  show_view (&view);

  return picture == NULL || draw_function (cli, session, first, cfg, decoder, picture, several, error);
}

static gboolean
check_kernel (const CliSession *session, CliKernel *kernel, GError **error)
{
  if (g_strcmp0 (session->run->build_id, gilk_target_build_id (kernel->target)) == 0)
    return TRUE;

  return gilk_fail (error, GILK_ERROR_STALE,
                    _("The run was recorded on %s, but %s runs another kernel. Counts of edges "
                      "need the kernel of the run: use --target to select a machine that runs it."),
                    session->run->release, gilk_target_spec (kernel->target));
}

/* Returns whether hook @i is the first hook of its function that counted for the whole run. */
static gboolean
is_first_counter (const CliSession *session, guint i)
{
  const GilkStoredHook *hook = cli_session_hook (session, i);

  for (guint k = 0; k < i; k++)
    if (is_same_function (cli_session_hook (session, k), hook) && cli_heat_counts_whole_run (cli_session_hook (session, k)))
      return FALSE;
  return cli_heat_counts_whole_run (hook);
}

gboolean
cli_edges_report (Cli *cli, const CliSession *session, const CliPicture *picture, GError **error)
{
  g_auto(CliKernel) kernel = { 0 };
  gboolean ok = TRUE;
  guint functions = 0;

  if (!cli_kernel_open (cli, &kernel, error) || !check_kernel (session, &kernel, error))
    return FALSE;

  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    functions += is_first_counter (session, i);
  cli_json_array (cli->doc, "edge_counts");
  for (guint i = 0; ok && i < cli_session_n_hooks (session); i++)
    if (is_first_counter (session, i))
      ok = report_function (cli, session, &kernel, cli_session_hook (session, i), picture, functions > 1, error);
  if (cli->doc != NULL && ok)
    cli_json_end (cli->doc);

  return ok;
}
