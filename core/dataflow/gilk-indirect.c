/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-indirect.c - finds indirect calls and jumps, and writes their targets as expressions of the
 * probe language
 *
 * The code is read from the running kernel, where boot code may have replaced a call of a thunk by
 * "call *%rax", with or without a fence before it. So calls of thunks and indirect calls are both
 * recognised.
 */

#include <string.h>

#include "core/dataflow/gilk-operand.h"

static const char *const registers[] = {
  "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
};

static void
clear_indirect (gpointer data)
{
  g_free (((GilkIndirect *) data)->target);
}

/*
 * Returns the register that the thunk at @addr jumps to; the thunk's symbol names contain it:
 * "__x86_indirect_thunk_rax", "__x86_indirect_call_thunk_r11".
 */
static const char *
find_thunk_register (const GilkCfg *cfg, uint64_t addr)
{
  GilkSymbols *symbols = gilk_image_symbols (cfg->image);
  guint count = 0;
  const GilkSymbol *at = gilk_symbols_exactly (symbols, addr, &count);

  for (guint i = 0; i < count; i++)
    {
      const char *last = strrchr (at[i].name, '_');

      for (guint r = 0; last != NULL && r < G_N_ELEMENTS (registers); r++)
        if (strcmp (last + 1, registers[r]) == 0)
          return registers[r];
    }

  return NULL;
}

/*
 * Formats a memory operand. Returns NULL for an address that changes with each boot, or that uses a
 * segment: the language cannot express it.
 */
static char *
format_memory (const GilkOperand *operand)
{
  GString *text;

  if (operand->gs || operand->fs || operand->base == GILK_NO_REGISTER)
    return NULL;
  text = g_string_new ("*(u64 *) (");
  g_string_append_printf (text, "%%%s", registers[operand->base]);
  if (operand->index != GILK_NO_REGISTER)
    g_string_append_printf (text, " + %%%s * %u", registers[operand->index], operand->scale);
  if (operand->disp != 0)
    g_string_append_printf (text, " %c 0x%" G_GINT64_MODIFIER "x", operand->disp < 0 ? '-' : '+',
                            operand->disp < 0 ? -(uint64_t) operand->disp : (uint64_t) operand->disp);
  g_string_append_c (text, ')');

  return g_string_free (text, FALSE);
}

static char *
format_operand (const GilkCfg *cfg, const GilkInsn *insn)
{
  const uint8_t *bytes = gilk_cfg_bytes (cfg, insn);
  GilkOperand operand;
  GilkOpcode op;

  if (!gilk_opcode_parse (bytes, insn->len, &op) || !op.has_modrm)
    return NULL;
  if (GILK_MODRM_MOD (&op) == 3)
    return g_strconcat ("%", registers[GILK_MODRM_RM (&op) + (op.rex & GILK_REX_B ? 8 : 0)], NULL);

  return gilk_operand_memory (insn, bytes, &op, &operand) ? format_memory (&operand) : NULL;
}

static gboolean
is_thunk_call (const GilkCfg *cfg, const GilkInsn *insn)
{
  return insn->target != 0 && gilk_image_is_indirect_thunk (cfg->image, insn->target);
}

GArray *
gilk_indirect_in (const GilkCfg *cfg)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (GilkIndirect));

  g_array_set_clear_func (all, clear_indirect);
  for (guint i = 0; i < cfg->n_insns; i++)
    {
      const GilkInsn *insn = &cfg->insns[i];
      gboolean thunk = is_thunk_call (cfg, insn);
      GilkIndirect found = { .insn = i, .leaves = insn->branch != GILK_BRANCH_CALL &&
                                                  insn->branch != GILK_BRANCH_CALL_INDIRECT };

      if (thunk && insn->branch != GILK_BRANCH_JCC)
        {
          const char *name = find_thunk_register (cfg, insn->target);

          found.target = name != NULL ? g_strconcat ("%", name, NULL) : NULL;
        }
      else if (insn->branch == GILK_BRANCH_CALL_INDIRECT || insn->branch == GILK_BRANCH_JUMP_INDIRECT)
        found.target = format_operand (cfg, insn);
      else if (!thunk)
        continue;
      g_array_append_val (all, found);
    }

  return all;
}
