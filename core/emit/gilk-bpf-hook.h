/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bpf-hook.h - writes the BPF program of one hook
 *
 * With BPF an inline instrument is a program, too; gilk-bpf-hook.c makes its operations.
 *
 * Threads: only the plan's thread.
 */
#pragma once

#include "agent/gilk-wire.h"
#include "core/emit/gilk-patch-plan.h"

G_BEGIN_DECLS

/* Estimated number of instructions that a uprobe adds to a hit, without those of its BPF program:
 * measured by tests/bench/user.py. */
#define GILK_UPROBE_COST 1860
/* Estimated number of instructions that one hit adds at a tracepoint, by the interrupt of a timer,
 * and by the debug exception of a watchpoint. */
#define GILK_TRACEPOINT_COST 100
#define GILK_FENTRY_COST 120            /* at the entry of a function, measured by
                                         * tests/bench/hits.py */
#define GILK_TIMER_COST 2000
#define GILK_BREAKPOINT_COST 800

/* Fills @code, which the caller has zeroed, with the BPF program of a patch, an array of struct
 * bpf_insn. @patch: must have a tactic of BPF, and one hook */
gboolean gilk_bpf_hook_code (const GilkSplicePlan *plan, const GilkPatchPlan *patch, const struct ilk_info *info,
                             const GilkBinding *bindings, GilkCode *code, GError **error);
/* Sets the size of the patch's program, and the estimated number of instructions that its hook adds
 * to a hit. Returns a refusal if the program is too long. */
guint    gilk_bpf_hook_size (const GilkSplicePlan *plan, GilkPatchPlan *patch);

G_END_DECLS
