/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan-targets.h - gilk plan new --targets: hooks that record the targets of a function's indirect
 * calls
 */
#pragma once

#include "cli/base/kernel.h"
#include "core/plan/gilk-plan.h"

G_BEGIN_DECLS

/* Adds a hook directly in front of each indirect call, if it can be hooked and the probe language
 * can express its target; notes the others. Fails if no call is such. */
gboolean cli_plan_targets (Cli *cli, GilkPlan *plan, const char *name, CliKernel *kernel, GError **error);

G_END_DECLS
