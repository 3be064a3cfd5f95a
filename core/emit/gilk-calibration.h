/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-calibration.h - calibration stubs: the code of a single hook, to be called and timed
 *
 * ILK_IOC_MEASURE calls them (ilk-abi-time.h): one has the hook as in its patch, with the jumps or
 * the trap that lead to it and back, as if the patch had no other hook; the other is a base that
 * only returns. The gate that a plan may give the hook is left out.
 *
 * Threads: only the plan's.
 */
#pragma once

#include "core/emit/gilk-asm.h"
#include "core/emit/gilk-patch-plan.h"

G_BEGIN_DECLS

#define GILK_CALIBRATION_BYTES 1024          /* maximum code size */

/**
 * gilk_emit_calibration:
 * @as: base, code and orc set; all other members zero
 * @want: index of an inline hook that has a patch
 * @binding: binding of that hook
 * @trap: (out): offset after the trap with which the code starts; 0: there is no trap
 */
void gilk_emit_calibration      (GilkAsm *as, const GilkSplicePlan *plan, guint want,
                                 const struct ilk_info *info, const GilkBinding *binding, guint *trap);
void gilk_emit_calibration_base (GilkAsm *as, const GilkSplicePlan *plan);

G_END_DECLS
