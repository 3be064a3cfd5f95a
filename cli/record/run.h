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

/* Records @plan into the session as a further run. */
typedef gboolean (*CliRecordFunc) (GilkPlan *plan, gpointer data, GError **error);

typedef struct {
  char         **commands;      /* two commands, run by sh on this machine; each prepares the
                                 * runs of its side */
  guint          rounds;        /* number of runs per side */
  const char    *session;
  CliRecordFunc  record;
  gpointer       data;
} CliAlternate;

/* Checks the options of an alternating run. @commands: (nullable). @rounds: 0 if not given.
 * @run_length_ns: 0 if runs are not limited in time. */
gboolean cli_alternate_check (char **commands, int rounds, uint64_t run_length_ns, GError **error);
/**
 * cli_alternate:
 * Records @rounds runs of each side, in pairs. The order within a pair is random, so that a drift
 * of the machine affects both sides. Then shows a comparison of each hook that takes samples.
 * Ctrl-C stops the current run and ends the series.
 */
gboolean cli_alternate (Cli *cli, const CliAlternate *alternate, GilkPlan *plan, GError **error);

/* ---- functions of run-figures.c ---- */

void cli_run_figures_print      (Cli *cli, const GilkRunFigures *figures, const GilkBoundPlan *bound);
/* Warns of hooks whose programs could read none of their data, with a remedy. */
void cli_run_print_failed_reads (Cli *cli, const GilkRunFigures *figures, const GilkBoundPlan *bound);
/* Adds members to the open object of @json. */
void cli_run_figures_json       (CliJson *json, const GilkRunFigures *figures, const GilkBoundPlan *bound);

/* ---- functions of run-fleet.c ---- */

typedef struct {
  const GilkPlan *plan;        /* already checked */
  char          **hooks;       /* hooks given on the command line, for cli_follow_find_points() */
  const char     *output;      /* base name from which the names of sessions are made; NULL:
                                * sessions are not kept */
  uint64_t        duration_ns;
  gboolean        compress, partial;
  GilkConsent     granted;
} CliFleetRun;

/* Reports the result of all targets; fails if one of them did not end well. */
gboolean cli_run_fleet (Cli *cli, const CliFleetRun *how, GError **error);

/* ---- metrics of a run for Prometheus ---- */

typedef struct _CliRunMetrics CliRunMetrics;

void     cli_run_metrics_free  (CliRunMetrics *metrics);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliRunMetrics, cli_run_metrics_free)

/* ---- reports on watchpoints ---- */

/* Prints a sentence for each watchpoint that moved, was refused or paused. */
void cli_run_watchpoints_note (Cli *cli, const GilkRunFigures *figures, const GilkBoundPlan *bound);
/* Adds the members of a watchpoint to the hook's row, if the hook is a watchpoint. */
void cli_run_watchpoint_json  (CliJson *json, const GilkHookFigures *hook);
