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

/* Flags that @want's hook changes in a footprint of instructions [first, first + n), 0 if
 * it has a place there where none of them is live. */
guint gilk_emit_flags_in_the_way (const GilkSplicePlan *plan, guint first, guint n, guint want);

/* Writes the patch without its hooks, behind itself: for when they are off. */
void  gilk_emit_bare     (GilkAsm *as, const GilkSplicePlan *plan, const GilkPatchPlan *patch);
/* Does the patch have such code? */
gboolean gilk_emit_has_bare (const GilkPatchPlan *patch);

/* For those who write hooks among other code; their rare paths go where it is finished. */
typedef struct {
  GilkAsm               *as;
  const GilkSplicePlan  *plan;
  const struct ilk_info *info;
  const GilkBinding     *bindings;     /* one per want of the plan */
  gboolean               has_std;      /* the function may run with DF set */
  GArray                *rare;
} GilkHookWriter;

void  gilk_hook_writer_init   (GilkHookWriter *writer, GilkAsm *as, const GilkSplicePlan *plan,
                               const struct ilk_info *info, const GilkBinding *bindings);
void  gilk_hook_writer_finish (GilkHookWriter *writer);
/* Writes the hook as it is to be before instruction @index, which may be one past the
 * want's block. Returns: the instructions it adds. */
guint gilk_emit_hook          (const GilkHookWriter *writer, guint want, guint index);
/* Instructions that a counter would add there. */
guint gilk_emit_count_cost    (const GilkHookWriter *writer, guint want, guint index);

/* What the driver's trap handler adds to a hit: an estimate, measured by tests/bench/hits. */
#define GILK_TRAP_COST 300
/* Jumps that lead to a patch by tactic. */
#define GILK_SPLICE_COST 1
#define GILK_BOUNCE_COST 2

G_END_DECLS
