/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * point-returns.h - replaces a hook by one at each return of a function
 */
#pragma once

#include "cli/base/cli.h"
#include "cli/base/kernel.h"
#include "core/plan/gilk-plan.h"

G_BEGIN_DECLS

/* Replaces hook @index of @plan, anchored at "return", by a copy for each block that returns, with
 * a number added to its label. Errors in it are left for binding to report. */
void cli_point_at_returns (Cli *cli, GilkPlan *plan, guint index, CliKernel *kernel);

G_END_DECLS
