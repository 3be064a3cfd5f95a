/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * point-spots.h - a hook at each place to which a line of source was compiled, or at which a function was inlined
 */
#pragma once

#include "cli/cli.h"
#include "cli/kernel.h"
#include "core/run/gilk-plan-point.h"

G_BEGIN_DECLS

/**
 * cli_point_at_spots:
 * The hook @index of @plan, which was read of @point, becomes one for each place that debug data have for it, if it is a line of
 * source or a function that was inlined; else it stays. Without a module a line is looked for in the kernel, then in each module; a function in all of them.
 * @count: (out): how many it is now
 * Returns: FALSE: nothing is there, or there are no debug data
 */
gboolean cli_point_at_spots (Cli *cli, GilkPlan *plan, guint index, const GilkPointText *point, CliKernel *kernel, guint *count,
                             GError **error);

G_END_DECLS
