/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * point-returns.h - a hook at each place in which a function returns
 */
#pragma once

#include "cli/cli.h"
#include "cli/kernel.h"
#include "core/run/gilk-plan.h"

G_BEGIN_DECLS

/* The hook @index of @plan, anchored at "return", becomes one for each block that returns: all have what it
 * has, and labels with a number. What is wrong with it is left to be told when it is bound. */
void cli_point_at_returns (Cli *cli, GilkPlan *plan, guint index, CliKernel *kernel);

G_END_DECLS
