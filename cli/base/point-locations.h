/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * point-locations.h - replaces a hook by one at each address of a source line or inlined function
 */
#pragma once

#include "cli/base/cli.h"
#include "cli/base/kernel.h"
#include "core/plan/gilk-plan-point.h"

G_BEGIN_DECLS

/**
 * cli_point_at_locations:
 * If hook @index of @plan, parsed from @point, is at a source line or an inlined function, replaces
 * it by a hook for each address in the debug data; otherwise leaves it. A line without a module is
 * looked up in the kernel, then in each module; a function in all of them.
 * @count: (out): number of hooks it became
 * Returns: FALSE with @error: no address was found, or there is no debug data
 */
gboolean cli_point_at_locations (Cli *cli, GilkPlan *plan, guint index, const GilkPointText *point, CliKernel *kernel, guint *count,
                                 GError **error);

G_END_DECLS
