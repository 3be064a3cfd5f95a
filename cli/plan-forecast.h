/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan-forecast.h - gilk plan check --rates: what a plan will cost, and what a budget takes out of it
 */
#pragma once

#include "cli/kernel.h"
#include "core/run/gilk-bound-plan.h"

G_BEGIN_DECLS

/**
 * cli_plan_forecast:
 * @rates: (nullable): a session that tells how often the points are hit, and what hits cost
 * @budget: (nullable): a share of a processor's time, "1%"
 *
 * Into the open document, or as a table. FALSE if either cannot be read.
 */
gboolean cli_plan_forecast (Cli *cli, const CliKernel *kernel, const GilkBoundPlan *bound, const char *rates,
                            const char *budget, GError **error);
/* May the two options be as they are? */
gboolean cli_plan_forecast_check (const char *rates, const char *budget, GError **error);

G_END_DECLS
