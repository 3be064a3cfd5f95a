/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-choice.c - selection of several blocks of the graph, and the highlighted path
 */
#include "gui/gilk-graph-choice.h"

#include "core/dataflow/gilk-circulation.h"
#include "gui/gilk-graph-accessible.h"
#include "gui/gilk-graph-view-private.h"
#include "gui/gilk-graph-words.h"

static guint
n_blocks_of (GilkGraphView *view)
{
  return view->data != NULL ? view->data->cfg->n_blocks : 0;
}

static void
changed (GilkGraphView *view)
{
  view->look.chosen = view->chosen;
  view->look.lit = view->lit;
  gilk_graph_accessible_update (gtk_widget_get_accessible (GTK_WIDGET (view)));
  gtk_widget_queue_draw (GTK_WIDGET (view));
  g_signal_emit_by_name (view, "chosen");
}

guint
gilk_graph_choice_count (GilkGraphView *view)
{
  guint n = 0;

  for (guint i = 0; view->chosen != NULL && i < n_blocks_of (view); i++)
    n += view->chosen[i];

  return n;
}

gboolean
gilk_graph_choice_has (GilkGraphView *view,
                       guint          block)
{
  return view->chosen != NULL && view->chosen[block];
}

static void
set (GilkGraphView *view,
     guint          block,
     gboolean       chosen)
{
  if (view->chosen == NULL)
    view->chosen = g_new0 (uint8_t, n_blocks_of (view));
  view->chosen[block] = chosen;
  g_clear_pointer (&view->lit, g_free);
  if (gilk_graph_choice_count (view) == 0)
    g_clear_pointer (&view->chosen, g_free);
  changed (view);
}

void
gilk_graph_choice_toggle (GilkGraphView *view,
                          guint          block)
{
  set (view, block, !gilk_graph_choice_has (view, block));
}

void
gilk_graph_choice_add (GilkGraphView *view,
                       guint          block)
{
  if (!gilk_graph_choice_has (view, block))
    set (view, block, TRUE);
}

void
gilk_graph_choice_take (GilkGraphView  *view,
                        const gboolean *picked,
                        gboolean        more)
{
  guint n = n_blocks_of (view);

  if (view->chosen == NULL)
    view->chosen = g_new0 (uint8_t, n);
  for (guint i = 0; i < n; i++)
    view->chosen[i] = picked[i] || (more && view->chosen[i]);
  g_clear_pointer (&view->lit, g_free);
  if (gilk_graph_choice_count (view) == 0)
    g_clear_pointer (&view->chosen, g_free);
  changed (view);
}

void
gilk_graph_choice_rule (GilkGraphView *view,
                        GilkPick       rule)
{
  g_autofree gboolean *picked = g_new0 (gboolean, n_blocks_of (view) + 1);

  if (view->data == NULL)
    return;

  gilk_cfg_pick (view->data->cfg, rule, MAX (view->look.block, 0), picked);
  gilk_graph_choice_take (view, picked, FALSE);
}

void
gilk_graph_choice_band (GilkGraphView      *view,
                        const GdkRectangle *band)
{
  g_autofree gboolean *picked = g_new0 (gboolean, n_blocks_of (view) + 1);

  for (guint i = 0; i < n_blocks_of (view); i++)
    {
      GdkRectangle box;

      gilk_graph_view_block_extents (view, i, &box);
      picked[i] = gdk_rectangle_intersect (&box, band, NULL);
    }
  gilk_graph_choice_take (view, picked, TRUE);
}

/* Like gilk_count_points(), from the previews already made for each point. */
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
gilk_graph_choice_fewest (GilkGraphView *view)
{
  g_autofree GilkCirculationPoint *points = NULL;
  g_autoptr(GilkCirculation) circulation = NULL;

  if (view->data == NULL || view->data->choices == NULL)
    return;

  points = count_points (view->data);
  circulation = gilk_circulation_new (view->data->cfg, points, GILK_CIRCULATION_FEWEST);
  gilk_graph_choice_take (view, circulation->hooked, FALSE);
}

gboolean
gilk_graph_choice_way (GilkGraphView *view)
{
  g_autofree gboolean *blocks = NULL, *edges = NULL;
  g_autofree uint64_t *counts = NULL;
  const GilkCfg *cfg;

  if (view->data == NULL || view->look.block < 0)
    return FALSE;

  cfg = view->data->cfg;
  blocks = g_new0 (gboolean, cfg->n_blocks);
  edges = g_new0 (gboolean, cfg->n_edges + 1);
  counts = g_new (uint64_t, cfg->n_edges + 1);
  for (guint i = 0; i < cfg->n_edges; i++)
    if (!gilk_graph_edge_count (view, i, &counts[i]))
      counts[i] = GILK_COUNT_UNKNOWN;
  if (gilk_cfg_path (cfg, view->look.block, view->look.hits, counts, blocks, edges) == 0)
    return FALSE;

  gilk_graph_choice_take (view, blocks, FALSE);
  view->lit = g_new0 (uint8_t, cfg->n_edges + 1);
  for (guint i = 0; i < cfg->n_edges; i++)
    view->lit[i] = edges[i];
  changed (view);

  return TRUE;
}

gboolean
gilk_graph_choice_clear (GilkGraphView *view)
{
  if (view->chosen == NULL && view->lit == NULL)
    return FALSE;

  g_clear_pointer (&view->chosen, g_free);
  g_clear_pointer (&view->lit, g_free);
  changed (view);

  return TRUE;
}
