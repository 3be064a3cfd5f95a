/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan-targets.h - gilk plan new --targets: hooks that tell where the indirect calls of a function go
 */
#pragma once

#include "cli/kernel.h"
#include "core/run/gilk-plan.h"

G_BEGIN_DECLS

/* A hook directly before each of them that can be hooked, and whose target the language can say; the others are
 * told. FALSE too if there is none. */
gboolean cli_plan_targets (Cli *cli, GilkPlan *plan, const char *name, CliKernel *kernel, GError **error);

G_END_DECLS
