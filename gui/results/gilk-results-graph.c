/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-graph.c - the recorded graph of a function, shown instead of a plot
 */
#include "gui/results/gilk-results-private.h"

#include <glib/gi18n.h>

#include "gui/results/gilk-recorded-graph.h"
#include "gui/results/gilk-results-figures.h"
#include "gui/base/gilk-style.h"
#include "gui/base/gilk-text.h"

static void
graph_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr(GilkResultsView) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkGraphData) data = gilk_recorded_graph_finish (result, &error);

  if (data == NULL)
    {
      gilk_results_emit_failed (self, error);
      return;
    }
  if (g_task_get_cancellable (G_TASK (result)) != self->drawing || gilk_results_function (self) == NULL)
    return;

  gilk_figures_clear (self->figures);
  gtk_label_set_text (self->figures_title, data->name);
  gilk_figures_graph (self->figures, gilk_results_function (self), data);
  gilk_graph_view_set_data (self->graph, data);
  gilk_graph_view_set_marks (self->graph, data->marks, data->hits, self->log_heat);
  gtk_stack_set_visible_child_name (self->picture, "graph");
}

GilkGraphView *
gilk_results_view_graph (GilkResultsView *self)
{
  return gilk_results_shows_accesses (self) ? gilk_accesses_view_graph (self->writers) : self->graph;
}

void
gilk_results_view_set_minimap (GilkResultsView *self,
                               gboolean         shown)
{
  gilk_graph_view_set_minimap (self->graph, shown);
  gilk_graph_view_set_minimap (gilk_accesses_view_graph (self->writers), shown);
}

void
gilk_results_view_set_log_heat (GilkResultsView *self,
                                gboolean         log_heat)
{
  GilkGraphData *data = gilk_graph_view_data (self->graph);

  self->log_heat = log_heat;
  if (data != NULL)
    gilk_graph_view_set_marks (self->graph, data->marks, data->hits, log_heat);
  gilk_accesses_view_set_log_heat (self->writers, log_heat);
}

void
gilk_results_show_graph (GilkResultsView *self)
{
  GilkPlotStyle style;

  gilk_style_fill (GTK_WIDGET (self->graph), &style);
  gilk_results_show_loss (self, 0, 0);
  self->drawing = g_cancellable_new ();
  gilk_recorded_graph_async (self->session->path, gilk_results_function (self), gilk_results_run (self), NULL, self->selection, &style, self->drawing, graph_cb, g_object_ref (self));
}

void
gilk_results_block_selected (GilkResultsView *self,
                             int              point)
{
  GilkGraphData *data = gilk_graph_view_data (self->graph);
  const char *title = data->graph->titles[point / 2];
  g_autofree char *hits = gilk_text_count (data->hits[point / 2]);
  g_autofree char *text = data->hits[point / 2] == GILK_HITS_UNKNOWN
                          ? g_strdup_printf (_("Block %s was not measured"), title)
                          : g_strdup_printf (_("Block %s: %s hits"), title, hits);

  gtk_label_set_text (self->read_out, text);
}
