/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow.h - makes a run's plan from a file and the command line, and reloads it when the file
 * changes
 */
#pragma once

#include "cli/base/cli.h"
#include "cli/base/kernel.h"
#include "core/plan/gilk-plan-point.h"
#include "core/plan/gilk-plan.h"
#include "core/run/gilk-run.h"

/* Returns the plan in the file @path (nullable), with the points and watchpoints of the command
 * line added. */
GilkPlan  *cli_follow_plan (const char *path, char **hooks, char **watchpoints, GError **error);

/* Parses @conditions, such as the arguments of --until, and adds them to the plan's stop
 * conditions. */
gboolean   cli_follow_until (GilkPlan *plan, char *const *conditions, GError **error);

/* Replaces hooks of @plan that stand for several addresses. @hooks: the points from which
 * cli_follow_plan() made the last hooks of @plan: a point at FUNCTION:return becomes a hook for
 * each return of the function, a point at a source line becomes a hook for each address of the line,
 * and a pattern becomes a hook for each function that matches. FALSE with @error: none was found. */
gboolean   cli_follow_find_points (Cli *cli, GilkPlan *plan, char **hooks, CliKernel *kernel, GError **error);

typedef struct _CliFollow CliFollow;

/* Starts to watch the plan file @path, and applies its changes to @run. The arguments are borrowed
 * and must outlive the returned object. Uses the default main context. */
CliFollow *cli_follow_new  (Cli *cli, CliKernel *kernel, GilkRun *run, const char *path,
                            char **hooks, char **watchpoints, char **until, GilkConsent granted);
void       cli_follow_free (CliFollow *follow);

/* ---- replacing a hook by hooks at several points ---- */

/* Replaces @count hooks of @plan from hook @index on, whose location is "return", by one copy for
 * each block that returns from the function, with a number added to the copy's label. Reports no
 * errors: binding the plan will report them. */
void cli_point_at_returns (Cli *cli, GilkPlan *plan, guint index, guint count, CliKernel *kernel);

/**
 * cli_point_at_locations:
 * If hook @index of @plan, parsed from @point, is at a source line or an inlined function, replaces
 * it by a hook for each address in the debug data; if its function is a pattern, by a hook for each
 * function that matches and can be hooked; otherwise leaves it. A line without a module is looked up
 * in the kernel, then in each module. An inlined function is looked up in the kernel and in all
 * modules, as is a pattern without a module.
 * @count: (out): number of hooks that replaced hook @index
 * Returns: FALSE with @error: nothing was found, or debug data are missing
 */
gboolean cli_point_at_locations (Cli *cli, GilkPlan *plan, guint index, const GilkPointText *point, CliKernel *kernel, guint *count,
                                 GError **error);
