/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-command.h - what the workbench does, as a command to be pasted into a shell
 *
 * Paths are absolute and the target is named, so that it does the same in whatever folder.
 */
#pragma once

#include <gio/gio.h>

#include "core/run/gilk-plan.h"

G_BEGIN_DECLS

/* @length: as the user wrote it, "" until stopped; @session: (nullable): named after the plan. (transfer full) */
char *gilk_run_command       (const char *plan, const char *target, const char *length, const char *session);
/* On all of these at once; @partial: on those that can be had. (transfer full) */
char *gilk_fleet_command     (const char *plan, char *const *targets, const char *length, gboolean partial, const char *session);
/* The workbench itself, at @function (nullable). (transfer full) */
char *gilk_workbench_command (const char *target, const char *function);
/* Writes @plan where commands find it later, in the user's own folder; the same plan gets the same name.
 * (transfer full): its path */
char *gilk_run_command_keep  (GilkPlan *plan, GError **error);

G_END_DECLS
