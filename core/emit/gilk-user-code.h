/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-user-code.h - the code of a hook in a program: a function that is given the process's registers
 *
 * What a hook is made of takes the machine's registers for those at the point: so they are loaded with what the process
 * had in them, but for rsp, of which a word at the top of the hook's stack tells. All others are dead then: the
 * function has saved what its caller wants back.
 *
 * Threads: that of the plan.
 */
#pragma once

#include "core/emit/gilk-asm.h"
#include "core/emit/gilk-patch-plan.h"
#include "core/target/gilk-image-user.h"

G_BEGIN_DECLS

/* Bytes on the stack where the hook begins; the last word pushed is the process's stack pointer. */
#define GILK_USER_DEPTH 56

/* What the kernel's uprobes add to a hit, in instructions: an estimate, measured by tests/bench/user.py. */
#define GILK_USER_COST 1640

/* Is the plan of a program? */
static inline gboolean
gilk_user_plan_is (const GilkSplicePlan *plan)
{
  return gilk_image_user_path (plan->cfg->image) != NULL;
}

/**
 * gilk_user_code:
 * @patch: of ILK_TACTIC_USER, with one hook
 * @added: (nullable): room for one count
 */
void     gilk_user_code    (GilkAsm *as, const GilkSplicePlan *plan, const GilkPatchPlan *patch,
                            const struct ilk_info *info, const GilkBinding *bindings, guint *added);

G_END_DECLS
