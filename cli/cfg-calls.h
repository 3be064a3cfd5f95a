/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfg-calls.h - gilk cfg --callers, --callees: who calls a function, and whom it calls
 */
#pragma once

#include "cli/kernel.h"

G_BEGIN_DECLS

/* @callers, @callees: which of the two, or both. @session: whose last run tells of calls through pointers; (nullable) */
gboolean cli_cfg_calls (Cli *cli, CliKernel *kernel, const char *function, gboolean callers, gboolean callees,
                        const char *session, GError **error);

G_END_DECLS
