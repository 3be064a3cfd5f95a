/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow.h - reloads a run's plan file when it changes
 */
#pragma once

#include "cli/base/cli.h"
#include "cli/base/kernel.h"
#include "core/run/gilk-run.h"

G_BEGIN_DECLS

/* Returns the plan of a file (nullable) with the points and watchpoints of the command line
 * added. */
GilkPlan  *cli_follow_plan (const char *path, char **hooks, char **watchpoints, GError **error);

/* Adds stop conditions to those of the plan. */
gboolean   cli_follow_until (GilkPlan *plan, char *const *conditions, GError **error);

/* Resolves @hooks in such a plan: a point at FUNCTION:return becomes a hook for each return of the
 * function, a source line a hook for each of its addresses. FALSE with @error: a line has none. */
gboolean   cli_follow_find_points (Cli *cli, GilkPlan *plan, char **hooks, CliKernel *kernel, GError **error);

typedef struct _CliFollow CliFollow;

/* Arguments are borrowed and must outlive the result. Uses the default main context. */
CliFollow *cli_follow_new  (Cli *cli, CliKernel *kernel, GilkRun *run, const char *path,
                            char **hooks, char **watchpoints, char **until, GilkConsent granted);
void       cli_follow_free (CliFollow *follow);

G_END_DECLS
