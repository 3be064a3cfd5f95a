/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bound.h - a plan matched to the target's kernel, shown and judged
 */
#pragma once

#include "cli/kernel.h"
#include "core/run/gilk-bound-plan.h"

G_BEGIN_DECLS

/**
 * cli_bind:
 * Loads the driver and the instruments that the plan names: without them the
 * plan could not be judged. Nothing is armed.
 * Returns: (transfer full): NULL if the target fails; hooks that cannot be bound
 *   are no error yet
 */
GilkBoundPlan *cli_bind (Cli *cli, CliKernel *kernel, GilkPlan *plan, GError **error);
/* The same to be read and not to be run: loads nothing, and notes it where something could not be checked for that. */
GilkBoundPlan *cli_look (Cli *cli, CliKernel *kernel, GilkPlan *plan, GError **error);
/**
 * cli_bind_partial:
 * @plan: (inout): becomes the plan without those of its hooks from @first on that cannot be bound, each of which is noted
 * As cli_bind(), until none of these is left; fails as cli_bound_check() does if no hook would be.
 */
GilkBoundPlan *cli_bind_partial (Cli *cli, CliKernel *kernel, GilkPlan **plan, guint first, GError **error);
/* A table, or "hooks" in the document: tactic and cost, or refusal and remedy. */
void     cli_bound_show  (Cli *cli, const GilkBoundPlan *bound);
/* Sets the error of the first hook that cannot be bound, with how many others there are;
 * @shown: people have read the reasons in the table already. */
gboolean cli_bound_check (Cli *cli, const GilkBoundPlan *bound, gboolean shown, GError **error);
/* Tells which functions run as clones though nobody asked for that, and what it means. */
void     cli_bound_note_clones (Cli *cli, const GilkBoundPlan *bound);
/* The function's name in the kernel at hand, where the plan has several. (transfer none) */
const char *cli_bound_function (const GilkBoundHook *hook);
/* "pipe_write+0x2b1:pre", or what a watch is of: "jiffies_64:w". (transfer full) */
char    *cli_bound_point (const GilkBoundHook *hook);
/* "+0x2b1" of the block a hook was bound to; as planned if it was not. (transfer full) */
char    *cli_bound_place (const GilkBoundHook *hook);
/* Says which hooks are elsewhere than the plan says, as a note or as "moved" in the document. */
void     cli_bound_note_moved (Cli *cli, const GilkBoundPlan *bound);
/* Which counters of events not all processors have. */
void     cli_bound_note_blind (Cli *cli, const GilkBoundPlan *bound);

G_END_DECLS
