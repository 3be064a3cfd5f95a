/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run-metrics.h - gilk run --metrics: the figures of a run, for Prometheus, while it goes on
 */
#pragma once

#include "cli/cli.h"
#include "core/run/gilk-run.h"

G_BEGIN_DECLS

typedef struct _CliRunMetrics CliRunMetrics;

/* Is asked from now on, so that a port that is taken is an error before anything is armed. @place NULL:
 * TRUE, and no metrics. */
gboolean cli_run_metrics_open  (Cli *cli, const char *place, CliRunMetrics **metrics, GError **error);
/* Until it is freed, which is before @run is. The thread's main context is the run's. NULL is fine. */
void     cli_run_metrics_watch (CliRunMetrics *metrics, GilkRun *run);
/* The last figures: the run has ended. */
void     cli_run_metrics_end   (CliRunMetrics *metrics);
void     cli_run_metrics_free  (CliRunMetrics *metrics);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliRunMetrics, cli_run_metrics_free)

G_END_DECLS
