/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bound.h - a plan matched to the target's kernel, shown and judged
 */
#pragma once

#include "cli/kernel.h"
#include "core/run/gilk-bound-plan.h"

G_BEGIN_DECLS

/* NULL if the target fails; hooks that cannot be bound are no error yet. (transfer full) */
GilkBoundPlan *cli_bind (Cli *cli, CliKernel *kernel, GilkPlan *plan, GError **error);
/* A table, or "hooks" in the document: tactic and cost, or refusal and remedy. */
void     cli_bound_show  (Cli *cli, const GilkBoundPlan *bound);
/* Sets the error of the first hook that cannot be bound, with how many others there are. */
gboolean cli_bound_check (Cli *cli, const GilkBoundPlan *bound, GError **error);
/* "+0x2b1" of the block a hook was bound to; as planned if it was not. (transfer full) */
char    *cli_bound_place (const GilkBoundHook *hook);

G_END_DECLS
