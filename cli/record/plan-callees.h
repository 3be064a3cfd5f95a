/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan-callees.h - gilk plan new --callees: counters in a function and its callees
 */
#pragma once

#include "cli/base/kernel.h"
#include "core/plan/gilk-plan.h"

G_BEGIN_DECLS

/* Adds counters, in clones, to the function @name and its callees up to @depth calls away. @fewest:
 * only as many as are needed to derive all counts. */
gboolean cli_plan_callees (Cli *cli, GilkPlan *plan, const char *name, CliKernel *kernel, guint depth,
                           gboolean fewest, GError **error);

G_END_DECLS
