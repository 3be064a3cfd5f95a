/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.h - declares the reports of "gilk report"
 */
#pragma once

#include "cli/base/picture.h"
#include "cli/base/reports.h"
#include "cli/base/session.h"
#include "core/analysis/gilk-capture-comparison.h"
#include "core/stats/gilk-histogram.h"

/* ---- functions of report-accesses.c ---- */

/* Reports each watchpoint of the run, or only those with @labels: as tables, or as "accesses" in
 * the document. @asked: the user requested this report, so fail if the run is without
 * watchpoints. */
gboolean cli_accesses_report (Cli *cli, const CliSession *session, char *const *labels, gboolean asked, GError **error);

/* ---- functions of report-compare-capture.c ---- */

typedef struct {
  char      *capture, *filter;     /* pcap file; tcpdump expression (nullable) */
  char      *max_delay;            /* argument of --max-delay, a duration; nullable */
  char     **hooks;                /* labels of hooks; NULL: all hooks that take samples */
  CliPicture picture;
} CliCompareCapture;

/* Fails if options that need --compare-capture are given without it. */
gboolean cli_compare_capture_check  (const CliCompareCapture *options, GError **error);
gboolean cli_compare_capture_report (Cli *cli, const CliSession *session, const CliCompareCapture *options,
                                     GError **error);

/* ---- functions of report-edges.c ---- */

/* Reports the counts of all blocks and edges. The target must run the kernel on which the run was
 * recorded, because deriving counts needs a function's whole control-flow graph, and a session
 * stores only a part of it. @picture: (nullable): shows the counts as heat. If there are several
 * functions, each is drawn into its own file, and the function's name is inserted in front of the
 * file's extension. */
gboolean cli_edges_report (Cli *cli, const CliSession *session, const CliPicture *picture, GError **error);

/* ---- functions of report-distribution.c ---- */

void cli_histogram_report (Cli *cli, const CliDataSource *data, const GilkHistogram *histogram);

/* ---- functions of report-hooks.c ---- */

/* Prints a table of the run's hooks. @maps: maps of all hooks, from cli_maps_read(). */
void cli_hooks_print   (Cli *cli, const CliSession *session, const GArray *maps);
void cli_hooks_to_json (Cli *cli, const CliSession *session, const GArray *maps);

/* ---- functions of report-paths.c ---- */

gboolean cli_paths_report (Cli *cli, const CliSession *session, GError **error);

/* ---- effect on the machine ---- */

/* Reports the measured effect of the hooks on the machine. @label: the control hook, which stayed
 * armed while the others were switched on and off; NULL: the one with most samples. @field: field
 * of the control hook's samples; NULL: its rate of hits. @file: (nullable): file with the
 * workload's own measurements, which are used instead of a control hook. */
gboolean cli_perturbation_report (Cli *cli, const CliSession *session, const char *label, const char *field,
                                  const char *file, GError **error);

/* ---- functions of report-pipeline.c ---- */

/* Returns whether the run has hooks in pipe_write and pipe_read whose samples name the process. */
gboolean cli_pipeline_applies (const CliSession *session);
/* Reports the bottleneck of a pipeline. @order: comma-separated stages in the order of data
 * flow, NULL: derived from the samples. */
gboolean cli_pipeline_report  (Cli *cli, const CliSession *session, const char *order,
                               GError **error);

/* ---- functions of report-rate.c ---- */

typedef struct {
  const char *name;             /* name of the hook */
  const char *run, *host;       /* name of the run and its host in a store; NULL: the hook is in
                                 * a session */
} CliRateSource;

gboolean cli_report_rate    (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error);
/* Reports the hits of a counting hook over time. @times, @counts, @off: results of
 * gilk_remote_readings() or gilk_store_count_series() */
void     cli_rate_show      (Cli *cli, const CliRateSource *origin, const GArray *times, const GArray *counts, const GArray *off);
/* Sets the error that no hook called @name counts hits or, if @name is NULL, that no hook counts
 * hits. Always returns FALSE. */
gboolean cli_rate_set_error (const char *name, GError **error);

/* ---- functions of report-run.c ---- */

/* Reports the TSC frequency, the errors of times, and the smallest time difference that is
 * sufficient to order samples of two CPUs. */
gboolean cli_clock_report (Cli *cli, const CliSession *session, GError **error);
/* Reports the measured cost of the run's hooks. As text, prints nothing if no cost was
 * measured. */
gboolean cli_cost_report  (Cli *cli, const CliSession *session, GError **error);

/* ---- functions of report-span.c ---- */

gboolean cli_span_report (Cli *cli, const CliSession *session, gboolean subtract_cost, GError **error);

/* ---- functions of report-store.c ---- */

/* Reports statistics from a store, or lists its runs and hooks if no statistic is requested.
 * @figures: as for a session, but hooks may be of any host: HOOK, HOOK@HOST or HOOK@RUN. */
gboolean cli_store_report (Cli *cli, const char *url, const CliFigures *figures, GError **error);

/* ---- functions of report-targets.c ---- */

/* Prints a table of the recorded targets of indirect calls, or adds "targets" to the JSON document.
 * Prints nothing if no targets were recorded. */
gboolean cli_targets_report (Cli *cli, const CliSession *session, GError **error);

/* ---- functions of compare-capture-picture.c ---- */

gboolean cli_compare_capture_draw (Cli *cli, const CliPicture *picture, const GilkCaptureComparison *comparison,
                                   GError **error);
