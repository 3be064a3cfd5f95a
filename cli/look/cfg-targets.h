/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfg-targets.h - gilk cfg --session: recorded targets of a function's indirect calls, and its
 * counts
 */
#pragma once

#include "cli/base/cfg-heat.h"
#include "cli/base/kernel.h"
#include "core/cfg/gilk-cfg.h"

G_BEGIN_DECLS

typedef struct _CliCfgTargets CliCfgTargets;

/* Reads the last run of the session at @path, which must be of the same kernel. */
CliCfgTargets *cli_cfg_targets_new  (Cli *cli, CliKernel *kernel, const GilkCfg *cfg, const char *path, GError **error);
void           cli_cfg_targets_free (CliCfgTargets *targets);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliCfgTargets, cli_cfg_targets_free)

/* Prints a line for each target of the call at instruction @index. */
void cli_cfg_targets_print   (const CliCfgTargets *targets, guint index);
/* Adds edges to other functions as the member "calls" of the open object. */
void cli_cfg_targets_to_json (const CliCfgTargets *targets);
/* Returns notes for a picture, by instruction; NULL where there is none. */
const char *const *cli_cfg_targets_notes   (const CliCfgTargets *targets);

/* Returns the run's counts in the function. NULL: none. (transfer full) */
CliHeat           *cli_cfg_targets_heat    (const CliCfgTargets *targets, CliKernel *kernel, GilkCfg *cfg);

G_END_DECLS
