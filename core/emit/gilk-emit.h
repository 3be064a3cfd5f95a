/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-emit.h - writes the code of a planned patch, to run it or to estimate its cost
 *
 * Has no side effects, and reads only the image. A GilkAsm and its arrays belong to the caller.
 *
 * Threads: only the plan's thread. On failure @code must be cleared and not used.
 */
#pragma once

#include "core/emit/gilk-asm.h"
#include "core/emit/gilk-patch-plan.h"
#include "ilk/ilk-abi.h"

G_BEGIN_DECLS

#define GILK_CODE_HOOKS 8        /* number of elements of GilkCode.added */

void gilk_code_clear (GilkCode *code);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkCode, gilk_code_clear)

/**
 * gilk_emit_code:
 * @slot: address at which the code will run
 * @bindings: one binding per requested hook of the plan
 * Fills @code, which the caller has zeroed; @code->parts may be set to get the parts. Fails only if
 * an address is out of rel32 range, or the code is larger than the bound. Either is a bug in Gilk,
 * and the error message says so.
 */
gboolean gilk_emit_code (const GilkSplicePlan *plan, guint patch, uint64_t slot,
                           const struct ilk_info *info, const GilkBinding *bindings,
                           GilkCode *code, GError **error);
/* @links: (nullable): maps the entry address of a function to the address of the function's clone,
 * both as pointers; in a clone, calls to such a function go to its clone instead */
gboolean gilk_emit_code_linked (const GilkSplicePlan *plan, guint patch, uint64_t slot,
                                  const struct ilk_info *info, const GilkBinding *bindings,
                                  GHashTable *links, GilkCode *code, GError **error);

/**
 * gilk_emit_patch:
 * @as: base, code and orc set; all other members zero
 * @added: (nullable): array of one count per hook of the patch, as in GilkChoice.cost
 * Writes the whole patch: hooks, relocated instructions, jump back, rare paths.
 */
void  gilk_emit_patch    (GilkAsm *as, const GilkSplicePlan *plan, const GilkPatchPlan *patch,
                          const struct ilk_info *info, const GilkBinding *bindings,
                          guint *added);

/* Returns the index of the instruction in front of which the hook @want is put, in a footprint of
 * instructions [first, first + n). */
guint gilk_emit_hook_index    (const GilkSplicePlan *plan, guint first, guint n, const GilkWant *want);

/* Returns the flags that the hook with index @want changes, in a footprint of instructions [first,
 * first + n); 0 if the hook can be put where none of these flags is live. */
guint gilk_emit_clobbered_flags (const GilkSplicePlan *plan, guint first, guint n, guint want);

/* Appends a copy of the patch without the code of hooks, which runs while the hooks are off. */
void  gilk_emit_bare     (GilkAsm *as, const GilkSplicePlan *plan, const GilkPatchPlan *patch);
/* Returns whether the patch has a second copy of its code, without hooks. */
gboolean gilk_emit_has_bare (const GilkPatchPlan *patch);

/* Number of instructions that the trap handler adds to a hit, as measured by tests/bench/hits. */
#define GILK_TRAP_COST 300
/* Number of jumps that a hit executes to get to the patch of a splice, and of a bounce. */
#define GILK_SPLICE_COST 1
#define GILK_BOUNCE_COST 2

/*
 * Calibration stubs: the code of a single hook, to be called and timed
 *
 * ILK_IOC_MEASURE calls two stubs alternately (ilk-abi-time.h). The first stub has the same code
 * for the hook as the hook's patch, and the jumps or the trap that lead to the hook and back, as if
 * the patch had only this hook. The second stub, the base, only returns. Even if the plan gives the
 * hook a gate, the stub does not test it.
 *
 * Threads: only the plan's thread.
 */

#define GILK_CALIBRATION_BYTES 1024          /* maximum size of a stub, in bytes */

/**
 * gilk_emit_calibration:
 * @as: base, code and orc set; all other members zero
 * @want: index of an inline hook that has a patch
 * @binding: binding of that hook
 * @trap: (out): offset of the end of the trap, if the code starts with a trap; else 0
 */
void gilk_emit_calibration      (GilkAsm *as, const GilkSplicePlan *plan, guint want,
                                 const struct ilk_info *info, const GilkBinding *binding, guint *trap);
void gilk_emit_calibration_base (GilkAsm *as, const GilkSplicePlan *plan);

/*
 * Disables and enables preemption around a hit
 *
 * Threads: one at a time for one @as.
 */

/* Writes code that raises the preempt count. The code changes flags. */
void gilk_emit_preempt_disable (GilkAsm *as, const struct ilk_info *info);
/**
 * gilk_emit_preempt_enable:
 * @backward: the direction flag may be set, so the code must not call anything
 * Writes code that lowers the preempt count and, as the kernel's preempt_enable() does, reschedules
 * if an interrupt during the hit requested that. Changes flags, but no register.
 */
void gilk_emit_preempt_enable  (GilkAsm *as, const struct ilk_info *info, gboolean backward);

G_END_DECLS
