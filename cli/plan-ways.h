/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan-ways.h - gilk plan new --ways: hooks that record the paths of slow and of fast calls of a
 * function
 */
#pragma once

#include "cli/kernel.h"
#include "core/run/gilk-plan.h"

G_BEGIN_DECLS

/* Prefix, followed by a number, of programs that note that a call reached their block; the number
 * is a bit of the call's path. */
#define CLI_WAY_PREFIX "way-"
#define CLI_WAYS_MAX   62
/* Maps of the number of calls by path. */
#define CLI_WAYS_SLOW  "slow"
#define CLI_WAYS_FAST  "fast"
/* Global of calls from which the bound was learnt so far, and the number needed. */
#define CLI_WAYS_LEARNING "learnt"
#define CLI_WAYS_LEARNT   100u

/* Program at the end of a call; %u is the number of calls to learn from. */
#define CLI_WAYS_TABLES   "common table began[4096]; common table way[4096]; "
#define CLI_WAYS_RESULTS  "common map " CLI_WAYS_SLOW "[1024]; common map " CLI_WAYS_FAST "[1024]; common histogram took(3); "
#define CLI_WAYS_CALL     "let since = take(began, tid); let went = take(way, tid); if (since) { let all = ns(now - since); took(all); "
#define CLI_WAYS_END      CLI_WAYS_TABLES "common global limit = 0; common global top = 0; common global rest = 0; common global " CLI_WAYS_LEARNING " = 0; " CLI_WAYS_RESULTS CLI_WAYS_CALL \
                          "if (" CLI_WAYS_LEARNING " < %u) { " CLI_WAYS_LEARNING " += 1; if (all > top) { limit = top; top = all } " \
                          "else if (all > limit) limit = all } else if (all > limit) { " \
                          CLI_WAYS_SLOW "[went]++; limit += limit / 20 + 1 } else { " \
                          CLI_WAYS_FAST "[went]++; rest += limit; limit -= rest / 2000; rest = rest %% 2000 } }"

/* Adds hooks at the entry of @name, at the blocks after its branches, and at its exits. @slow_ns:
 * calls that take longer are slow; 0: the slowest hundredth, by a bound that is learnt from the
 * first calls and adapted. */
gboolean cli_plan_ways (Cli *cli, GilkPlan *plan, const char *name, CliKernel *kernel, uint64_t slow_ns, GError **error);

G_END_DECLS
