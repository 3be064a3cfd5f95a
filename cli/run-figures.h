/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run-figures.h - what the hooks of a run did, as a table or in the document
 */
#pragma once

#include "cli/output.h"
#include "core/run/gilk-run.h"

G_BEGIN_DECLS

void cli_run_figures_print (Cli *cli, const GilkRunFigures *figures, const GilkBoundPlan *bound);
/* Tells of hooks whose programs could read nothing of what they were to read, and what helps. */
void cli_run_bad_tell      (Cli *cli, const GilkRunFigures *figures, const GilkBoundPlan *bound);
/* Members of the open object of @json. */
void cli_run_figures_json  (CliJson *json, const GilkRunFigures *figures, const GilkBoundPlan *bound);

G_END_DECLS
