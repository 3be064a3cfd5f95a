/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-called-code.c - writes the code of a hook that is called as a function: in a user-space
 * program, or for a watchpoint
 *
 *   rdi points to the kernel's struct pt_regs: r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx
 *   rsi rdi, then the exception frame: orig_rax rip cs flags rsp ss.
 *
 * For a watchpoint rsi points to the data about the access (GilkWatchFact). The code returns like
 * any function; ilk-call.c calls the code.
 */
#include "core/emit/gilk-called-code.h"

#include "core/emit/gilk-hook-code.h"

enum { REGS_SP = 152 };

static const uint8_t endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa };

/* Callee-saved registers. */
static const uint8_t callee_saved[] = { GILK_RBP, GILK_RBX, 12, 13, 14, 15 };

/* Offset of each register in struct pt_regs, by machine register number; unused (0) for rsp. */
static const uint8_t regs_at[16] = { 80, 88, 96, 40, 0, 32, 104, 112, 72, 64, 56, 48, 24, 16, 8, 0 };

static guint
collect_read_registers (const GilkWant *want)
{
  guint wanted = 0;

  if (want->kind == GILK_INSTRUMENT_MODULE && want->needs_regs)
    return 0xffff & ~GILK_REG_BIT (GILK_RSP);
  for (guint i = 0; want->kind == GILK_INLINE_PROGRAM && i < want->ops->ops->len; i++)
    {
      const GilkOp *op = &g_array_index (want->ops->ops, GilkOp, i);

      if (op->kind == GILK_OP_REGISTER)
        wanted |= GILK_REG_BIT ((guint) op->imm);
    }

  return wanted & ~GILK_REG_BIT (GILK_RSP);
}

/* Loads the registers in @wanted from the pt_regs at rdi. rdi itself is loaded last. */
static void
load_registers (GilkAsm *as, guint wanted)
{
  for (guint reg = 0; reg < 16; reg++)
    if (reg != GILK_RDI && (wanted & GILK_REG_BIT (reg)) != 0)
      gilk_asm_load (as, 8, FALSE, reg, gilk_mem (GILK_RDI, regs_at[reg]));
  if (wanted & GILK_REG_BIT (GILK_RDI))
    gilk_asm_load (as, 8, FALSE, GILK_RDI, gilk_mem (GILK_RDI, regs_at[GILK_RDI]));
}

/* Writes a return, through the kernel's return thunk if mitigations require it. */
void
gilk_called_return (GilkAsm *as)
{
  static const uint8_t ret[] = { 0xc3 };
  const uint64_t thunk = gilk_image_return_thunk (as->image);

  if (thunk != 0)
    gilk_asm_jmp (as, thunk);
  else
    gilk_asm_raw (as, ret, sizeof ret);
}

void
gilk_called_code (GilkAsm               *as,
                const GilkSplicePlan  *plan,
                const GilkPatchPlan   *patch,
                const struct ilk_info *info,
                const GilkBinding     *bindings,
                guint                 *added)
{
  GilkHookWriter writer;
  guint want = patch->hooks[0];

  as->image = plan->cfg->image;
  as->unwind_as = plan->is_watch ? gilk_image_frameless_function (plan->cfg->image) : patch->site;
  gilk_asm_part (as, GILK_PART_HOOK);
  gilk_asm_raw (as, endbr, sizeof endbr);
  for (guint i = 0; i < G_N_ELEMENTS (callee_saved); i++)
    gilk_asm_push (as, callee_saved[i]);
  for (guint i = gilk_called_words (plan); i-- > 1;)
    gilk_asm_push_mem (as, gilk_mem (GILK_RSI, (int32_t) (8 * (i - 1))));
  gilk_asm_push_mem (as, gilk_mem (GILK_RDI, REGS_SP));
  g_assert (as->depth == gilk_called_depth (plan));
  load_registers (as, collect_read_registers (&plan->wants[want]));

  gilk_hook_writer_init (&writer, as, plan, info, bindings);
  gilk_hook_writer_hook (&writer, want, patch->first_insn);
  gilk_asm_part (as, GILK_PART_BACK);
  gilk_asm_drop (as, 8 * gilk_called_words (plan));
  for (guint i = G_N_ELEMENTS (callee_saved); i-- > 0;)
    gilk_asm_pop (as, callee_saved[i]);
  gilk_called_return (as);
  if (added != NULL)
    added[0] = (plan->is_watch ? GILK_WATCH_COST : GILK_USER_COST) + as->insns;
  gilk_asm_part (as, GILK_PART_RARE);
  gilk_hook_writer_finish (&writer);
}
