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
 * @rates: (nullable): a session from which to take the hit rates of the points and the cost of a
 * hit
 * @budget: (nullable): a share of a CPU's time, "1%".
 *
 * Prints the forecast as a table, or adds it to the open document. Returns FALSE if @rates or
 * @budget cannot be read.
 */
gboolean cli_plan_forecast (Cli *cli, const CliKernel *kernel, const GilkBoundPlan *bound, const char *rates,
                            const char *budget, GError **error);
/* Checks that the options --rates and --budget are valid together. */
gboolean cli_plan_forecast_check (const char *rates, const char *budget, GError **error);

/* ---- functions of plan-targets.c ---- */

/* Adds a hook directly in front of each indirect call that can be hooked and whose target the probe
 * language can express; prints a note on all other calls. Fails if no hook was added. */
gboolean cli_plan_targets (Cli *cli, GilkPlan *plan, const char *name, CliKernel *kernel, GError **error);
