/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run-metrics.h - gilk run --metrics: figures of a run for Prometheus, during the run
 */
#pragma once

#include "cli/base/cli.h"
#include "core/run/gilk-run.h"

G_BEGIN_DECLS

typedef struct _CliRunMetrics CliRunMetrics;

/* Listens from here on, so that a port in use is an error before anything is armed. @place NULL:
 * returns TRUE without metrics. */
gboolean cli_run_metrics_open  (Cli *cli, const char *place, CliRunMetrics **metrics, GError **error);
/* Publishes @run's figures until freed, which must be before @run is. Must be called in the run's
 * main context. NULL is allowed. */
void     cli_run_metrics_start (CliRunMetrics *metrics, GilkRun *run);
/* Publishes the final figures of the ended run. */
void     cli_run_metrics_end   (CliRunMetrics *metrics);
void     cli_run_metrics_free  (CliRunMetrics *metrics);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliRunMetrics, cli_run_metrics_free)

G_END_DECLS
