/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-calibration.h - calibration stubs: the code of a single hook, to be called and timed
 *
 * ILK_IOC_MEASURE calls them (ilk-abi-time.h): one is the hook as in its patch, with the jumps or
 * the trap that lead there and back, as if it had the patch to itself; the other is a base that
 * only returns. A gate of the plan is left out.
 *
 * Threads: that of the plan.
 */
#pragma once

#include "core/emit/gilk-asm.h"
#include "core/emit/gilk-patch-plan.h"

G_BEGIN_DECLS

#define GILK_CALIBRATION_BYTES 1024          /* most bytes of code */

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

G_END_DECLS
