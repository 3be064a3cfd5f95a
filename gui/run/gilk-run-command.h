/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-command.h - shell commands equivalent to actions of the workbench
 *
 * Paths are absolute and the target is named, so that commands work in any directory.
 */
#pragma once

#include <gio/gio.h>

#include "core/plan/gilk-plan.h"

G_BEGIN_DECLS

/* @length: as typed by the user, "" for until stopped; @session: (nullable): named after the plan.
 * (transfer full) */
char *gilk_run_command           (const char *plan, const char *target, const char *length, const char *session);
/* Returns the command for a run on several targets; @partial: on the available
 * ones. (transfer full) */
char *gilk_fleet_command         (const char *plan, char *const *targets, const char *length, gboolean partial, const char *session);
/* Returns the command that starts the workbench at @function (nullable). (transfer full) */
char *gilk_workbench_command     (const char *target, const char *function);
/* Writes @plan to the user's data directory for later use by commands; equal plans get equal names.
 * Returns its path. (transfer full) */
char *gilk_run_command_save_plan (GilkPlan *plan, GError **error);

G_END_DECLS
