/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run-watches.h - how the watches of a run were: moves, refused addresses, pauses
 */
#pragma once

#include "cli/cli.h"
#include "cli/output.h"
#include "core/run/gilk-run.h"

G_BEGIN_DECLS

/* A sentence each, of those that have something to tell. */
void cli_run_watches_tell (Cli *cli, const GilkRunFigures *figures, const GilkBoundPlan *bound);
/* Members of the hook's row, if it is a watch. */
void cli_run_watch_json   (CliJson *json, const GilkHookFigures *hook);

G_END_DECLS
