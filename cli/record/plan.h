/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan.h - declares functions that the files of "gilk plan" share
 */
#pragma once

#include "cli/base/kernel.h"
#include "core/bind/gilk-bound-plan.h"
#include "core/plan/gilk-plan.h"

/* ---- functions of plan-forecast.c ---- */

/**
 * cli_plan_forecast:
 * @rates: (nullable): a session with hit rates of the points and the cost of hits
 * @budget: (nullable): a share of a CPU's time, "1%".
 *
 * Prints the forecast as a table, or adds it to the open document. Returns FALSE if @rates or
 * @budget cannot be read.
 */
gboolean cli_plan_forecast (Cli *cli, const CliKernel *kernel, const GilkBoundPlan *bound, const char *rates,
                            const char *budget, GError **error);
/* Checks that the two options are valid together. */
gboolean cli_plan_forecast_check (const char *rates, const char *budget, GError **error);

/* ---- functions of plan-targets.c ---- */

/* Adds a hook directly in front of each indirect call if the call can be hooked and the probe
 * language can express its target; prints a note on the other calls. Fails if no hook was
 * added. */
gboolean cli_plan_targets (Cli *cli, GilkPlan *plan, const char *name, CliKernel *kernel, GError **error);
