/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan-paths.h - gilk plan new --paths: adds hooks that record the paths of a function's slow and
 * fast calls
 */
#pragma once

#include "cli/base/kernel.h"
#include "core/plan/gilk-plan.h"

/* Prefix of the names of programs that record that a call reached a block. The number after the
 * prefix is the block's bit in the call's path. */
#define CLI_PATH_PREFIX "path-"
#define CLI_PATHS_MAX   62
/* Names of the maps that count slow and fast calls by the path (set of blocks) that the calls
 * took. */
#define CLI_PATHS_SLOW  "slow"
#define CLI_PATHS_FAST  "fast"
/* Name of the global variable that counts the calls from which the bound between slow and fast
 * calls is learned, and the number of calls to learn from. */
#define CLI_PATHS_LEARNED "learned"
#define CLI_PATHS_TO_LEARN   100u

/* Parts of CLI_PATHS_END, the program at the end of a call; %u is the number of calls to learn
 * from. */
#define CLI_PATHS_TABLES   "common table started[4096]; common table path[4096]; "
#define CLI_PATHS_RESULTS  "common map " CLI_PATHS_SLOW "[1024]; common map " CLI_PATHS_FAST "[1024]; common histogram took(3); "
#define CLI_PATHS_CALL     "let since = take(started, tid); let went = take(path, tid); if (since) { let all = ns(now - since); took(all); "
#define CLI_PATHS_END      CLI_PATHS_TABLES "common global limit = 0; common global top = 0; common global rest = 0; common global " CLI_PATHS_LEARNED " = 0; " CLI_PATHS_RESULTS CLI_PATHS_CALL \
                          "if (" CLI_PATHS_LEARNED " < %u) { " CLI_PATHS_LEARNED " += 1; if (all > top) { limit = top; top = all } " \
                          "else if (all > limit) limit = all } else if (all > limit) { " \
                          CLI_PATHS_SLOW "[went]++; limit += limit / 20 + 1 } else { " \
                          CLI_PATHS_FAST "[went]++; rest += limit; limit -= rest / 2000; rest = rest %% 2000 } }"

/* Adds hooks at the entry of @name, at the blocks after its branches, and at its exits. @slow_ns:
 * bound above which a call is slow; 0: the bound is learned from the first calls, and then adapted
 * so that one call in a hundred is slow. */
gboolean cli_plan_paths (Cli *cli, GilkPlan *plan, const char *name, CliKernel *kernel, uint64_t slow_ns, GError **error);
