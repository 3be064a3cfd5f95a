/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-selection.c - selection of several blocks of the graph, and the highlighted path
 */
#include "gui/graph/gilk-graph-selection.h"

#include "core/dataflow/gilk-circulation.h"
#include "gui/graph/gilk-graph-accessible.h"
#include "gui/graph/gilk-graph-view-private.h"
#include "gui/graph/gilk-graph-text.h"

static guint
count_blocks (GilkGraphView *view)
{
  return view->data != NULL ? view->data->cfg->n_blocks : 0;
}

static void
notify_changed (GilkGraphView *view)
{
  view->look.selected = view->selected;
  view->look.highlighted = view->highlighted;
  gilk_graph_accessible_update (gtk_widget_get_accessible (GTK_WIDGET (view)));
  gtk_widget_queue_draw (GTK_WIDGET (view));
  g_signal_emit_by_name (view, "chosen");
}

guint
gilk_graph_selection_count (GilkGraphView *view)
{
  guint n = 0;

  for (guint i = 0; view->selected != NULL && i < count_blocks (view); i++)
    n += view->selected[i];

  return n;
}

gboolean
gilk_graph_selection_has (GilkGraphView *view,
                          guint          block)
{
  return view->selected != NULL && view->selected[block];
}

static void
set_block_selected (GilkGraphView *view,
                    guint          block,
                    gboolean       selected)
{
  if (view->selected == NULL)
    view->selected = g_new0 (uint8_t, count_blocks (view));
  view->selected[block] = selected;
  g_clear_pointer (&view->highlighted, g_free);
  if (gilk_graph_selection_count (view) == 0)
    g_clear_pointer (&view->selected, g_free);
  notify_changed (view);
}

void
gilk_graph_selection_toggle (GilkGraphView *view,
                             guint          block)
{
  set_block_selected (view, block, !gilk_graph_selection_has (view, block));
}

void
gilk_graph_selection_add (GilkGraphView *view,
                          guint          block)
{
  if (!gilk_graph_selection_has (view, block))
    set_block_selected (view, block, TRUE);
}

void
gilk_graph_selection_set (GilkGraphView  *view,
                          const gboolean *picked,
                          gboolean        more)
{
  guint n = count_blocks (view);

  if (view->selected == NULL)
    view->selected = g_new0 (uint8_t, n);
  for (guint i = 0; i < n; i++)
    view->selected[i] = picked[i] || (more && view->selected[i]);
  g_clear_pointer (&view->highlighted, g_free);
  if (gilk_graph_selection_count (view) == 0)
    g_clear_pointer (&view->selected, g_free);
  notify_changed (view);
}

void
gilk_graph_selection_set_by_rule (GilkGraphView *view,
                                  GilkPick       rule)
{
  g_autofree gboolean *picked = g_new0 (gboolean, count_blocks (view) + 1);

  if (view->data == NULL)
    return;

  gilk_cfg_pick (view->data->cfg, rule, MAX (view->look.block, 0), picked);
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
gilk_graph_selection_set_fewest (GilkGraphView *view)
{
  g_autofree GilkCirculationPoint *points = NULL;
  g_autoptr(GilkCirculation) circulation = NULL;

  if (view->data == NULL || view->data->choices == NULL)
    return;

  points = count_points (view->data);
  circulation = gilk_circulation_new (view->data->cfg, points, GILK_CIRCULATION_FEWEST);
  gilk_graph_selection_set (view, circulation->hooked, FALSE);
}

gboolean
gilk_graph_selection_set_hottest_path (GilkGraphView *view)
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

  gilk_graph_selection_set (view, blocks, FALSE);
  view->highlighted = g_new0 (uint8_t, cfg->n_edges + 1);
  for (guint i = 0; i < cfg->n_edges; i++)
    view->highlighted[i] = edges[i];
  notify_changed (view);

  return TRUE;
}

gboolean
gilk_graph_selection_clear (GilkGraphView *view)
{
  if (view->selected == NULL && view->highlighted == NULL)
    return FALSE;

  g_clear_pointer (&view->selected, g_free);
  g_clear_pointer (&view->highlighted, g_free);
  notify_changed (view);

  return TRUE;
}
