/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run-watchpoints.h - reports on a run's watchpoints: moves, refused addresses, pauses
 */
#pragma once

#include "cli/base/cli.h"
#include "cli/base/output.h"
#include "core/run/gilk-run.h"

G_BEGIN_DECLS

/* Prints a sentence for each watchpoint that moved, was refused or paused. */
void cli_run_watchpoints_note (Cli *cli, const GilkRunFigures *figures, const GilkBoundPlan *bound);
/* Adds members to the hook's row if it is a watchpoint. */
void cli_run_watchpoint_json  (CliJson *json, const GilkHookFigures *hook);

G_END_DECLS
