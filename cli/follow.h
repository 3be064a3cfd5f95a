/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow.h - a run goes by its plan file while that is edited
 */
#pragma once

#include "cli/cli.h"
#include "cli/kernel.h"
#include "core/run/gilk-run.h"

G_BEGIN_DECLS

/* The plan of a file (nullable) and of points on the command line. */
/* And of watches there. */
GilkPlan  *cli_follow_plan (const char *path, char **hooks, char **watches, GError **error);

/* Conditions that end its run, beside those that it has. */
gboolean   cli_follow_until (GilkPlan *plan, char *const *conditions, GError **error);

/* Of that plan: a point at FUNCTION:return becomes a hook for each place in which the function returns, a line of source
 * one for each place that it is at. FALSE: it is at none. */
gboolean   cli_follow_find_places (Cli *cli, GilkPlan *plan, char **hooks, CliKernel *kernel, GError **error);

typedef struct _CliFollow CliFollow;

/* Arguments are unowned and outlive it. Works in the default main context. */
CliFollow *cli_follow_new  (Cli *cli, CliKernel *kernel, GilkRun *run, const char *path,
                            char **hooks, char **watches, char **until, GilkConsent granted);
void       cli_follow_free (CliFollow *follow);

G_END_DECLS
