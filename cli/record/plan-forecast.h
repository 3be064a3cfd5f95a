/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan-forecast.h - gilk plan check --rates: the expected cost of a plan, and hooks beyond a budget
 */
#pragma once

#include "cli/base/kernel.h"
#include "core/bind/gilk-bound-plan.h"

G_BEGIN_DECLS

/**
 * cli_plan_forecast:
 * @rates: (nullable): a session with hit rates of the points and the cost of hits
 * @budget: (nullable): a share of a CPU's time, "1%"
 *
 * Adds to the open document, or prints a table. FALSE if either cannot be read.
 */
gboolean cli_plan_forecast (Cli *cli, const CliKernel *kernel, const GilkBoundPlan *bound, const char *rates,
                            const char *budget, GError **error);
/* Checks that the two options are valid together. */
gboolean cli_plan_forecast_check (const char *rates, const char *budget, GError **error);

G_END_DECLS
