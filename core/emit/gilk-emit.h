/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-emit.h - the code of a planned patch, for planning and for use
 *
 * Pure except for the image it reads. A GilkAsm and its arrays belong to the caller.
 *
 * Threads: that of the plan. On failure @code must be cleared and not used.
 */
#pragma once

#include "core/emit/gilk-asm.h"
#include "core/emit/gilk-patch-plan.h"

G_BEGIN_DECLS

#define GILK_CODE_HOOKS 8        /* most hooks for which GilkCode reports the cost */

void gilk_code_clear (GilkCode *code);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkCode, gilk_code_clear)

/**
 * gilk_emit_code:
 * @slot: address at which the code will run
 * @bindings: one per want of the plan
 * Fills @code, which the caller has zeroed; its parts may be set if they are wanted. Fails only if
 * something is out of rel32 range or larger than the bound. Both are bugs in Gilk, and the error
 * says so.
 */
gboolean gilk_emit_code (const GilkSplicePlan *plan, guint patch, uint64_t slot,
                           const struct ilk_info *info, const GilkBinding *bindings,
                           GilkCode *code, GError **error);
/* @links: (nullable): from the entry address of a function to the address of the clone that
 * clones call instead, both as pointers */
gboolean gilk_emit_code_linked (const GilkSplicePlan *plan, guint patch, uint64_t slot,
                                  const struct ilk_info *info, const GilkBinding *bindings,
                                  GHashTable *links, GilkCode *code, GError **error);

/**
 * gilk_emit_patch:
 * @as: base, code and orc set; the rest zero
 * @added: (nullable): room for one count per hook of the patch; as GilkChoice.cost
 * Writes the whole patch: hooks, relocated instructions, jump back, rare paths.
 */
void  gilk_emit_patch    (GilkAsm *as, const GilkSplicePlan *plan, const GilkPatchPlan *patch,
                          const struct ilk_info *info, const GilkBinding *bindings,
                          guint *added);

/* Returns which instruction in [first, first + n), the footprint, @want's hook precedes. */
guint gilk_emit_hook_index    (const GilkSplicePlan *plan, guint first, guint n, const GilkWant *want);

/* Returns the flags that @want's hook changes in a footprint of instructions [first, first + n);
 * 0 if it has a place there where none of them is live. */
guint gilk_emit_clobbered_flags (const GilkSplicePlan *plan, guint first, guint n, guint want);

/* Appends the patch's code without hooks, which runs while they are off. */
void  gilk_emit_bare     (GilkAsm *as, const GilkSplicePlan *plan, const GilkPatchPlan *patch);
/* Returns whether the patch has such code. */
gboolean gilk_emit_has_bare (const GilkPatchPlan *patch);

/* Instructions that the trap handler adds to a hit: an estimate, measured by tests/bench/hits. */
#define GILK_TRAP_COST 300
/* Jumps to a patch, by tactic. */
#define GILK_SPLICE_COST 1
#define GILK_BOUNCE_COST 2

G_END_DECLS
