/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-dim.c - dims irrelevant blocks
 */
#include "gui/graph/gilk-graph-selection.h"

#include <string.h>

#include <glib/gi18n.h>

#include "core/cfg/gilk-cfg-pick.h"

/* Dims the blocks in @dimmed (transfer full) for the reason @why (transfer full). Returns FALSE if
 * no block is dimmed. */
static gboolean
set_dimmed (GilkGraphView *view,
            uint8_t       *dimmed,
            char          *why)
{
  gboolean any = memchr (dimmed, 1, gilk_graph_view_data (view)->cfg->n_blocks) != NULL;

  gilk_graph_view_set_dimmed (view, dimmed, why);

  return any;
}

static gboolean
dim_by_reachability (GilkGraphView *view,
                     gboolean       from)
{
  const GilkGraphData *data = gilk_graph_view_data (view);
  const GilkCfg *cfg = data->cfg;
  guint block = (guint) gilk_graph_view_look (view)->block;
  g_autofree gboolean *picked = g_new0 (gboolean, cfg->n_blocks + 1);
  uint8_t *dimmed = g_new0 (uint8_t, cfg->n_blocks + 1);
  const char *title = data->graph->titles[block];

  gilk_cfg_pick (cfg, from ? GILK_PICK_REACHED : GILK_PICK_REACHING, block, picked);
  for (guint i = 0; i < cfg->n_blocks; i++)
    dimmed[i] = !picked[i];

  return set_dimmed (view, dimmed, from ? g_strdup_printf (_("dimmed: not reachable from %s"), title)
                                 : g_strdup_printf (_("dimmed: does not lead to %s"), title));
}

static gboolean
dim_by_counts (GilkGraphView *view)
{
  const GilkGraphLook *look = gilk_graph_view_look (view);
  guint n = gilk_graph_view_data (view)->cfg->n_blocks;
  uint8_t *dimmed = g_new0 (uint8_t, n + 1);

  for (guint i = 0; i < n; i++)
    {
      uint64_t hits = look->hits != NULL ? look->hits[i] : GILK_HITS_UNKNOWN;

      if (hits == GILK_HITS_UNKNOWN && look->known != NULL)
        hits = look->known->blocks[i];
      dimmed[i] = hits == 0;
    }

  return set_dimmed (view, dimmed, g_strdup (_("dimmed: never executed")));
}

/* Dims the blocks again by the new counts. Does nothing if dimming has ended because another
 * function was shown. */
static void
follow_counts (GilkGraphView *view)
{
  if (gilk_graph_view_look (view)->dimmed != NULL)
    dim_by_counts (view);
}

gboolean
gilk_graph_dim_set (GilkGraphView *view,
                    const char    *word)
{
  gilk_graph_view_set_dimmed (view, NULL, NULL);
  g_signal_handlers_disconnect_by_func (view, follow_counts, NULL);
  if (gilk_graph_view_data (view) == NULL || gilk_graph_view_look (view)->block < 0)
    return FALSE;
  if (g_str_equal (word, "ran"))
    {
      g_signal_connect (view, "counted", G_CALLBACK (follow_counts), NULL);
      return dim_by_counts (view);
    }

  return (g_str_equal (word, "from") || g_str_equal (word, "to")) && dim_by_reachability (view, g_str_equal (word, "from"));
}
