/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-calibration.c - writes calibration stubs: the code of a single hook, to be called and timed
 */

#include "core/emit/gilk-called-code.h"
#include "core/emit/gilk-emit.h"
#include "core/emit/gilk-hook-code.h"

#define JUMP_BYTES 5

static const uint8_t endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa };
static const uint8_t int3[] = { 0xcc };

static void
begin_stub (GilkAsm *as, const GilkSplicePlan *plan)
{
  as->image = plan->cfg->image;
  as->unwind_as = plan->cfg->function->hot.start;
  gilk_asm_raw (as, endbr, sizeof endbr);
}

/* Writes @n jumps, each to the next instruction. Together they cost as much as a patch's jumps. */
static void
emit_jumps (GilkAsm *as, guint n)
{
  while (n-- > 0)
    gilk_asm_jmp (as, gilk_asm_here (as) + JUMP_BYTES);
}

static guint
find_place (const GilkSplicePlan *plan, const GilkPatchPlan *patch, guint want)
{
  if (patch->tactic == ILK_TACTIC_CLONE)
    return gilk_point_boundary (plan->cfg, plan->wants[want].block, plan->wants[want].where);

  return gilk_emit_hook_index (plan, patch->first_insn, patch->n_insns, &plan->wants[want]);
}

void
gilk_emit_calibration (GilkAsm               *as,
                       const GilkSplicePlan  *plan,
                       guint                  want,
                       const struct ilk_info *info,
                       const GilkBinding     *binding,
                       guint                 *trap)
{
  const GilkPatchPlan *patch = &plan->patches[plan->choices[want].patch];
  g_autofree GilkBinding *bindings = g_new0 (GilkBinding, plan->n_wants);
  g_autofree GilkWant *wants = g_memdup2 (plan->wants, plan->n_wants * sizeof *wants);
  GilkSplicePlan alone = *plan;
  GilkHookWriter writer;
  uint64_t entry;

  wants[want].gated = FALSE;
  alone.wants = wants;
  bindings[want] = *binding;
  begin_stub (as, plan);
  entry = as->unwind_as;
  *trap = 0;
  if (patch->tactic == ILK_TACTIC_TRAP)
    {
      gilk_asm_raw (as, int3, sizeof int3);
      *trap = as->code->len;
    }
  else if (patch->tactic != ILK_TACTIC_CLONE)
    emit_jumps (as, patch->tactic == ILK_TACTIC_BOUNCE ? GILK_BOUNCE_COST : GILK_SPLICE_COST);
  gilk_hook_writer_init (&writer, as, &alone, info, bindings);
  gilk_hook_writer_hook (&writer, want, find_place (plan, patch, want));
  as->unwind_as = entry;
  if (patch->tactic != ILK_TACTIC_CLONE)
    emit_jumps (as, 1);
  gilk_called_return (as);
  gilk_hook_writer_finish (&writer);
}

void
gilk_emit_calibration_base (GilkAsm              *as,
                            const GilkSplicePlan *plan)
{
  begin_stub (as, plan);
  gilk_called_return (as);
}
