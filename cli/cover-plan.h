/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cover-plan.h - the plan of gilk cover: a counter in each block of some functions
 */
#pragma once

#include "cli/kernel.h"
#include "core/run/gilk-bound-plan.h"

G_BEGIN_DECLS

/**
 * cli_cover_bind:
 * @names: functions as gilk_functions_lookup() has them, or globs: "vfs_*", "ext4:*"
 * Blocks that cannot be hooked beside the others, and functions that cannot be at all, are left out and told.
 */
GilkBoundPlan *cli_cover_bind (Cli *cli, CliKernel *kernel, char **names, const char *title, GError **error);

G_END_DECLS
