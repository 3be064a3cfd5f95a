/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-data.c - loads everything the workbench shows of one function, in a worker thread
 *
 * The layout of a large function takes up to a second, and reading a remote function takes a round
 * trip. The window stays responsive and may cancel loading.
 */
#include "gui/graph/gilk-graph-data.h"

#include "core/bind/gilk-bound-entry.h"
#include "core/splice/gilk-preview.h"

typedef struct {
  GilkFunctions      *functions;
  GilkImage          *image;
  const GilkFunction *function;          /* owned by @functions */
  GilkPlotStyle       style;
} Job;

gboolean
gilk_graph_data_is_same_code (const GilkGraphData *a,
                              const GilkGraphData *b)
{
  const GilkCfg *x = a->cfg, *y = b->cfg;

  if (a->choices == NULL || b->choices == NULL || g_strcmp0 (a->name, b->name) != 0 || x->n_blocks != y->n_blocks ||
      x->n_edges != y->n_edges || x->n_insns != y->n_insns || x->entry != y->entry)
    return FALSE;
  for (guint i = 0; i < x->n_blocks; i++)
    if (x->blocks[i].start != y->blocks[i].start || x->blocks[i].end != y->blocks[i].end || x->blocks[i].n_insns != y->blocks[i].n_insns)
      return FALSE;
  for (guint i = 0; i < x->n_edges; i++)
    if (x->edges[i].from != y->edges[i].from || x->edges[i].to != y->edges[i].to || x->edges[i].kind != y->edges[i].kind)
      return FALSE;

  return TRUE;
}

static void
job_free (gpointer data)
{
  Job *job = data;

  gilk_functions_unref (job->functions);
  gilk_image_unref (job->image);
  g_free (job);
}

static void
preview_point (GilkGraphData *data,
               GilkDecoder   *decoder,
               guint          point,
               GilkChoice    *choice,
               GCancellable  *cancellable)
{
  GilkWant want = {
    .block = point / 2, .where = point % 2 == 0 ? GILK_WHERE_PRE : GILK_WHERE_POST,
    .kind = GILK_INLINE_COUNT,
  };

  if (gilk_bpf_plan_is (data->cfg))
    gilk_bound_entry (data->cfg, &want, cancellable);
  gilk_preview_point (data->cfg, data->liveness, decoder, &want, choice);
}

static void
count_tactic (GilkGraphData *data,
              guint          tactic)
{
  switch (tactic)
    {
    case ILK_TACTIC_TRAP: data->n_trap++; break;
    case ILK_TACTIC_BOUNCE: data->n_bounce++; break;
    case ILK_TACTIC_CLONE: data->n_clone++; break;
    case GILK_TACTIC_KPROBE: data->n_kprobe++; break;
    case GILK_TACTIC_FENTRY: data->n_fentry++; break;
    case GILK_TACTIC_UPROBE: data->n_uprobe++; break;
    default: data->n_splice++;
    }
  if (gilk_tactic_is_bpf (tactic))
    data->bpf_tactics |= 1u << tactic;
}

static void
preview_points (GilkGraphData *data,
                GilkDecoder   *decoder,
                GCancellable  *cancellable)
{
  for (guint i = 0; i < 2 * data->cfg->n_blocks; i++)
    {
      GilkChoice *choice = &data->choices[i];

      preview_point (data, decoder, i, choice, cancellable);
      if (choice->refusal != 0)
        data->n_refused++;
      else
        count_tactic (data, choice->tactic);
    }
}

static gboolean
is_cheaper (const GilkChoice *a,
            const GilkChoice *b)
{
  if (a->refusal != 0 || b->refusal != 0)
    return a->refusal == 0;
  if ((a->tactic == ILK_TACTIC_TRAP) != (b->tactic == ILK_TACTIC_TRAP))
    return b->tactic == ILK_TACTIC_TRAP;

  return a->cost <= b->cost;
}

/* Sets the tactic (kind of patch) and the cost by which each block is coloured. They are those of
 * the cheaper of the block's two points. */
static void
sum_up_blocks (GilkGraphData *data)
{
  data->tactics = g_new0 (uint8_t, data->cfg->n_blocks + 1);
  data->costs = g_new0 (guint, data->cfg->n_blocks + 1);
  for (guint i = 0; i < data->cfg->n_blocks; i++)
    {
      const GilkChoice *pre = &data->choices[2 * i], *post = pre + 1;
      const GilkChoice *choice = is_cheaper (pre, post) ? pre : post;

      if (choice->refusal != 0)
        continue;
      data->tactics[i] = choice->tactic;
      data->costs[i] = choice->cost;
      data->costs_max = MAX (data->costs_max, choice->cost);
    }
}

static void
load_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  Job *job = task_data;
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  g_autoptr(GilkGraphData) data = gilk_graph_data_new ();
  g_autoptr(GilkCfg) cfg = NULL;
  GError *error = NULL;

  cfg = gilk_cfg_new (job->functions, job->function, decoder, &error);
  if (cfg != NULL)
    data->graph = gilk_graph_new (cfg, decoder, &job->style, NULL, cancellable, &error);
  if (data->graph == NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  data->cfg = data->graph->cfg;
  data->name = gilk_functions_name (job->functions, job->function);
  data->choices = g_new0 (GilkChoice, 2 * cfg->n_blocks);
  data->liveness = gilk_liveness_new (cfg, decoder);
  preview_points (data, decoder, cancellable);
  sum_up_blocks (data);

  g_task_return_pointer (task, g_steal_pointer (&data), (GDestroyNotify) gilk_graph_data_unref);
}

void
gilk_graph_data_load_async (GilkFunctions       *functions,
                            GilkImage           *image,
                            const GilkFunction  *function,
                            const GilkPlotStyle *style,
                            GCancellable        *cancellable,
                            GAsyncReadyCallback  callback,
                            gpointer             user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  job->functions = gilk_functions_ref (functions);
  job->image = gilk_image_ref (image);
  job->function = function;
  job->style = *style;
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, load_thread);
}

GilkGraphData *
gilk_graph_data_load_finish (GAsyncResult *result,
                             GError      **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

GilkGraphData *
gilk_graph_data_new (void)
{
  GilkGraphData *data = g_new0 (GilkGraphData, 1);

  g_atomic_ref_count_init (&data->ref_count);

  return data;
}

GilkGraphData *
gilk_graph_data_ref (GilkGraphData *data)
{
  g_atomic_ref_count_inc (&data->ref_count);
  return data;
}

void
gilk_graph_data_unref (GilkGraphData *data)
{
  if (!g_atomic_ref_count_dec (&data->ref_count))
    return;

  g_free (data->name);
  g_free (data->choices);
  g_free (data->tactics);
  g_free (data->costs);
  g_free (data->marks);
  g_free (data->hits);
  g_clear_pointer (&data->known, gilk_known_counts_unref);
  g_clear_pointer (&data->liveness, gilk_liveness_free);
  g_clear_pointer (&data->source, gilk_cfg_source_free);
  g_clear_pointer (&data->graph, gilk_graph_unref);
  g_free (data);
}

/* ---- loading source lines ---- */

static void
source_thread (GTask        *task,
               gpointer      source,
               gpointer      task_data,
               GCancellable *cancellable)
{
  GilkGraphData *data = task_data;
  GError *error = NULL;
  GilkCfgSource *lines = gilk_cfg_source_new (data->cfg, cancellable, &error);

  if (lines != NULL)
    g_task_return_pointer (task, lines, (GDestroyNotify) gilk_cfg_source_free);
  else
    g_task_return_error (task, error);
}

void
gilk_graph_data_source_async (GilkGraphData      *data,
                              GCancellable       *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_task_data (task, gilk_graph_data_ref (data), (GDestroyNotify) gilk_graph_data_unref);
  g_task_run_in_thread (task, source_thread);
}

GilkGraphData *
gilk_graph_data_source_finish (GAsyncResult *result,
                               GError      **error)
{
  GilkGraphData *data = g_task_get_task_data (G_TASK (result));
  GilkCfgSource *lines = g_task_propagate_pointer (G_TASK (result), error);

  if (lines == NULL)
    return NULL;
  g_clear_pointer (&data->source, gilk_cfg_source_free);
  data->source = lines;

  return data;
}

/* ---- formats of exported files ---- */

GilkPlotFormat
gilk_graph_data_format (const char *name)
{
  return g_str_equal (name, "svg") ? GILK_PLOT_SVG : g_str_equal (name, "pdf") ? GILK_PLOT_PDF : GILK_PLOT_PNG;
}
