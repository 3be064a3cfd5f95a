/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan-ways.h - gilk plan new --ways: which ways the slow calls of a function go, and which the fast ones
 */
#pragma once

#include "cli/kernel.h"
#include "core/run/gilk-plan.h"

G_BEGIN_DECLS

/* A program named so, and a number, notes that a call came to its block; the number is a bit of the call's way. */
#define CLI_WAY_PREFIX "way-"
#define CLI_WAYS_MAX   62
/* What is kept of calls by their ways. */
#define CLI_WAYS_SLOW  "slow"
#define CLI_WAYS_FAST  "fast"
/* Where the bound is found: how many calls it was learnt from so far, and from how many it is. */
#define CLI_WAYS_LEARNING "learnt"
#define CLI_WAYS_LEARNT   100u

/* Hooks at the entry of @name, at the blocks behind its branches, and at its exits. @slow_ns: calls from there on are
 * slow; 0: the slowest hundredth, learnt from the first calls and adapted. */
gboolean cli_plan_ways (Cli *cli, GilkPlan *plan, const char *name, CliKernel *kernel, uint64_t slow_ns, GError **error);

G_END_DECLS
