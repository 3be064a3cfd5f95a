/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-folds.c - folded regions of the graph, kept per function while the window exists
 */
#include "gui/graph/gilk-graph-folds.h"

#include "gui/graph/gilk-graph-accessible.h"
#include "gui/graph/gilk-graph-selection.h"
#include "gui/graph/gilk-graph-view-private.h"

/* ---- layout, in a worker thread ---- */

typedef struct {
  GilkGraph   *whole;
  GilkCfgFold *fold;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  gilk_graph_unref (job->whole);
  gilk_cfg_fold_free (job->fold);
  g_free (job);
}

static void
fold_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  const Job *job = task_data;
  GError *error = NULL;
  GilkGraph *graph = gilk_graph_fold (job->whole, job->fold, cancellable, &error);

  if (graph == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, graph, (GDestroyNotify) gilk_graph_unref);
}

static GilkGraph *
get_whole_graph (GilkGraphView *view)
{
  GilkGraph *graph = view->data->graph;

  return graph->whole != NULL ? graph->whole : graph;
}

/* Selects the requested point or instruction, else what is now in the current one's place. */
static void
select_wanted (GilkGraphView *view)
{
  int point = view->wanted_point, insn = view->wanted_insn;

  view->wanted_point = view->wanted_insn = -1;
  if (insn >= 0)
    gilk_graph_view_select_insn (view, (guint) insn, TRUE);
  else if (point >= 0)
    gilk_graph_view_select (view, point, TRUE);
  else
    {
      gilk_graph_view_select (view, view->look.point, FALSE);
      if (view->placed)
        gilk_graph_view_select (view, view->look.point, TRUE);
    }
}

/* Swaps in @graph and scrolls so that the current block keeps its position on screen. */
static void
swap_graph (GilkGraphView *view,
            GilkGraph     *graph)
{
  GilkGraph *before = view->data->graph;
  int block = MAX (view->look.block, 0);
  const GilkBox *was = &before->layout->blocks[block], *is = &graph->layout->blocks[block];

  view->port.x += is->x - was->x;
  view->port.y += is->y - was->y;
  view->data->graph = gilk_graph_ref (graph);
  gilk_graph_unref (before);
  view->look.has_edge = FALSE;
  view->look.hover = -1;
  if (view->look.insn >= 0 && gilk_graph_folded (graph, (guint) block) > 1)
    view->look.insn = -1;
  gilk_graph_accessible_reset (gtk_widget_get_accessible (GTK_WIDGET (view)));
  select_wanted (view);
  gtk_widget_queue_draw (GTK_WIDGET (view));
}

static void
folded_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  GilkGraphView *view = GILK_GRAPH_VIEW (object);
  g_autoptr(GilkGraph) graph = g_task_propagate_pointer (G_TASK (result), NULL);

  if (graph == NULL || g_task_get_cancellable (G_TASK (result)) != view->folding || view->data == NULL)
    return;
  g_clear_object (&view->folding);
  swap_graph (view, graph);
}

static void
cancel_folding (GilkGraphView *view)
{
  if (view->folding != NULL)
    g_cancellable_cancel (view->folding);
  g_clear_object (&view->folding);
}

static void
apply_fold (GilkGraphView     *view,
            const GilkCfgFold *fold)
{
  g_autoptr(GTask) task = NULL;
  Job *job;

  cancel_folding (view);
  if (gilk_cfg_fold_is_empty (fold))
    {
      if (view->data->graph->whole != NULL)
        swap_graph (view, get_whole_graph (view));
      return;
    }
  job = g_new0 (Job, 1);
  job->whole = gilk_graph_ref (get_whole_graph (view));
  job->fold = gilk_cfg_fold_copy (fold);
  view->folding = g_cancellable_new ();
  task = g_task_new (view, view->folding, folded_cb, NULL);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, fold_thread);
}

/* ---- fold state ---- */

static GilkCfgFold *
get_fold (GilkGraphView *view)
{
  const char *name = view->data->name != NULL ? view->data->name : view->data->cfg->function->name;
  GilkCfgFold *fold = g_hash_table_lookup (view->folds, name);

  if (fold != NULL && gilk_cfg_fold_n_blocks (fold) == view->data->cfg->n_blocks)
    return fold;
  fold = gilk_cfg_fold_new (view->data->cfg);
  g_hash_table_replace (view->folds, g_strdup (name), fold);

  return fold;
}

static gboolean
fold_selected (GilkGraphView *view,
               GilkCfgFold   *fold)
{
  const GilkCfg *cfg = view->data->cfg;
  g_autofree gboolean *blocks = g_new0 (gboolean, cfg->n_blocks + 1);

  for (guint b = 0; b < cfg->n_blocks; b++)
    blocks[b] = gilk_graph_selection_has (view, b);

  return gilk_cfg_fold_add (fold, cfg, blocks) && gilk_graph_selection_clear (view);
}

static gboolean
fold_current (GilkGraphView *view,
              GilkCfgFold   *fold,
              GilkFoldAction act)
{
  const GilkCfg *cfg = view->data->cfg;
  g_autofree gboolean *blocks = g_new0 (gboolean, cfg->n_blocks + 1);
  guint block = (guint) view->look.block;

  if (act == GILK_FOLD_TOGGLE && gilk_cfg_fold_open (fold, block))
    return TRUE;
  if (act != GILK_FOLD_DOMINATED && gilk_cfg_fold_loop_at (cfg, block, blocks) > 1 && gilk_cfg_fold_add (fold, cfg, blocks))
    return TRUE;
  if (act == GILK_FOLD_LOOP)
    return FALSE;
  gilk_cfg_fold_dominated (cfg, block, blocks);

  return gilk_cfg_fold_add (fold, cfg, blocks);
}

gboolean
gilk_graph_folds_apply (GilkGraphView *view,
                        GilkFoldAction act)
{
  GilkCfgFold *fold;
  gboolean changed = FALSE;

  if (view->data == NULL || view->look.block < 0)
    return FALSE;
  fold = get_fold (view);
  if (act == GILK_FOLD_LOOPS)
    changed = gilk_cfg_fold_loops (fold, view->data->cfg) > 0;
  else if (act == GILK_FOLD_SELECTED)
    changed = fold_selected (view, fold);
  else if (act == GILK_FOLD_OPEN_ALL)
    {
      changed = !gilk_cfg_fold_is_empty (fold);
      gilk_cfg_fold_clear (fold);
    }
  else
    changed = fold_current (view, fold, act);
  if (changed)
    apply_fold (view, fold);

  return changed;
}

gboolean
gilk_graph_folds_show (GilkGraphView *view,
                       int            point,
                       int            insn)
{
  GilkCfgFold *fold = get_fold (view);

  view->wanted_point = point;
  view->wanted_insn = insn;
  if (gilk_cfg_fold_show (fold, (guint) point / 2))
    apply_fold (view, fold);

  return view->folding == NULL;
}

void
gilk_graph_folds_restore (GilkGraphView *view)
{
  cancel_folding (view);
  view->wanted_point = view->wanted_insn = -1;
  if (view->folds == NULL)
    view->folds = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) gilk_cfg_fold_free);
  if (view->data != NULL && !gilk_cfg_fold_is_empty (get_fold (view)))
    apply_fold (view, get_fold (view));
}

void
gilk_graph_folds_free (GilkGraphView *view)
{
  cancel_folding (view);
  g_clear_pointer (&view->folds, g_hash_table_unref);
}
