/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-called-code.h - writes the code of a hook that is called as a function: in a user-space
 * program, or for a watchpoint
 *
 * A hook's code assumes that the machine's registers have the values that they have at the probe
 * point. So each register that the hook reads is loaded with its value in the interrupted code. The
 * exception is rsp: its value is in the word on top of the stack. For a watchpoint, the words above
 * that word are the data about the access, in the order of GilkWatchFact. All other registers are
 * dead, because the function has saved the callee-saved registers.
 *
 * Threads: only the plan's thread.
 */
#pragma once

#include "core/emit/gilk-asm.h"
#include "core/emit/gilk-patch-plan.h"
#include "core/image/gilk-image-user.h"

G_BEGIN_DECLS

/* Estimated number of instructions that a uprobe adds to a hit; tests/bench/user.py measures it. */
#define GILK_USER_COST 1640

/* Estimated number of instructions that a debug exception adds to a hit. */
#define GILK_WATCH_COST 1900

/* Returns whether the plan is for a user-space program. */
static inline gboolean
gilk_user_plan_is (const GilkSplicePlan *plan)
{
  return gilk_image_user_path (plan->cfg->image) != NULL;
}

/*
 * Returns how many words on the stack the hook may read: the stack pointer and, for a watchpoint,
 * the data about the access (GilkWatchFact); 0 if the hook is not called as a function.
 */
static inline guint
gilk_called_words (const GilkSplicePlan *plan)
{
  return plan->is_watch ? 1 + GILK_FACTS : gilk_user_plan_is (plan) ? 1 : 0;
}

/* Returns how many bytes are on the stack where the hook starts; 0 if it is not called as a
 * function. */
static inline guint
gilk_called_depth (const GilkSplicePlan *plan)
{
  const guint words = gilk_called_words (plan);

  return words != 0 ? 48 + 8 * words : 0;
}

void     gilk_called_return  (GilkAsm *as);        /* writes a return */
/**
 * gilk_called_code:
 * @patch: has ILK_PATCH_CALLED, and one hook
 * @added: (nullable): (out): number of instructions added by the hook
 */
void     gilk_called_code    (GilkAsm *as, const GilkSplicePlan *plan, const GilkPatchPlan *patch,
                            const struct ilk_info *info, const GilkBinding *bindings, guint *added);

G_END_DECLS
