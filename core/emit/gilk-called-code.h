/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-called-code.h - the code of a hook that is called as a function, with registers: in a program, or of a watch
 *
 * What a hook is made of takes the machine's registers for those at the point: so they are loaded with what the process
 * had in them, but for rsp, of which a word at the top of the hook's stack tells; above it are what a watch is told, in the
 * order of GilkWatchFact. All others are dead then: the function has saved what its caller wants back.
 *
 * Threads: that of the plan.
 */
#pragma once

#include "core/emit/gilk-asm.h"
#include "core/emit/gilk-patch-plan.h"
#include "core/target/gilk-image-user.h"

G_BEGIN_DECLS

/* What the kernel's uprobes add to a hit, in instructions: an estimate, measured by tests/bench/user.py. */
#define GILK_USER_COST 1640

/* And an exception of a debug register: an estimate. */
#define GILK_WATCH_COST 1900

/* Is the plan of a program? */
static inline gboolean
gilk_user_plan_is (const GilkSplicePlan *plan)
{
  return gilk_image_user_path (plan->cfg->image) != NULL;
}

/* Words on the stack that the hook may read: the stack pointer, and facts; 0: it is not called. */
static inline guint
gilk_called_words (const GilkSplicePlan *plan)
{
  return plan->is_watch ? 1 + GILK_FACTS : gilk_user_plan_is (plan) ? 1 : 0;
}

/* Bytes on the stack where the hook begins; 0: it is not called. */
static inline guint
gilk_called_depth (const GilkSplicePlan *plan)
{
  const guint words = gilk_called_words (plan);

  return words != 0 ? 48 + 8 * words : 0;
}

void     gilk_called_return  (GilkAsm *as);        /* as the kernel's functions return by now */
/**
 * gilk_called_code:
 * @patch: with ILK_PATCH_CALLED, and one hook
 * @added: (nullable): room for one count
 */
void     gilk_called_code    (GilkAsm *as, const GilkSplicePlan *plan, const GilkPatchPlan *patch,
                            const struct ilk_info *info, const GilkBinding *bindings, guint *added);

G_END_DECLS
