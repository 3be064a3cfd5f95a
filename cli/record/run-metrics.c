/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run-metrics.c - gilk run --metrics: figures of a run for Prometheus, during the run
 */
#include "cli/record/run.h"

#include <glib/gi18n.h>

#include "cli/base/output.h"
#include "core/remote/gilk-endpoint.h"
#include "core/remote/gilk-metrics.h"

#define PERIOD_MS 1000

struct _CliRunMetrics {
  GilkEndpoint *endpoint;
  GilkRun      *run;              /* borrowed; NULL: not started, or ended */
  GSource      *timer;
};

gboolean
cli_run_metrics_open (Cli *cli, const char *place, CliRunMetrics **metrics, GError **error)
{
  g_autoptr(CliRunMetrics) made = NULL;

  *metrics = NULL;
  if (place == NULL)
    return TRUE;
  made = g_new0 (CliRunMetrics, 1);
  made->endpoint = gilk_endpoint_new (place, GILK_EXPOSITION_TYPE, GILK_ENDPOINT_SECONDS, error);
  if (made->endpoint == NULL)
    return FALSE;
  cli_note (cli, _("Serving Prometheus metrics at http://%s/metrics."), gilk_endpoint_place (made->endpoint));
  *metrics = g_steal_pointer (&made);
  return TRUE;
}

static gboolean
publish_figures (gpointer data)
{
  CliRunMetrics *metrics = data;
  GilkRunFigures figures = { 0 };

  gilk_run_figures (metrics->run, &figures);
  gilk_endpoint_publish (metrics->endpoint, gilk_metrics_of_run (&figures, gilk_run_plan (metrics->run)));
  gilk_run_figures_clear (&figures);
  return G_SOURCE_CONTINUE;
}

void
cli_run_metrics_start (CliRunMetrics *metrics, GilkRun *run)
{
  if (metrics == NULL)
    return;
  metrics->run = run;
  metrics->timer = g_timeout_source_new (PERIOD_MS);
  g_source_set_callback (metrics->timer, publish_figures, metrics, NULL);
  g_source_attach (metrics->timer, g_main_context_get_thread_default ());
  publish_figures (metrics);
}

void
cli_run_metrics_end (CliRunMetrics *metrics)
{
  if (metrics == NULL || metrics->run == NULL)
    return;
  publish_figures (metrics);
  g_source_destroy (metrics->timer);
  g_clear_pointer (&metrics->timer, g_source_unref);
  metrics->run = NULL;
}

void
cli_run_metrics_free (CliRunMetrics *metrics)
{
  if (metrics == NULL)
    return;
  cli_run_metrics_end (metrics);
  gilk_endpoint_free (metrics->endpoint);
  g_free (metrics);
}
