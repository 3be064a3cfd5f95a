/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-hooks.h - reports the hooks of a run with their counts
 */
#pragma once

#include "cli/base/hook-maps.h"

G_BEGIN_DECLS

/* @kept: of all hooks, from cli_maps_read(). */
void cli_hooks_print   (Cli *cli, const CliSession *session, const GArray *maps);
void cli_hooks_to_json (Cli *cli, const CliSession *session, const GArray *maps);

G_END_DECLS
