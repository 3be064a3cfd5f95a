/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * changes.h - what hooks of an experiment change, in words
 *
 * Threads: the main one.
 */
#pragma once

#include "cli/output.h"

G_BEGIN_DECLS

/* Says of a run by its plan, if that is an experiment: which hooks change what. @is_over: it was one */
void  cli_changes_print (Cli *cli, const char *plan_text, gboolean is_over);
/* "nullify, memory": what the hook of that label changes; NULL: nothing. Free it. */
char *cli_changes_of    (const char *plan_text, const char *label);

G_END_DECLS
