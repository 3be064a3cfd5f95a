/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * changes.h - describes the kernel changes (fault injection) that a plan's hooks make
 *
 * Threads: the main one.
 */
#pragma once

#include "cli/base/output.h"

G_BEGIN_DECLS

/* Prints the kernel changes (fault injection) that each hook makes; nothing if the plan declares
 * none. @is_over: the run has ended */
void  cli_changes_print    (Cli *cli, const char *plan_text, gboolean is_over);
/* Returns the kernel changes that the hook labelled @label makes, such as "nullify, memory";
 * NULL: none. (transfer full) */
char *cli_changes_describe (const char *plan_text, const char *label);

G_END_DECLS
