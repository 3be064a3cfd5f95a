/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run.h - declares functions that the files of "gilk run" share
 */
#pragma once

#include "cli/base/cli.h"
#include "cli/base/output.h"
#include "core/bind/gilk-consent.h"
#include "core/plan/gilk-plan.h"
#include "core/run/gilk-run.h"

/* ---- functions of run-alternate.c ---- */

enum { CLI_ALTERNATE_ROUNDS = 5, CLI_ALTERNATE_ROUNDS_MAX = 1000 };

/* Records one run of @plan and adds it to the session. */
typedef gboolean (*CliRecordFunc) (GilkPlan *plan, gpointer data, GError **error);

typedef struct {
  char         **commands;      /* two shell commands, run on this machine; each prepares the
                                 * machine for the runs of one side */
  guint          rounds;        /* number of runs per side */
  const char    *session;
  CliRecordFunc  record;
  gpointer       data;
} CliAlternate;

/* Checks the options for runs that alternate between two commands. @commands: (nullable). @rounds:
 * 0 if not given. @run_length_ns: 0 if runs are not limited in time. */
gboolean cli_alternate_check (char **commands, int rounds, uint64_t run_length_ns, GError **error);
/**
 * cli_alternate:
 * Records pairs of runs: one after the first command (side A), one after the second (side B), in
 * random order, so that a drift of the machine affects both sides. Then compares the two sides for
 * each hook that takes samples. Ctrl-C stops the current run and ends the series.
 */
gboolean cli_alternate (Cli *cli, const CliAlternate *alternate, GilkPlan *plan, GError **error);

/* ---- functions of run-figures.c ---- */

void cli_run_figures_print      (Cli *cli, const GilkRunFigures *figures, const GilkBoundPlan *bound);
/* Warns of hooks whose probe programs failed to read any memory, and prints a remedy. */
void cli_run_print_failed_reads (Cli *cli, const GilkRunFigures *figures, const GilkBoundPlan *bound);
/* Adds the counts of the run's hooks as members to the open object of @json. */
void cli_run_figures_json       (CliJson *json, const GilkRunFigures *figures, const GilkBoundPlan *bound);

/* ---- functions of run-fleet.c ---- */

typedef struct {
  const GilkPlan *plan;        /* already checked */
  char          **hooks;       /* hooks given on the command line, for cli_follow_find_points() */
  const char     *output;      /* file name to which each target's name is added to get the name of
                                * its session; NULL: sessions are not kept */
  uint64_t        duration_ns;
  gboolean        compress, partial;
  GilkConsent     granted;
} CliFleetRun;

/* Records the plan on all targets at the same time, and reports the results; fails if a target
 * failed. */
gboolean cli_run_fleet (Cli *cli, const CliFleetRun *how, GError **error);

/* ---- metrics of a run for Prometheus ---- */

typedef struct _CliRunMetrics CliRunMetrics;

void     cli_run_metrics_free  (CliRunMetrics *metrics);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliRunMetrics, cli_run_metrics_free)

/* ---- reports on watchpoints ---- */

/* Prints a sentence for each watchpoint that moved to another address, was refused an address, or
 * was paused. */
void cli_run_watchpoints_note (Cli *cli, const GilkRunFigures *figures, const GilkBoundPlan *bound);
/* Adds the members of a watchpoint to the hook's row, if the hook is a watchpoint. */
void cli_run_watchpoint_json  (CliJson *json, const GilkHookFigures *hook);
