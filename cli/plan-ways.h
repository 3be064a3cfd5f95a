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

/* The program of a call's end, but for how many calls are learnt from (%u). */
#define CLI_WAYS_TABLES   "common table began[4096]; common table way[4096]; "
#define CLI_WAYS_RESULTS  "common map " CLI_WAYS_SLOW "[1024]; common map " CLI_WAYS_FAST "[1024]; common histogram took(3); "
#define CLI_WAYS_CALL     "let since = take(began, tid); let went = take(way, tid); if (since) { let all = ns(now - since); took(all); "
#define CLI_WAYS_END      CLI_WAYS_TABLES "common global limit = 0; common global top = 0; common global rest = 0; common global " CLI_WAYS_LEARNING " = 0; " CLI_WAYS_RESULTS CLI_WAYS_CALL \
                          "if (" CLI_WAYS_LEARNING " < %u) { " CLI_WAYS_LEARNING " += 1; if (all > top) { limit = top; top = all } " \
                          "else if (all > limit) limit = all } else if (all > limit) { " \
                          CLI_WAYS_SLOW "[went]++; limit += limit / 20 + 1 } else { " \
                          CLI_WAYS_FAST "[went]++; rest += limit; limit -= rest / 2000; rest = rest %% 2000 } }"

/* Hooks at the entry of @name, at the blocks behind its branches, and at its exits. @slow_ns: calls from there on are
 * slow; 0: the slowest hundredth, learnt from the first calls and adapted. */
gboolean cli_plan_ways (Cli *cli, GilkPlan *plan, const char *name, CliKernel *kernel, uint64_t slow_ns, GError **error);

G_END_DECLS
