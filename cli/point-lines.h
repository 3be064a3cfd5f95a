/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * point-lines.h - a hook at each place to which a line of source was compiled
 */
#pragma once

#include "cli/cli.h"
#include "cli/kernel.h"
#include "core/run/gilk-plan.h"

G_BEGIN_DECLS

/**
 * cli_point_at_lines:
 * The hook @index of @plan, whose function is a line of source, becomes one for each function that has code of it.
 * Without a module it is looked for in the kernel, then in each module.
 * @count: (out): how many it is now
 * Returns: FALSE: nothing is there, or there are no debug data
 */
gboolean cli_point_at_lines (Cli *cli, GilkPlan *plan, guint index, CliKernel *kernel, guint *count, GError **error);

G_END_DECLS
