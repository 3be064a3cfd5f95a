/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reports.h - reports figures, maps and kernel changes, for several commands
 */
#pragma once

#include "cli/base/output.h"
#include "cli/base/session.h"
#include "core/analysis/gilk-hook-compare.h"
#include "core/analysis/gilk-hook-distribution.h"

/* ---- report-figures ---- */

/* The statistics (figures) that the user requests, such as quantiles. Each is reported as a table
 * with the effect of lost samples, or in the JSON document. */
typedef struct {
  char    **hooks;          /* names of hooks as in sources.h; NULL: the hook with most samples */
  char     *field;          /* field of samples; NULL: the interval between samples or, in a spectrum,
                             * the hits */
  char     *by, *condition;
  gboolean  quantiles, ecdf, spectrum, histogram, rate;
  int       bins;           /* number of bins of the histogram; 0: chosen from the data */
  gboolean  log_x;
  gboolean  subtract_cost;  /* subtract the cost of a hit from intervals */
  char     *compare;        /* name of the first hook to compare; @with names the second hook */
  const char *with;
  int       outliers;
} CliFigures;

gboolean cli_figures_wanted (const CliFigures *figures);
gboolean cli_figures_report (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error);

/* The data from which a statistic is computed: their names, and how many values are missing. */
typedef struct {
  const char *name, *field, *unit;
  uint64_t    lost, cut;
  const char *way;          /* (nullable): how the kernel was hooked: "ilk", "bpf" or "ilk, bpf" */
} CliDataSource;

/* These functions print statistics that the caller has computed, in the same format as statistics
 * computed from a session. */
const double *cli_quantiles_reported (guint *n);
void          cli_quantiles_show     (Cli *cli, const CliDataSource *data, const GilkHookQuantiles *found);
const double *cli_compare_quantiles  (guint *n);
/* Prints the difference of @a and @b. @in_turn: both have several runs, and runs of @a and of @b
 * alternated */
void          cli_compare_show       (Cli *cli, const CliDataSource *a, const CliDataSource *b, const GilkHookCompared *found,
                                      gboolean in_turn);

/* Each of these functions computes one kind of statistic from the session, and reports it. */
gboolean cli_report_quantiles (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error);
gboolean cli_report_ecdf      (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error);
gboolean cli_report_histogram (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error);
gboolean cli_report_spectrum  (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error);
gboolean cli_report_compare   (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error);
gboolean cli_report_outliers  (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error);

/* ---- functions of report-coverage.c ---- */

/* Prints a row for each function, or adds "functions" and "coverage" to the document. */
gboolean cli_coverage_report (Cli *cli, const CliSession *session, GError **error);

/* ---- functions of report-maps.c ---- */

/* Reports each hook's program and a summary of the data in its maps. With --json, reports all
 * data. */
void     cli_programs_report (Cli *cli, const GArray *maps);
/* gilk report --map NAME: reports one map completely, for each hook that has it. @hooks: labels;
 * NULL: all */
gboolean cli_maps_report     (Cli *cli, const CliSession *session, const char *name, char *const *hooks,
                              GError **error);

/*
 * Describes the kernel changes (fault injection) that a plan's hooks make.
 *
 * Threads: the main one.
 */

/* Prints the kernel changes (fault injection) that each hook makes; nothing if the plan declares
 * none. @is_over: the run has ended */
void  cli_changes_print    (Cli *cli, const char *plan_text, gboolean is_over);
/* Returns the kernel changes that the hook labelled @label makes, such as "nullify, memory";
 * NULL: none. (transfer full) */
char *cli_changes_describe (const char *plan_text, const char *label);
