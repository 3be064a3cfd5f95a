/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfg-calls.h - gilk cfg --callers, --callees: direct and recorded callers and callees of a
 * function
 */
#pragma once

#include "cli/base/kernel.h"

G_BEGIN_DECLS

/* @callers, @callees: which to list; may be both. @session: (nullable): its last run supplies
 * indirect calls */
gboolean cli_cfg_calls (Cli *cli, CliKernel *kernel, const char *function, gboolean callers, gboolean callees,
                        const char *session, GError **error);

G_END_DECLS
