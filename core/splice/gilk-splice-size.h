/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-splice-size.h - computes sizes and costs of patches and clones, by trial emission
 *
 * Private to core/splice.
 *
 * Threads: only the plan's thread.
 */
#pragma once

#include "core/splice/gilk-splice.h"

G_BEGIN_DECLS

/* patches */
/* Returns a mock driver's bindings (addresses for the emitted code) for all requested hooks:
 * counters are within reach of 32-bit displacements unless @far is set, functions of instrument
 * modules are at @fn, and the memory of programs is always out of reach. Free with
 * gilk_splice_trial_free(). */
GilkBinding *gilk_splice_trial_new  (const GilkSplicePlan *plan, gboolean far, uint64_t fn);
void     gilk_splice_trial_free  (GilkBinding *bindings);
gboolean gilk_splice_has_programs (const GilkSplicePlan *plan);
/* Returns by how many bytes the code may exceed the code that @as has written with
 * GilkAsm.bound_only; 0 if bound_only was not set. */
guint    gilk_splice_widest_slack (const GilkAsm *as);
/* Returns by how many bytes the exits of the patch's programs may be longer than in the trial
 * emission. */
guint    gilk_splice_exits_slack (const GilkSplicePlan *plan, const GilkPatchPlan *patch);
/* Returns the ILK_PATCH_* flags for the changes that the patch's programs make. */
guint    gilk_splice_hook_flags  (const GilkSplicePlan *plan, const GilkPatchPlan *patch);
/* Returns an upper bound of a patch's code size in bytes, a multiple of ILK_GRANULE. The patch's
 * hooks must be set. */
guint    gilk_splice_bound_code  (const GilkSplicePlan *plan, const GilkPatchPlan *patch);
/* Sets the patch's size and cost, and the cost of each hook. */
void     gilk_splice_size_patch  (const GilkSplicePlan *plan, GilkPatchPlan *patch);

/* clones */
/* Returns an upper bound of a clone's code size in bytes, a multiple of ILK_GRANULE. */
guint    gilk_clone_bound_code   (const GilkSplicePlan *plan, const GilkPatchPlan *patch);
/* Sets @added to the number of instructions that each hook adds, in the order of patch->hooks. */
void     gilk_clone_cost         (const GilkSplicePlan *plan, const GilkPatchPlan *patch, guint *added);

G_END_DECLS
