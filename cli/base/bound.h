/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bound.h - binds a plan: finds how to place its hooks in the target's kernel; shows and checks the
 * result
 */
#pragma once

#include "cli/base/kernel.h"
#include "core/bind/gilk-bound-plan.h"

/**
 * cli_bind:
 * Binds @plan: finds how to place its hooks in the kernel. For this, loads the driver, or chooses
 * BPF, and loads the instruments that the plan names. Nothing is armed. Succeeds even if some hooks
 * cannot be bound; cli_bound_check() reports those hooks. Returns NULL with @error set if the
 * target fails. (transfer full)
 */
GilkBoundPlan *cli_bind (Cli *cli, CliKernel *kernel, GilkPlan *plan, GError **error);
/* Like cli_bind(), but for display only: loads neither the driver nor instruments, and reports
 * which parts of the plan could not be checked without them. */
GilkBoundPlan *cli_bind_readonly (Cli *cli, CliKernel *kernel, GilkPlan *plan, GError **error);
/**
 * cli_bind_partial:
 * @plan: (inout): replaced by a copy without the hooks that were removed. Like cli_bind(), but
 * removes the hooks that cannot be bound, and prints a note on each of them. Hooks with an index
 * below @first are never removed. Fails with the error of cli_bound_check() if no hook would be
 * left.
 */
GilkBoundPlan *cli_bind_partial (Cli *cli, CliKernel *kernel, GilkPlan **plan, guint first, GError **error);
/* Prints a table with the tactic (jump, clone, trap …) and cost of each hook, or why the hook is
 * refused and what would help; with --json adds them as "hooks" to the JSON document. */
void     cli_bound_show  (Cli *cli, const GilkBoundPlan *bound);
/* Fails with the error of the first hook that cannot be bound. The error also says how many other
 * hooks cannot be bound. @shown: the table has already shown the reasons. */
gboolean cli_bound_check (Cli *cli, const GilkBoundPlan *bound, gboolean shown, GError **error);
/* Prints a note on each function that will run as a clone, an instrumented copy, although the plan
 * does not ask for a clone. */
void     cli_bound_note_clones (Cli *cli, const GilkBoundPlan *bound);
/* Formats the location of a hook, such as "pipe_write+0x2b1:pre", or the watched data of a
 * watchpoint, such as "jiffies_64:w". (transfer full) */
char    *cli_bound_point (const GilkBoundHook *hook);
/* Writes the JSON members that give a hook's location. The member for the block is null if the hook
 * is at a tracepoint or timer. */
void     cli_bound_place_to_json (CliJson *json, const GilkBoundHook *hook);
/* Prints a note on the hooks that were bound at a location other than the one in the plan; with
 * --json adds them as "moved" to the JSON document. */
void     cli_bound_note_moved (Cli *cli, const GilkBoundPlan *bound);
/* Prints a note on hardware event counters that the plan uses but some CPUs do not have. */
void     cli_bound_note_missing_counters (Cli *cli, const GilkBoundPlan *bound);

/* Returns a newline, the line of the hook's program that has the error, and a line of carets below
 * the error; both lines are indented by four spaces. Returns "" for an error without a line.
 * (transfer full) */
char *cli_program_error (const GilkBoundHook *hook);
