/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bound.h - binds a plan to the target's kernel, shows and checks the result
 */
#pragma once

#include "cli/base/kernel.h"
#include "core/bind/gilk-bound-plan.h"

/**
 * cli_bind:
 * Binds @plan. Loads the driver, or chooses BPF, and loads the instruments that the plan names,
 * because binding needs them. Nothing is armed. Succeeds even if hooks cannot be bound;
 * cli_bound_check() reports these hooks. Returns NULL with @error set if the target fails.
 * (transfer full)
 */
GilkBoundPlan *cli_bind (Cli *cli, CliKernel *kernel, GilkPlan *plan, GError **error);
/* Like cli_bind(), but for display only: loads neither the driver nor instruments, and prints which
 * checks are impossible without them. */
GilkBoundPlan *cli_bind_readonly (Cli *cli, CliKernel *kernel, GilkPlan *plan, GError **error);
/**
 * cli_bind_partial:
 * @plan: (inout): replaced by a copy without the hooks that were removed.
 * Like cli_bind(), but removes each hook that cannot be bound, among those with index @first or
 * higher, and prints a note on each removed hook. If this would leave a plan without hooks,
 * fails with the error of cli_bound_check().
 */
GilkBoundPlan *cli_bind_partial (Cli *cli, CliKernel *kernel, GilkPlan **plan, guint first, GError **error);
/* Prints each hook's tactic and cost, or its refusal and remedy, as a table; with --json adds
 * them as "hooks" to the JSON document. */
void     cli_bound_show  (Cli *cli, const GilkBoundPlan *bound);
/* Fails with the error of the first hook that cannot be bound. The error also says how many other
 * hooks cannot be bound. @shown: the table has already shown the reasons. */
gboolean cli_bound_check (Cli *cli, const GilkBoundPlan *bound, gboolean shown, GError **error);
/* Prints a note on functions that run as clones although the plan does not ask for clones. */
void     cli_bound_note_clones (Cli *cli, const GilkBoundPlan *bound);
/* Formats a hook's point: "pipe_write+0x2b1:pre"; for a watchpoint, its data: "jiffies_64:w".
 * (transfer full) */
char    *cli_bound_point (const GilkBoundHook *hook);
/* Writes the JSON members that give a hook's location. The block is null at a tracepoint or timer. */
void     cli_bound_place_to_json (CliJson *json, const GilkBoundHook *hook);
/* Prints a note on hooks that were bound at another location than the plan gives, or adds "moved"
 * to the JSON document. */
void     cli_bound_note_moved (Cli *cli, const GilkBoundPlan *bound);
/* Prints a note on event counters that some CPUs do not have. */
void     cli_bound_note_missing_counters (Cli *cli, const GilkBoundPlan *bound);

/* Returns a newline, the line of the hook's program that has the error, and a line of carets below
 * the error; both lines are indented by four spaces. Returns "" for an error without a line.
 * (transfer full) */
char *cli_program_error (const GilkBoundHook *hook);
