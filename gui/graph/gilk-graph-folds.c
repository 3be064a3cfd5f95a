/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-folds.c - folded regions of graphs; keeps the folds of each function as long as the
 * view exists
 */
#include "gui/graph/gilk-graph-view.h"

#include "gui/base/gilk-object.h"

struct _GilkGraphFolds {
  gpointer            owner;
  GilkGraphFoldedFunc folded;
  GHashTable         *folds;        /* function name -> GilkCfgFold */
  GCancellable       *folding;      /* cancels computing a layout; NULL: none in progress */
};

/* ---- computing a layout in a worker thread ---- */

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
get_whole_graph (const GilkGraphData *data)
{
  return data->graph->whole != NULL ? data->graph->whole : data->graph;
}

/* Passes the folded graph to the owner. @self is valid, because the task keeps the owner alive. */
static void
folded_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  GilkGraphFolds *self = user_data;
  g_autoptr(GilkGraph) graph = g_task_propagate_pointer (G_TASK (result), NULL);

  if (graph == NULL || g_task_get_cancellable (G_TASK (result)) != self->folding)
    return;
  g_clear_object (&self->folding);
  self->folded (self->owner, graph);
}

static void
cancel_folding (GilkGraphFolds *self)
{
  gilk_cancel (&self->folding);
}

static void
apply_fold (GilkGraphFolds      *self,
            const GilkGraphData *data,
            const GilkCfgFold   *fold)
{
  g_autoptr(GTask) task = NULL;
  Job *job;

  cancel_folding (self);
  if (gilk_cfg_fold_is_empty (fold))
    {
      if (data->graph->whole != NULL)
        self->folded (self->owner, get_whole_graph (data));
      return;
    }
  job = g_new0 (Job, 1);
  job->whole = gilk_graph_ref (get_whole_graph (data));
  job->fold = gilk_cfg_fold_copy (fold);
  self->folding = g_cancellable_new ();
  task = g_task_new (self->owner, self->folding, folded_cb, self);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, fold_thread);
}

gboolean
gilk_graph_folds_is_busy (const GilkGraphFolds *self)
{
  return self->folding != NULL;
}

/* ---- changing and restoring folds ---- */

static GilkCfgFold *
get_fold (GilkGraphFolds      *self,
          const GilkGraphData *data)
{
  const char *name = data->name != NULL ? data->name : data->cfg->function->name;
  GilkCfgFold *fold = g_hash_table_lookup (self->folds, name);

  if (fold != NULL && gilk_cfg_fold_n_blocks (fold) == data->cfg->n_blocks)
    return fold;
  fold = gilk_cfg_fold_new (data->cfg);
  g_hash_table_replace (self->folds, g_strdup (name), fold);

  return fold;
}

static gboolean
fold_selected (GilkCfgFold         *fold,
               const GilkCfg       *cfg,
               const GilkGraphLook *look)
{
  g_autofree gboolean *blocks = g_new0 (gboolean, cfg->n_blocks + 1);

  for (guint b = 0; look->selected != NULL && b < cfg->n_blocks; b++)
    blocks[b] = look->selected[b];

  return gilk_cfg_fold_add (fold, cfg, blocks);
}

static gboolean
fold_current (GilkCfgFold   *fold,
              const GilkCfg *cfg,
              guint          block,
              GilkFoldAction act)
{
  g_autofree gboolean *blocks = g_new0 (gboolean, cfg->n_blocks + 1);

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
gilk_graph_folds_apply (GilkGraphFolds      *self,
                        const GilkGraphData *data,
                        const GilkGraphLook *look,
                        GilkFoldAction       act)
{
  GilkCfgFold *fold = get_fold (self, data);
  gboolean changed;

  if (act == GILK_FOLD_LOOPS)
    changed = gilk_cfg_fold_loops (fold, data->cfg) > 0;
  else if (act == GILK_FOLD_SELECTED)
    changed = fold_selected (fold, data->cfg, look);
  else if (act == GILK_FOLD_OPEN_ALL)
    {
      changed = !gilk_cfg_fold_is_empty (fold);
      gilk_cfg_fold_clear (fold);
    }
  else
    changed = fold_current (fold, data->cfg, (guint) look->block, act);
  if (changed)
    apply_fold (self, data, fold);

  return changed;
}

void
gilk_graph_folds_show (GilkGraphFolds      *self,
                       const GilkGraphData *data,
                       guint                block)
{
  GilkCfgFold *fold = get_fold (self, data);

  if (gilk_cfg_fold_show (fold, block))
    apply_fold (self, data, fold);
}

void
gilk_graph_folds_restore (GilkGraphFolds      *self,
                          const GilkGraphData *data)
{
  cancel_folding (self);
  if (data != NULL && !gilk_cfg_fold_is_empty (get_fold (self, data)))
    apply_fold (self, data, get_fold (self, data));
}

GilkGraphFolds *
gilk_graph_folds_new (gpointer            owner,
                      GilkGraphFoldedFunc folded)
{
  GilkGraphFolds *self = g_new0 (GilkGraphFolds, 1);

  self->owner = owner;
  self->folded = folded;
  self->folds = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) gilk_cfg_fold_free);

  return self;
}

void
gilk_graph_folds_free (GilkGraphFolds *self)
{
  cancel_folding (self);
  g_hash_table_unref (self->folds);
  g_free (self);
}
