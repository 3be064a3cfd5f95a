/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-hooks.h - reports the hooks of a run with their counts
 */
#pragma once

#include "cli/kept.h"

G_BEGIN_DECLS

/* @kept: of all hooks, from cli_kept_read(). */
void cli_hooks_print   (Cli *cli, const CliSession *session, const GArray *kept);
void cli_hooks_to_json (Cli *cli, const CliSession *session, const GArray *kept);

G_END_DECLS
