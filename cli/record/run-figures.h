/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run-figures.h - reports the counts of a run's hooks, as a table or in the document
 */
#pragma once

#include "cli/base/output.h"
#include "core/run/gilk-run.h"

G_BEGIN_DECLS

void cli_run_figures_print      (Cli *cli, const GilkRunFigures *figures, const GilkBoundPlan *bound);
/* Warns of hooks whose programs could read none of their data, with a remedy. */
void cli_run_print_failed_reads (Cli *cli, const GilkRunFigures *figures, const GilkBoundPlan *bound);
/* Adds members to the open object of @json. */
void cli_run_figures_json       (CliJson *json, const GilkRunFigures *figures, const GilkBoundPlan *bound);

G_END_DECLS
