/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ground.h - the code of a hook on its own, to be called and timed
 *
 * What ILK_IOC_MEASURE calls (ilk-abi-time.h): the hook as it is in its patch, with the jumps or
 * the trap that lead there and back, as if it were alone in it; and a base that only returns.
 * Where the plan has a gate it is left out.
 *
 * Threads: that of the plan.
 */
#pragma once

#include "core/emit/gilk-asm.h"
#include "core/emit/gilk-patch-plan.h"

G_BEGIN_DECLS

#define GILK_GROUND_BYTES 1024          /* of code, at most */

/**
 * gilk_emit_ground:
 * @as: base, code and orc set; the rest zero
 * @want: one that has a patch, and is inline
 * @binding: its
 * @trap: (out): where the trap it begins with leads to; 0: it has none
 */
void gilk_emit_ground      (GilkAsm *as, const GilkSplicePlan *plan, guint want,
                            const struct ilk_info *info, const GilkBinding *binding, guint *trap);
void gilk_emit_ground_base (GilkAsm *as, const GilkSplicePlan *plan);

G_END_DECLS
