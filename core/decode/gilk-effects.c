/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-effects.c - registers and flags that an instruction reads and writes
 *
 * Liveness analysis uses this to find what a patch need not save, so errors are allowed in one
 * direction only: too much read, too little written for certain, too much touched. An instruction
 * is "unknown" unless its opcode is described here. Vector and x87 instructions stay unknown: the
 * kernel has few of them.
 *
 * Rules of the architecture that matter: 32-bit results clear the upper half, so they count as full
 * writes; 8- and 16-bit results do not. A shift by %cl may be by 0 and leave the flags unchanged.
 * bsf and bsr leave their destination unchanged if the source is 0, and the kernel relies on that.
 *
 * tests/unit/test-insn executes instructions on the local CPU and compares.
 */
#include <string.h>

#include "core/decode/gilk-effects-private.h"

/* ---- groups ---- */

/* add or adc sbb and sub xor cmp, by @number; @to_reg: the register is the destination */
static void
do_alu (Context *c, guint number, guint size, gboolean to_reg, gboolean with_reg)
{
  gboolean compare = number == 7;

  if (number == 2 || number == 3)
    note_flags_read (c, GILK_FLAG_CF);
  note_flags_set (c, ARITH);

  /* the result of xor %r,%r and sub %r,%r does not depend on %r */
  if (with_reg && (number == 6 || number == 5) && is_rm_reg (c) &&
      (c->op->modrm >> 3 & 7) == (c->op->modrm & 7) &&
      !(c->op->rex & GILK_REX_R) == !(c->op->rex & GILK_REX_B))
    {
      note_rm_written (c, size);
      return;
    }

  note_rm_read (c, size);
  if (with_reg)
    note_read (c, get_reg_operand (c, size));
  if (compare)
    return;
  if (to_reg)
    note_written (c, get_reg_operand (c, size), size);
  else
    note_rm_written (c, size);
}

/* rol ror rcl rcr shl shr sal sar; @count: masked number of bits; -1: the count is in %cl */
static void
do_shift (Context *c, guint size, int count)
{
  guint number = GILK_MODRM_REG (c->op);
  guint flags = number < 4 ? GILK_FLAG_CF | GILK_FLAG_OF : ARITH;

  note_rm_read (c, size);
  note_touched (c, is_rm_reg (c) ? get_rm_reg (c, size) : 0);
  if (number == 2 || number == 3)
    note_flags_read (c, GILK_FLAG_CF);
  if (count < 0)
    note_read (c, BIT (RCX));

  /* rcl and rcr by a multiple of width + 1 change nothing */
  if (count > 0 && (number < 2 || number > 3 || count == 1))
    note_flags_set (c, flags);
  else if (count != 0)
    note_flags_touched (c, flags);
}

/* f6, f7: test not neg mul imul div idiv */
static void
do_group_3 (Context *c, guint size)
{
  switch (GILK_MODRM_REG (c->op))
    {
    case 0:
    case 1:
      note_rm_read (c, size);
      note_flags_set (c, ARITH);
      break;
    case 2:
      note_rm_changed (c, size);
      break;
    case 3:
      note_rm_changed (c, size);
      note_flags_set (c, ARITH);
      break;
    case 4:
    case 5:
      note_rm_read (c, size);
      note_read (c, BIT (RAX));
      note_written (c, size == 1 ? BIT (RAX) : BIT (RAX) | BIT (RDX), size);
      note_flags_set (c, ARITH);
      break;
    default:
      note_rm_read (c, size);
      note_read (c, size == 1 ? BIT (RAX) : BIT (RAX) | BIT (RDX));
      note_written (c, size == 1 ? BIT (RAX) : BIT (RAX) | BIT (RDX), size);
      note_flags_set (c, ARITH);
      break;
    }
}

/* fe, ff: inc dec call jmp push */
static void
do_group_5 (Context *c, guint size)
{
  switch (GILK_MODRM_REG (c->op))
    {
    case 0:
    case 1:
      note_rm_changed (c, size);
      note_flags_set (c, ARITH & ~GILK_FLAG_CF);
      break;
    case 2:
    case 6:
      note_rm_read (c, 8);
      note_stack_use (c);
      break;
    case 4:
      note_rm_read (c, 8);
      break;
    default:
      set_unknown (c->fx);
      break;
    }
}

/* movs cmps stos lods scas ins outs, with or without rep */
static void
do_string (Context *c, guint size)
{
  gboolean repeated = (c->op->prefixes & (GILK_PREFIX_F2 | GILK_PREFIX_F3)) != 0;
  guint opcode = c->op->opcode & 0xfe;

  note_flags_read (c, GILK_FLAG_DF);
  if (repeated)
    note_changed (c, BIT (RCX));
  if (opcode != 0xac && opcode != 0x6e)     /* all except lods and outs access rdi */
    note_changed (c, BIT (RDI));
  if (opcode == 0xa4 || opcode == 0xa6 || opcode == 0xac || opcode == 0x6e)
    note_changed (c, BIT (RSI));
  if (opcode == 0x6c || opcode == 0x6e)
    note_read (c, BIT (RDX));
  if (opcode == 0xaa || opcode == 0xae)
    note_read (c, BIT (RAX));
  if (opcode == 0xac)
    {
      note_touched (c, BIT (RAX));
      if (!repeated)
        note_written (c, BIT (RAX), size);
    }
  if (opcode == 0xa6 || opcode == 0xae)
    {
      if (repeated)
        note_flags_touched (c, ARITH);      /* unchanged if rcx is 0 */
      else
        note_flags_set (c, ARITH);
    }
}

/* ---- one-byte opcodes ---- */

static gboolean
do_moves (Context *c, guint opcode, guint size)
{
  switch (opcode)
    {
    case 0x50 ... 0x57:
      note_read (c, get_opcode_reg (c, 8));
      note_stack_use (c);
      return TRUE;
    case 0x58 ... 0x5f:
      note_stack_use (c);
      note_written (c, get_opcode_reg (c, 8), c->op->prefixes & GILK_PREFIX_66 ? 2 : 8);
      return TRUE;
    case 0x63:
      note_rm_read (c, 4);
      note_written (c, get_reg_operand (c, c->size), c->size);
      return TRUE;
    case 0x68:
    case 0x6a:
      note_stack_use (c);
      return TRUE;
    case 0x86:
    case 0x87:
      note_rm_changed (c, size);
      note_changed (c, get_reg_operand (c, size));
      return TRUE;
    case 0x88:
    case 0x89:
      note_read (c, get_reg_operand (c, size));
      note_rm_written (c, size);
      return TRUE;
    case 0x8a:
    case 0x8b:
      note_rm_read (c, size);
      note_written (c, get_reg_operand (c, size), size);
      return TRUE;
    case 0x8c:
      note_rm_written (c, 2);
      return TRUE;
    case 0x8d:
      note_read (c, get_address_regs (c));
      note_written (c, get_reg_operand (c, c->size), c->size);
      return TRUE;
    case 0x8e:
      note_rm_read (c, 2);
      return TRUE;
    case 0x8f:
      note_stack_use (c);
      note_rm_written (c, c->op->prefixes & GILK_PREFIX_66 ? 2 : 8);
      return TRUE;
    case 0x90 ... 0x97:
      if (opcode == 0x90 && !(c->op->rex & GILK_REX_B))
        return TRUE;                        /* nop, pause */
      note_changed (c, get_opcode_reg (c, c->size) | BIT (RAX));
      return TRUE;
    case 0xa0:
    case 0xa1:
      note_written (c, BIT (RAX), size);
      return TRUE;
    case 0xa2:
    case 0xa3:
      note_read (c, BIT (RAX));
      return TRUE;
    case 0xb0 ... 0xb7:
      note_touched (c, get_opcode_reg (c, 1));
      return TRUE;
    case 0xb8 ... 0xbf:
      note_written (c, get_opcode_reg (c, c->size), c->size);
      return TRUE;
    case 0xc6:
    case 0xc7:
      if (c->op->modrm == 0xf8)
        return FALSE;
      note_rm_written (c, size);
      return TRUE;
    case 0xc9:
      note_read (c, BIT (RBP));
      note_written (c, BIT (RSP) | BIT (RBP), 8);
      return TRUE;
    default:
      return FALSE;
    }
}

static gboolean
do_control (Context *c, guint opcode)
{
  switch (opcode)
    {
    case 0x70 ... 0x7f:
      note_flags_read (c, get_condition_flags (opcode));
      return TRUE;
    case 0x9c:
      note_flags_read (c, GILK_FLAGS_ALL);
      note_stack_use (c);
      return TRUE;
    case 0x9d:
      if (c->op->prefixes & GILK_PREFIX_66)
        return FALSE;
      note_stack_use (c);
      note_flags_set (c, GILK_FLAGS_ALL);
      return TRUE;
    case 0x9e:
      note_read (c, BIT (RAX));
      note_flags_set (c, ARITH & ~GILK_FLAG_OF);
      return TRUE;
    case 0x9f:
      note_flags_read (c, ARITH & ~GILK_FLAG_OF);
      note_touched (c, BIT (RAX));
      return TRUE;
    case 0xc2:
    case 0xc3:
    case 0xe8:
      note_stack_use (c);
      return TRUE;
    case 0xe0:
    case 0xe1:
      note_flags_read (c, GILK_FLAG_ZF);
      /* fall through */
    case 0xe2:
      note_changed (c, BIT (RCX));
      return TRUE;
    case 0xe3:
      note_read (c, BIT (RCX));
      return TRUE;
    case 0xe9:
    case 0xeb:
    case 0xf4:
      return TRUE;
    case 0xf5:
      note_flags_read (c, GILK_FLAG_CF);
      /* fall through */
    case 0xf8:
    case 0xf9:
      note_flags_set (c, GILK_FLAG_CF);
      return TRUE;
    case 0xfa:
    case 0xfb:
      note_flags_set (c, GILK_FLAG_IF);
      return TRUE;
    case 0xfc:
    case 0xfd:
      note_flags_set (c, GILK_FLAG_DF);
      return TRUE;
    default:
      return FALSE;
    }
}

static gboolean
do_arithmetic (Context *c, guint opcode, guint size)
{
  switch (opcode)
    {
    case 0x69:
    case 0x6b:
      note_rm_read (c, c->size);
      note_written (c, get_reg_operand (c, c->size), c->size);
      note_flags_set (c, ARITH);
      return TRUE;
    case 0x80:
    case 0x81:
    case 0x83:
      do_alu (c, GILK_MODRM_REG (c->op), size, FALSE, FALSE);
      return TRUE;
    case 0x84:
    case 0x85:
      note_rm_read (c, size);
      note_read (c, get_reg_operand (c, size));
      note_flags_set (c, ARITH);
      return TRUE;
    case 0x98:
      note_read (c, BIT (RAX));
      note_written (c, BIT (RAX), c->size);
      return TRUE;
    case 0x99:
      note_read (c, BIT (RAX));
      note_written (c, BIT (RDX), c->size);
      return TRUE;
    case 0xa8:
    case 0xa9:
      note_read (c, BIT (RAX));
      note_flags_set (c, ARITH);
      return TRUE;
    case 0xc0:
    case 0xc1:
      do_shift (c, size, get_shift_count (c));
      return TRUE;
    case 0xd0:
    case 0xd1:
      do_shift (c, size, 1);
      return TRUE;
    case 0xd2:
    case 0xd3:
      do_shift (c, size, -1);
      return TRUE;
    case 0xf6:
    case 0xf7:
      do_group_3 (c, size);
      return TRUE;
    case 0xfe:
    case 0xff:
      do_group_5 (c, size);
      return TRUE;
    default:
      return FALSE;
    }
}

static gboolean
do_map_1 (Context *c)
{
  guint opcode = c->op->opcode, size = opcode & 1 ? c->size : 1;

  if (opcode < 0x40)
    {
      guint number = opcode >> 3, form = opcode & 7;

      if (form < 4)
        do_alu (c, number, size, form >= 2, TRUE);
      else
        {
          note_read (c, BIT (RAX));
          if (number == 2 || number == 3)
            note_flags_read (c, GILK_FLAG_CF);
          if (number != 7)
            note_written (c, BIT (RAX), size);
          note_flags_set (c, ARITH);
        }
      return TRUE;
    }

  switch (opcode)
    {
    case 0x6c ... 0x6f:
    case 0xa4 ... 0xa7:
    case 0xaa ... 0xaf:
      do_string (c, size);
      return TRUE;
    case 0xe4:
    case 0xe5:
      note_written (c, BIT (RAX), opcode & 1 ? MIN (c->size, 4) : 1);
      return TRUE;
    case 0xe6:
    case 0xe7:
      note_read (c, BIT (RAX));
      return TRUE;
    case 0xec:
    case 0xed:
      note_read (c, BIT (RDX));
      note_written (c, BIT (RAX), opcode & 1 ? MIN (c->size, 4) : 1);
      return TRUE;
    case 0xee:
    case 0xef:
      note_read (c, BIT (RAX) | BIT (RDX));
      return TRUE;
    default:
      return do_moves (c, opcode, size) || do_control (c, opcode) ||
             do_arithmetic (c, opcode, size);
    }
}

void
gilk_insn_effects (GilkDecoder   *decoder,
                   const uint8_t *bytes,
                   const GilkInsn *insn,
                   GilkEffects   *effects)
{
  GilkOpcode op;
  Context c = { .bytes = bytes, .op = &op, .fx = effects };
  gboolean known = FALSE;

  memset (effects, 0, sizeof *effects);
  if (gilk_opcode_parse (bytes, insn->len, &op) && !(op.prefixes & GILK_PREFIX_VEX))
    {
      c.size = op.rex & GILK_REX_W ? 8 : op.prefixes & GILK_PREFIX_66 ? 2 : 4;
      if (op.map == GILK_MAP_1)
        known = do_map_1 (&c);
      else if (op.map == GILK_MAP_0F)
        known = gilk_effects_map_0f (&c);
      else if (op.map == GILK_MAP_0F38)
        known = gilk_effects_map_0f38 (&c);
    }

  if (!known)
    set_unknown (effects);
}
