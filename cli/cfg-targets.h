/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfg-targets.h - gilk cfg --session: where the indirect calls of a function went in a run, and what it counted
 */
#pragma once

#include "cli/cfg-heat.h"
#include "cli/kernel.h"
#include "core/cfg/gilk-cfg.h"

G_BEGIN_DECLS

typedef struct _CliCfgTargets CliCfgTargets;

/* Of the last run of the session at @path, which must be one of this very kernel. */
CliCfgTargets *cli_cfg_targets_new  (Cli *cli, CliKernel *kernel, const GilkCfg *cfg, const char *path, GError **error);
void           cli_cfg_targets_free (CliCfgTargets *targets);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliCfgTargets, cli_cfg_targets_free)

/* A line for each target of the call at instruction @index. */
void               cli_cfg_targets_print   (const CliCfgTargets *targets, guint index);
/* Edges to other functions as the member "calls" of the open object. */
void               cli_cfg_targets_to_json (const CliCfgTargets *targets);
/* Per instruction, for a picture: NULL where there is nothing to say. */
const char *const *cli_cfg_targets_notes   (const CliCfgTargets *targets);

/* What that run counted in the function. NULL: nothing. (transfer full) */
CliHeat           *cli_cfg_targets_heat    (const CliCfgTargets *targets, CliKernel *kernel, GilkCfg *cfg);

G_END_DECLS
