/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfg-heat.c - draws a function's control-flow graph, coloured by how often a run executed each
 * block and edge
 */
#include "cli/base/cfg-heat.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli/base/output.h"
#include "core/emit/gilk-inline.h"

gboolean
cli_heat_counts_whole_run (const GilkStoredHook *hook)
{
  return gilk_inline_is (hook->instrument, GILK_INLINE_COUNT) && hook->hits_known && hook->start_ns == 0 && hook->stop_ns == 0;
}

/* Returns the index of the block that @hook counted; -1: the block is not in the graph @cfg, or
 * @hook did not count every execution of the block. */
static int
find_counted_block (const GilkStoredHook *hook, const GilkCfg *cfg, const char *function, const char *module)
{
  uint64_t addr;
  int block;

  if (!cli_heat_counts_whole_run (hook) || strcmp (hook->function, function) != 0 ||
      strcmp (hook->module != NULL ? hook->module : "", module != NULL ? module : "") != 0 ||
      !gilk_cfg_parse_offset (cfg, hook->block, &addr))
    return -1;
  block = gilk_cfg_block_at (cfg, addr);

  return block >= 0 && strcmp (hook->where, "post") == 0 && !gilk_circulation_runs_through (cfg, (guint) block) ? -1 : block;
}

static uint64_t
find_max_count (const CliHeat *heat, guint n_blocks)
{
  uint64_t most = 0;

  for (guint i = 0; i < n_blocks; i++)
    {
      uint64_t count = heat->known != NULL ? heat->known->blocks[i] : heat->hits[i];

      if (count != GILK_COUNT_UNKNOWN)
        most = MAX (most, count);
    }

  return most;
}

CliHeat *
cli_heat_new (const CliSession *session, GilkCfg *cfg, const char *function, const char *module)
{
  g_autoptr(CliHeat) heat = g_new0 (CliHeat, 1);
  gboolean any = FALSE;

  heat->hits = g_new (uint64_t, cfg->n_blocks + 1);
  for (guint i = 0; i < cfg->n_blocks; i++)
    heat->hits[i] = GILK_HITS_UNKNOWN;
  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    {
      const GilkStoredHook *hook = cli_session_hook (session, i);
      int block = find_counted_block (hook, cfg, function, module);

      if (block < 0)
        continue;
      heat->hits[block] = hook->hits;
      any = TRUE;
    }
  if (!any)
    return NULL;
  heat->known = gilk_known_counts_new (cfg, heat->hits);
  heat->max = find_max_count (heat, cfg->n_blocks);

  return g_steal_pointer (&heat);
}

void
cli_heat_free (CliHeat *heat)
{
  if (heat == NULL)
    return;
  g_clear_pointer (&heat->known, gilk_known_counts_unref);
  g_free (heat->hits);
  g_free (heat);
}

void
cli_heat_apply (const CliHeat *heat, GilkGraphLook *look)
{
  look->hits = heat->hits;
  look->known = heat->known;
  look->hits_max = heat->max;
  look->log_heat = TRUE;
}

guint
cli_heat_fold_cold (const CliHeat *heat, const GilkCfg *cfg, GilkCfgFold *fold)
{
  g_autofree gboolean *blocks = g_new0 (gboolean, cfg->n_blocks + 1);
  guint hidden = 0;

  for (guint i = 0; heat->known != NULL && i < cfg->n_blocks; i++)
    if (heat->known->blocks[i] == 0 && gilk_cfg_fold_shown (fold, i) == i && gilk_cfg_fold_size (fold, i) == 1)
      {
        guint n = gilk_cfg_fold_dominated (cfg, i, blocks);

        if (n >= 2 && gilk_cfg_fold_add (fold, cfg, blocks))
          hidden += n - 1;
      }

  return hidden;
}

/* Replaces @graph, if it is too large to be legible, by a graph in which the blocks that never ran
 * are folded. */
static gboolean
fold_large (Cli *cli, const CliHeat *heat, GilkCfg *cfg, GilkGraph **graph, GError **error)
{
  g_autoptr(GilkCfgFold) fold = gilk_cfg_fold_new (cfg);
  GilkGraph *folded;
  guint hidden;

  if (cfg->n_blocks <= CLI_HEAT_BLOCKS)
    return TRUE;
  hidden = cli_heat_fold_cold (heat, cfg, fold);
  if (hidden == 0)
    return TRUE;
  folded = gilk_graph_fold (*graph, fold, cli->cancellable, error);
  if (folded == NULL)
    return FALSE;
  gilk_graph_unref (*graph);
  *graph = folded;
  cli_note (cli, _("%s: folded %u of %u blocks into others, because they never ran."),
                 cfg->function->name, hidden, cfg->n_blocks);
  return TRUE;
}

gboolean
cli_heat_picture (Cli *cli, const CliHeat *heat, GilkCfg *cfg, GilkDecoder *decoder, const CliPicture *picture, GError **error)
{
  const GilkPlotStyle *style = picture->dark ? &gilk_plot_dark : &gilk_plot_light;
  g_autoptr(GilkGraph) graph = gilk_graph_new (cfg, decoder, style, NULL, cli->cancellable, error);
  GilkGraphLook look = { .block = -1, .point = -1, .hover = -1, .insn = -1, .recorded = TRUE };
  GilkGraphPicture what = { .style = style, .look = &look };

  if (graph == NULL || !fold_large (cli, heat, cfg, &graph, error))
    return FALSE;
  cli_heat_apply (heat, &look);
  what.graph = graph;
  return cli_picture_write (cli, picture, graph->layout->width + 2 * GILK_GRAPH_MARGIN,
                            graph->layout->height + 2 * GILK_GRAPH_MARGIN, gilk_graph_paint_picture, &what, error);
}
