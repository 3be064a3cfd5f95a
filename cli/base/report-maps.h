/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-maps.h - reports the maps of probe programs
 */
#pragma once

#include "cli/base/hook-maps.h"

G_BEGIN_DECLS

/* Reports each hook's program and a summary of its maps; in JSON the complete maps. */
void     cli_programs_report (Cli *cli, const GArray *maps);
/* gilk report --map NAME: reports one map completely, for each hook that has it. @hooks: labels;
 * NULL: all */
gboolean cli_maps_report     (Cli *cli, const CliSession *session, const char *name, char *const *hooks,
                              GError **error);

G_END_DECLS
