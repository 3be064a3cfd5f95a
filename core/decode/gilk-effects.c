/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-effects.c - registers and flags that an instruction reads and writes
 *
 * Liveness decides from this what a patch need not save, so errors are only allowed in one
 * direction: too much read, too little written for certain, too much touched. An instruction is
 * "unknown" unless its opcode is described here. Vector and x87 instructions stay unknown: the
 * kernel has few.
 *
 * Rules of the architecture that matter: 32-bit results clear the upper half, so they count as full
 * writes; 8- and 16-bit results do not. A shift by %cl may be by 0 and leave the flags unchanged.
 * bsf and bsr leave their destination unchanged if the source is 0, and the kernel relies on it.
 *
 * tests/unit/test-insn executes instructions on the local CPU and compares.
 */
#include <string.h>

#include "core/decode/gilk-effects-private.h"

/* ---- groups ---- */

/* add or adc sbb and sub xor cmp, by @number; @to_reg: r/m is the source */
static void
do_alu (Context *c, guint number, guint size, gboolean to_reg, gboolean with_reg)
{
  gboolean compare = number == 7;

  if (number == 2 || number == 3)
    reads_flags (c, GILK_FLAG_CF);
  sets_flags (c, ARITH);

  /* the result of xor %r,%r and sub %r,%r does not depend on %r */
  if (with_reg && (number == 6 || number == 5) && rm_is_reg (c) &&
      (c->op->modrm >> 3 & 7) == (c->op->modrm & 7) &&
      !(c->op->rex & GILK_REX_R) == !(c->op->rex & GILK_REX_B))
    {
      writes_rm (c, size);
      return;
    }

  reads_rm (c, size);
  if (with_reg)
    reads (c, reg_operand (c, size));
  if (compare)
    return;
  if (to_reg)
    writes_sized (c, reg_operand (c, size), size);
  else
    writes_rm (c, size);
}

/* rol ror rcl rcr shl shr sal sar; @count: masked number of bits; -1: in %cl */
static void
do_shift (Context *c, guint size, int count)
{
  guint number = GILK_MODRM_REG (c->op);
  guint flags = number < 4 ? GILK_FLAG_CF | GILK_FLAG_OF : ARITH;

  reads_rm (c, size);
  touches (c, rm_is_reg (c) ? rm_reg (c, size) : 0);
  if (number == 2 || number == 3)
    reads_flags (c, GILK_FLAG_CF);
  if (count < 0)
    reads (c, BIT (RCX));

  /* rcl and rcr by a multiple of width + 1 change nothing */
  if (count > 0 && (number < 2 || number > 3 || count == 1))
    sets_flags (c, flags);
  else if (count != 0)
    may_set_flags (c, flags);
}

/* f6, f7: test not neg mul imul div idiv */
static void
do_group_3 (Context *c, guint size)
{
  switch (GILK_MODRM_REG (c->op))
    {
    case 0:
    case 1:
      reads_rm (c, size);
      sets_flags (c, ARITH);
      break;
    case 2:
      changes_rm (c, size);
      break;
    case 3:
      changes_rm (c, size);
      sets_flags (c, ARITH);
      break;
    case 4:
    case 5:
      reads_rm (c, size);
      reads (c, BIT (RAX));
      writes_sized (c, size == 1 ? BIT (RAX) : BIT (RAX) | BIT (RDX), size);
      sets_flags (c, ARITH);
      break;
    default:
      reads_rm (c, size);
      reads (c, size == 1 ? BIT (RAX) : BIT (RAX) | BIT (RDX));
      writes_sized (c, size == 1 ? BIT (RAX) : BIT (RAX) | BIT (RDX), size);
      sets_flags (c, ARITH);
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
      changes_rm (c, size);
      sets_flags (c, ARITH & ~GILK_FLAG_CF);
      break;
    case 2:
    case 6:
      reads_rm (c, 8);
      uses_stack (c);
      break;
    case 4:
      reads_rm (c, 8);
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

  reads_flags (c, GILK_FLAG_DF);
  if (repeated)
    changes (c, BIT (RCX));
  if (opcode != 0xac && opcode != 0x6e)     /* all except lods and outs access rdi */
    changes (c, BIT (RDI));
  if (opcode == 0xa4 || opcode == 0xa6 || opcode == 0xac || opcode == 0x6e)
    changes (c, BIT (RSI));
  if (opcode == 0x6c || opcode == 0x6e)
    reads (c, BIT (RDX));
  if (opcode == 0xaa || opcode == 0xae)
    reads (c, BIT (RAX));
  if (opcode == 0xac)
    {
      touches (c, BIT (RAX));
      if (!repeated)
        writes_sized (c, BIT (RAX), size);
    }
  if (opcode == 0xa6 || opcode == 0xae)
    {
      if (repeated)
        may_set_flags (c, ARITH);           /* not if rcx is 0 */
      else
        sets_flags (c, ARITH);
    }
}

/* ---- one-byte opcodes ---- */

static gboolean
do_moves (Context *c, guint opcode, guint size)
{
  switch (opcode)
    {
    case 0x50 ... 0x57:
      reads (c, opcode_reg (c, 8));
      uses_stack (c);
      return TRUE;
    case 0x58 ... 0x5f:
      uses_stack (c);
      writes_sized (c, opcode_reg (c, 8), c->op->prefixes & GILK_PREFIX_66 ? 2 : 8);
      return TRUE;
    case 0x63:
      reads_rm (c, 4);
      writes_sized (c, reg_operand (c, c->size), c->size);
      return TRUE;
    case 0x68:
    case 0x6a:
      uses_stack (c);
      return TRUE;
    case 0x86:
    case 0x87:
      changes_rm (c, size);
      changes (c, reg_operand (c, size));
      return TRUE;
    case 0x88:
    case 0x89:
      reads (c, reg_operand (c, size));
      writes_rm (c, size);
      return TRUE;
    case 0x8a:
    case 0x8b:
      reads_rm (c, size);
      writes_sized (c, reg_operand (c, size), size);
      return TRUE;
    case 0x8c:
      writes_rm (c, 2);
      return TRUE;
    case 0x8d:
      reads (c, address_regs (c));
      writes_sized (c, reg_operand (c, c->size), c->size);
      return TRUE;
    case 0x8e:
      reads_rm (c, 2);
      return TRUE;
    case 0x8f:
      uses_stack (c);
      writes_rm (c, c->op->prefixes & GILK_PREFIX_66 ? 2 : 8);
      return TRUE;
    case 0x90 ... 0x97:
      if (opcode == 0x90 && !(c->op->rex & GILK_REX_B))
        return TRUE;                        /* nop, pause */
      changes (c, opcode_reg (c, c->size) | BIT (RAX));
      return TRUE;
    case 0xa0:
    case 0xa1:
      writes_sized (c, BIT (RAX), size);
      return TRUE;
    case 0xa2:
    case 0xa3:
      reads (c, BIT (RAX));
      return TRUE;
    case 0xb0 ... 0xb7:
      touches (c, opcode_reg (c, 1));
      return TRUE;
    case 0xb8 ... 0xbf:
      writes_sized (c, opcode_reg (c, c->size), c->size);
      return TRUE;
    case 0xc6:
    case 0xc7:
      if (c->op->modrm == 0xf8)
        return FALSE;
      writes_rm (c, size);
      return TRUE;
    case 0xc9:
      reads (c, BIT (RBP));
      writes_sized (c, BIT (RSP) | BIT (RBP), 8);
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
      reads_flags (c, condition_flags (opcode));
      return TRUE;
    case 0x9c:
      reads_flags (c, GILK_FLAGS_ALL);
      uses_stack (c);
      return TRUE;
    case 0x9d:
      if (c->op->prefixes & GILK_PREFIX_66)
        return FALSE;
      uses_stack (c);
      sets_flags (c, GILK_FLAGS_ALL);
      return TRUE;
    case 0x9e:
      reads (c, BIT (RAX));
      sets_flags (c, ARITH & ~GILK_FLAG_OF);
      return TRUE;
    case 0x9f:
      reads_flags (c, ARITH & ~GILK_FLAG_OF);
      touches (c, BIT (RAX));
      return TRUE;
    case 0xc2:
    case 0xc3:
    case 0xe8:
      uses_stack (c);
      return TRUE;
    case 0xe0:
    case 0xe1:
      reads_flags (c, GILK_FLAG_ZF);
      /* fall through */
    case 0xe2:
      changes (c, BIT (RCX));
      return TRUE;
    case 0xe3:
      reads (c, BIT (RCX));
      return TRUE;
    case 0xe9:
    case 0xeb:
    case 0xf4:
      return TRUE;
    case 0xf5:
      reads_flags (c, GILK_FLAG_CF);
      /* fall through */
    case 0xf8:
    case 0xf9:
      sets_flags (c, GILK_FLAG_CF);
      return TRUE;
    case 0xfa:
    case 0xfb:
      sets_flags (c, GILK_FLAG_IF);
      return TRUE;
    case 0xfc:
    case 0xfd:
      sets_flags (c, GILK_FLAG_DF);
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
      reads_rm (c, c->size);
      writes_sized (c, reg_operand (c, c->size), c->size);
      sets_flags (c, ARITH);
      return TRUE;
    case 0x80:
    case 0x81:
    case 0x83:
      do_alu (c, GILK_MODRM_REG (c->op), size, FALSE, FALSE);
      return TRUE;
    case 0x84:
    case 0x85:
      reads_rm (c, size);
      reads (c, reg_operand (c, size));
      sets_flags (c, ARITH);
      return TRUE;
    case 0x98:
      reads (c, BIT (RAX));
      writes_sized (c, BIT (RAX), c->size);
      return TRUE;
    case 0x99:
      reads (c, BIT (RAX));
      writes_sized (c, BIT (RDX), c->size);
      return TRUE;
    case 0xa8:
    case 0xa9:
      reads (c, BIT (RAX));
      sets_flags (c, ARITH);
      return TRUE;
    case 0xc0:
    case 0xc1:
      do_shift (c, size, shift_count (c));
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
          reads (c, BIT (RAX));
          if (number == 2 || number == 3)
            reads_flags (c, GILK_FLAG_CF);
          if (number != 7)
            writes_sized (c, BIT (RAX), size);
          sets_flags (c, ARITH);
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
      writes_sized (c, BIT (RAX), opcode & 1 ? MIN (c->size, 4) : 1);
      return TRUE;
    case 0xe6:
    case 0xe7:
      reads (c, BIT (RAX));
      return TRUE;
    case 0xec:
    case 0xed:
      reads (c, BIT (RDX));
      writes_sized (c, BIT (RAX), opcode & 1 ? MIN (c->size, 4) : 1);
      return TRUE;
    case 0xee:
    case 0xef:
      reads (c, BIT (RAX) | BIT (RDX));
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
