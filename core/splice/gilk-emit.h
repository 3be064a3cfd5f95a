/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-emit.h - the code of hooks and patches, for the planner and for real
 */
#pragma once

#include "core/splice/gilk-asm.h"
#include "core/splice/gilk-splice.h"

G_BEGIN_DECLS

#define GILK_CODE_HOOKS 8        /* hooks whose cost GilkCode reports */

/* Index of the instruction before which the want's hook runs; may be one past its block. */
guint gilk_emit_boundary (const GilkCfg *cfg, const GilkWant *want);
/* First instruction of the block that may carry a hook: behind ENDBR and ftrace site. */
guint gilk_emit_first    (const GilkCfg *cfg, guint block);

/**
 * gilk_emit_patch:
 * @as: base, code and orc set; the rest zero
 * @added: (nullable): room for one count per hook of the patch; as GilkChoice.cost
 * Writes the whole patch: hooks, relocated instructions, way back, rare paths.
 */
void  gilk_emit_patch    (GilkAsm *as, const GilkSplicePlan *plan, const GilkPatchPlan *patch,
                          const struct ilk_info *info, const GilkBinding *bindings,
                          guint *added);

/* What the driver's trap handler adds to a hit: an estimate, measured by tests/bench/hits. */
#define GILK_TRAP_COST 300
/* Jumps that lead to a patch by tactic. */
#define GILK_SPLICE_COST 1
#define GILK_BOUNCE_COST 2

G_END_DECLS
