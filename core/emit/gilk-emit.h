/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-emit.h - the code of a planned patch, for planning and for use
 *
 * Pure except for the image it reads. A GilkAsm and its arrays belong to the caller.
 *
 * Threads: only that of the plan. On failure @code must be cleared and not used.
 */
#pragma once

#include "core/emit/gilk-asm.h"
#include "core/emit/gilk-patch-plan.h"
#include "ilk/ilk-abi.h"

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

/*
 * Calibration stubs: the code of a single hook, to be called and timed
 *
 * ILK_IOC_MEASURE calls them (ilk-abi-time.h): one is the hook as in its patch, with the jumps or
 * the trap that lead there and back, as if it had the patch to itself; the other is a base that
 * only returns. A gate of the plan is left out.
 *
 * Threads: only that of the plan.
 */

#define GILK_CALIBRATION_BYTES 1024          /* maximum code size */

/**
 * gilk_emit_calibration:
 * @as: base, code and orc set; the rest zero
 * @want: an inline one that has a patch
 * @binding: that of @want
 * @trap: (out): offset after the trap that it starts with; 0: it has none
 */
void gilk_emit_calibration      (GilkAsm *as, const GilkSplicePlan *plan, guint want,
                                 const struct ilk_info *info, const GilkBinding *binding, guint *trap);
void gilk_emit_calibration_base (GilkAsm *as, const GilkSplicePlan *plan);

/*
 * Disables and enables preemption around a hit
 *
 * Threads: one at a time for one @as.
 */

/* Raises the preempt count. Changes flags. */
void gilk_emit_preempt_disable (GilkAsm *as, const struct ilk_info *info);
/**
 * gilk_emit_preempt_enable:
 * @backward: the direction flag may be set, so nothing can be called
 * Lowers the preempt count, and reschedules if an interrupt during the hit asked for it, as the
 * kernel's preempt_enable() does. Changes flags, but no register.
 */
void gilk_emit_preempt_enable  (GilkAsm *as, const struct ilk_info *info, gboolean backward);

G_END_DECLS
