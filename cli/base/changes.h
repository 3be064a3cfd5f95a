/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * changes.h - describes the kernel changes (fault injection) that a plan's hooks make
 *
 * Threads: the main one.
 */
#pragma once

#include "cli/base/output.h"

G_BEGIN_DECLS

/* Prints which hooks change what, if the plan declares changes. @is_over: the run has ended */
void  cli_changes_print    (Cli *cli, const char *plan_text, gboolean is_over);
/* Returns what the hook with that label changes: "nullify, memory"; NULL: nothing. (transfer
 * full) */
char *cli_changes_describe (const char *plan_text, const char *label);

G_END_DECLS
