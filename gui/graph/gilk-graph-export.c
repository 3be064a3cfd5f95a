/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-export.c - export of the whole graph to a file, in a worker thread
 */
#include "gui/graph/gilk-graph-data.h"

#include <glib/gi18n.h>

typedef struct {
  GilkGraph     *graph;        /* the graph with its current folds */
  GilkGraphLook  look;
  uint8_t       *marks;
  uint64_t      *hits;
  GilkKnownCounts *known;
  char          *path;
  GilkPlotFormat format;
  double         scale;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  gilk_graph_unref (job->graph);
  g_free (job->marks);
  g_free (job->hits);
  g_clear_pointer (&job->known, gilk_known_counts_unref);
  g_free (job->path);
  g_free (job);
}

static void
export_thread (GTask        *task,
               gpointer      source,
               gpointer      task_data,
               GCancellable *cancellable)
{
  Job *job = task_data;
  const GilkLayout *layout = job->graph->layout;
  GilkGraphPicture picture = { job->graph, &gilk_plot_light, &job->look };
  double width = layout->width + 2 * GILK_GRAPH_MARGIN, height = layout->height + 2 * GILK_GRAPH_MARGIN;
  GError *error = NULL;

  job->scale = gilk_plot_fit (job->format, &width, &height);
  if (gilk_plot_to_file (job->path, job->format, width, height, gilk_graph_paint_picture, &picture, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
gilk_graph_export_async (GilkGraphData       *data,
                         const GilkGraphLook *look,
                         const char          *path,
                         GilkPlotFormat       format,
                         GAsyncReadyCallback  callback,
                         gpointer             user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, NULL, callback, user_data);
  Job *job = g_new0 (Job, 1);
  guint n = data->cfg->n_blocks;

  job->graph = gilk_graph_ref (data->graph);
  job->marks = look->marks != NULL ? g_memdup2 (look->marks, 2 * n) : NULL;
  job->hits = look->hits != NULL ? g_memdup2 (look->hits, n * sizeof *look->hits) : NULL;
  job->known = look->known != NULL ? gilk_known_counts_ref ((GilkKnownCounts *) look->known) : NULL;
  job->path = g_strdup (path);
  job->format = format;
  job->look = (GilkGraphLook) {
    .marks = job->marks, .hits = job->hits, .known = job->known, .hits_max = look->hits_max, .log_heat = look->log_heat,
    .recorded = look->recorded, .block = -1, .point = -1, .hover = -1, .insn = -1,
  };
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, export_thread);
}

char *
gilk_graph_export_finish (GAsyncResult *result,
                          GError      **error)
{
  const Job *job = g_task_get_task_data (G_TASK (result));

  if (!g_task_propagate_boolean (G_TASK (result), error))
    return NULL;
  if (job->scale >= 1)
    return g_strdup_printf (_("Wrote %s."), job->path);

  return g_strdup_printf (_("Wrote %s at %.0f %% of its size, the maximum for this format. Export to SVG for full size."),
                          job->path, job->scale * 100);
}
