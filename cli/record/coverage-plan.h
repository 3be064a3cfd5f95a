/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * coverage-plan.h - the plan of gilk coverage: a counter in each block of given functions
 */
#pragma once

#include "cli/base/kernel.h"
#include "core/bind/gilk-bound-plan.h"

G_BEGIN_DECLS

/**
 * cli_coverage_bind:
 * @names: functions as for gilk_functions_lookup(), or globs: "vfs_*", "ext4:*"
 * Leaves out blocks that cannot be hooked together with the others, and functions that cannot be
 * hooked, and notes them.
 */
GilkBoundPlan *cli_coverage_bind (Cli *cli, CliKernel *kernel, char **names, const char *title, GError **error);

G_END_DECLS
