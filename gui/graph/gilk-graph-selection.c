/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-selection.c - selection of several blocks of the graph, the highlighted path,
 * dimmed blocks
 */
#include "gui/graph/gilk-graph-selection.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/cfg/gilk-cfg-pick.h"
#include "core/dataflow/gilk-circulation.h"
#include "gui/graph/gilk-graph-text.h"

static guint
count_blocks (GilkGraphView *view)
{
  const GilkGraphData *data = gilk_graph_view_data (view);

  return data != NULL ? data->cfg->n_blocks : 0;
}

/* Sets the selected blocks and the highlighted path of @view; takes ownership of both arrays. If no
 * block is selected, stores NULL instead of @selected. */
static void
set_selected (GilkGraphView *view,
              uint8_t       *selected,
              uint8_t       *highlighted)
{
  if (memchr (selected, 1, count_blocks (view)) == NULL)
    g_clear_pointer (&selected, g_free);
  gilk_graph_view_set_selected (view, selected, highlighted);
}

/* Returns a copy of the selection that the caller may modify. */
static uint8_t *
copy_selected (GilkGraphView *view)
{
  const uint8_t *selected = gilk_graph_view_look (view)->selected;

  return selected != NULL ? g_memdup2 (selected, count_blocks (view)) : g_new0 (uint8_t, count_blocks (view) + 1);
}

guint
gilk_graph_selection_count (GilkGraphView *view)
{
  const uint8_t *selected = gilk_graph_view_look (view)->selected;
  guint n = 0;

  for (guint i = 0; selected != NULL && i < count_blocks (view); i++)
    n += selected[i];

  return n;
}

gboolean
gilk_graph_selection_has (GilkGraphView *view,
                          guint          block)
{
  const uint8_t *selected = gilk_graph_view_look (view)->selected;

  return selected != NULL && selected[block];
}

void
gilk_graph_selection_toggle (GilkGraphView *view,
                             guint          block)
{
  uint8_t *selected = copy_selected (view);

  selected[block] = !selected[block];
  set_selected (view, selected, NULL);
}

void
gilk_graph_selection_add (GilkGraphView *view,
                          guint          block)
{
  if (!gilk_graph_selection_has (view, block))
    gilk_graph_selection_toggle (view, block);
}

/* Selects the blocks in @picked, with @more in addition to those already selected. Takes ownership
 * of @highlighted, the edges of the highlighted path. */
static void
set_picked (GilkGraphView  *view,
            const gboolean *picked,
            gboolean        more,
            uint8_t        *highlighted)
{
  uint8_t *selected = copy_selected (view);

  for (guint i = 0; i < count_blocks (view); i++)
    selected[i] = picked[i] || (more && selected[i]);
  set_selected (view, selected, highlighted);
}

void
gilk_graph_selection_set (GilkGraphView  *view,
                          const gboolean *picked,
                          gboolean        more)
{
  set_picked (view, picked, more, NULL);
}

void
gilk_graph_selection_set_by_rule (GilkGraphView *view,
                                  GilkPick       rule)
{
  g_autofree gboolean *picked = g_new0 (gboolean, count_blocks (view) + 1);

  if (gilk_graph_view_data (view) == NULL)
    return;

  gilk_cfg_pick (gilk_graph_view_data (view)->cfg, rule, MAX (gilk_graph_view_look (view)->block, 0), picked);
  gilk_graph_selection_set (view, picked, FALSE);
}

void
gilk_graph_selection_add_band (GilkGraphView      *view,
                               const GdkRectangle *band)
{
  g_autofree gboolean *picked = g_new0 (gboolean, count_blocks (view) + 1);

  for (guint i = 0; i < count_blocks (view); i++)
    {
      GdkRectangle box;

      gilk_graph_view_block_extents (view, i, &box);
      picked[i] = gdk_rectangle_intersect (&box, band, NULL);
    }
  gilk_graph_selection_set (view, picked, TRUE);
}

/* Returns for each block whether and at which point it can be counted, and the cost. Like
 * gilk_count_points(), but uses the choices in @data, each of which assumes that its point is the
 * only hook. */
static GilkCirculationPoint *
count_points (const GilkGraphData *data)
{
  GilkCirculationPoint *points = g_new0 (GilkCirculationPoint, data->cfg->n_blocks);

  for (guint i = 0; i < 2 * data->cfg->n_blocks; i++)
    {
      GilkCirculationPoint *point = &points[i / 2];
      const GilkChoice *choice = &data->choices[i];

      if (point->possible || choice->refusal != 0 || (i % 2 == 1 && !gilk_circulation_runs_through (data->cfg, i / 2)))
        continue;
      *point = (GilkCirculationPoint) { TRUE, i % 2 == 0 ? GILK_WHERE_PRE : GILK_WHERE_POST, MAX (choice->cost, 1) };
    }

  return points;
}

void
gilk_graph_selection_set_fewest (GilkGraphView *view)
{
  const GilkGraphData *data = gilk_graph_view_data (view);
  g_autofree GilkCirculationPoint *points = NULL;
  g_autoptr(GilkCirculation) circulation = NULL;

  if (data == NULL || data->choices == NULL)
    return;

  points = count_points (data);
  circulation = gilk_circulation_new (data->cfg, points, GILK_CIRCULATION_FEWEST);
  gilk_graph_selection_set (view, circulation->hooked, FALSE);
}

gboolean
gilk_graph_selection_set_hottest_path (GilkGraphView *view)
{
  const GilkGraphLook *look = gilk_graph_view_look (view);
  g_autofree gboolean *blocks = NULL, *edges = NULL;
  g_autofree uint64_t *counts = NULL;
  uint8_t *highlighted;
  const GilkCfg *cfg;

  if (gilk_graph_view_data (view) == NULL || look->block < 0)
    return FALSE;

  cfg = gilk_graph_view_data (view)->cfg;
  blocks = g_new0 (gboolean, cfg->n_blocks);
  edges = g_new0 (gboolean, cfg->n_edges + 1);
  counts = g_new (uint64_t, cfg->n_edges + 1);
  for (guint i = 0; i < cfg->n_edges; i++)
    if (!gilk_graph_edge_count (look, i, &counts[i]))
      counts[i] = GILK_COUNT_UNKNOWN;
  if (gilk_cfg_path (cfg, look->block, look->hits, counts, blocks, edges) == 0)
    return FALSE;

  highlighted = g_new0 (uint8_t, cfg->n_edges + 1);
  for (guint i = 0; i < cfg->n_edges; i++)
    highlighted[i] = edges[i];
  set_picked (view, blocks, FALSE, highlighted);

  return TRUE;
}

gboolean
gilk_graph_selection_clear (GilkGraphView *view)
{
  const GilkGraphLook *look = gilk_graph_view_look (view);

  if (look->selected == NULL && look->highlighted == NULL)
    return FALSE;

  gilk_graph_view_set_selected (view, NULL, NULL);

  return TRUE;
}

/* ---- dimming irrelevant blocks ---- */

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

/* Dims the blocks that were never executed again, because counts have changed. Does nothing if
 * dimming has ended because another function was shown. */
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
