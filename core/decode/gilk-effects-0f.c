/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-effects-0f.c - effects of two- and three-byte opcodes
 *
 * Continues gilk-effects.c, whose rules apply here, too.
 */
#include "core/decode/gilk-effects-private.h"

static gboolean
do_0f01 (Context *c)
{
  if (!is_rm_reg (c))
    {
      note_read (c, get_address_regs (c));
      return GILK_MODRM_REG (c->op) != 6 && GILK_MODRM_REG (c->op) != 5;
    }
  if (c->op->prefixes & (GILK_PREFIX_66 | GILK_PREFIX_F2 | GILK_PREFIX_F3))
    return FALSE;

  switch (c->op->modrm)
    {
    case 0xc8:                              /* monitor */
    case 0xc9:                              /* mwait */
    case 0xd1:                              /* xsetbv */
    case 0xef:                              /* wrpkru */
      note_read (c, BIT (RAX) | BIT (RCX) | BIT (RDX));
      return TRUE;
    case 0xca:
    case 0xcb:
      note_flags_set (c, GILK_FLAG_AC);
      return TRUE;
    case 0xd0:                              /* xgetbv */
    case 0xee:                              /* rdpkru */
      note_read (c, BIT (RCX));
      note_written (c, BIT (RAX) | BIT (RDX), 4);
      return TRUE;
    case 0xe8:                              /* serialize */
    case 0xf8:                              /* swapgs */
      return TRUE;
    case 0xf9:                              /* rdtscp */
      note_written (c, BIT (RAX) | BIT (RCX) | BIT (RDX), 4);
      return TRUE;
    default:
      return FALSE;
    }
}

/* 0f ae: fences, cache lines, xsave, fs and gs base */
static gboolean
do_0fae (Context *c)
{
  guint number = GILK_MODRM_REG (c->op);

  if (!is_rm_reg (c))
    {
      note_read (c, get_address_regs (c));
      if (number >= 4 && number <= 6)       /* xsave, xrstor, xsaveopt, and clwb */
        note_read (c, BIT (RAX) | BIT (RDX));
      return !(c->op->prefixes & GILK_PREFIX_F3);
    }
  if (c->op->prefixes & (GILK_PREFIX_66 | GILK_PREFIX_F2))
    return FALSE;
  if (!(c->op->prefixes & GILK_PREFIX_F3))
    return number >= 5;
  if (number < 2)
    note_rm_written (c, c->size);
  else if (number < 4)
    note_rm_read (c, c->size);

  return number < 4;
}

static gboolean
do_0fc7 (Context *c)
{
  guint number = GILK_MODRM_REG (c->op);

  if (is_rm_reg (c))
    {
      if (number < 6 || c->op->prefixes & (GILK_PREFIX_F2 | GILK_PREFIX_F3))
        return FALSE;
      note_rm_written (c, c->size);               /* rdrand, rdseed */
      note_flags_set (c, ARITH);
      return TRUE;
    }

  note_read (c, get_address_regs (c));
  if (number == 1)                          /* cmpxchg8b, cmpxchg16b */
    {
      note_changed (c, BIT (RAX) | BIT (RDX));
      note_read (c, BIT (RBX) | BIT (RCX));
      note_flags_set (c, GILK_FLAG_ZF);
      return TRUE;
    }

  note_read (c, BIT (RAX) | BIT (RDX));         /* xrstors, xsavec, xsaves */
  return number >= 3 && number <= 5;
}

static gboolean
do_system (Context *c, guint opcode)
{
  switch (opcode)
    {
    case 0x00:
      if (GILK_MODRM_REG (c->op) < 4 || GILK_MODRM_REG (c->op) > 5)
        return FALSE;
      note_rm_read (c, 2);                  /* verr, verw */
      note_flags_set (c, GILK_FLAG_ZF);
      return TRUE;
    case 0x01:
      return do_0f01 (c);
    case 0x02:
    case 0x03:
      note_rm_read (c, 2);
      note_touched (c, get_reg_operand (c, c->size));
      note_flags_set (c, GILK_FLAG_ZF);
      return TRUE;
    case 0x06:
    case 0x08:
    case 0x09:
      return TRUE;
    case 0x0b:                              /* ud2 */
      return TRUE;
    case 0x20:
    case 0x21:
      note_written (c, get_rm_reg (c, 8), 8);
      note_flags_touched (c, ARITH);
      return TRUE;
    case 0x22:
    case 0x23:
      note_read (c, get_rm_reg (c, 8));
      note_flags_touched (c, ARITH);
      return TRUE;
    case 0x30:
      note_read (c, BIT (RAX) | BIT (RCX) | BIT (RDX));
      return TRUE;
    case 0x31:
      note_written (c, BIT (RAX) | BIT (RDX), 4);
      return TRUE;
    case 0x32:
    case 0x33:
      note_read (c, BIT (RCX));
      note_written (c, BIT (RAX) | BIT (RDX), 4);
      return TRUE;
    case 0xa0:
    case 0xa8:
      note_stack_use (c);
      return TRUE;
    case 0xa2:
      note_read (c, BIT (RAX) | BIT (RCX));
      note_written (c, BIT (RAX) | BIT (RBX) | BIT (RCX) | BIT (RDX), 4);
      return TRUE;
    case 0xae:
      return do_0fae (c);
    case 0xb9:                              /* ud1 passes a register to its handler */
    case 0xff:
      note_rm_read (c, c->size);
      note_read (c, get_reg_operand (c, c->size));
      return TRUE;
    case 0xc7:
      return do_0fc7 (c);
    default:
      return FALSE;
    }
}

/* bt bts btr btc; a memory operand with a register index needs no special case */
static void
do_bit_test (Context *c, gboolean with_reg, gboolean store)
{
  note_rm_read (c, c->size);
  if (with_reg)
    note_read (c, get_reg_operand (c, c->size));
  if (store)
    note_rm_written (c, c->size);
  note_flags_set (c, ARITH & ~GILK_FLAG_ZF);
}

static gboolean
do_bits (Context *c, guint opcode)
{
  guint reg = get_reg_operand (c, c->size);

  switch (opcode)
    {
    case 0xa3:
      do_bit_test (c, TRUE, FALSE);
      return TRUE;
    case 0xab:
    case 0xb3:
    case 0xbb:
      do_bit_test (c, TRUE, TRUE);
      return TRUE;
    case 0xba:
      do_bit_test (c, FALSE, GILK_MODRM_REG (c->op) != 4);
      return TRUE;
    case 0xb8:                              /* popcnt */
      note_rm_read (c, c->size);
      note_written (c, reg, c->size);
      note_flags_set (c, ARITH);
      return TRUE;
    case 0xbc:
    case 0xbd:                              /* old CPUs execute tzcnt, lzcnt as bsf, bsr */
      note_rm_read (c, c->size);
      note_changed (c, reg);
      note_flags_set (c, ARITH);
      return TRUE;
    case 0xa4:
    case 0xac:
    case 0xa5:
    case 0xad:
      note_rm_read (c, c->size);
      note_read (c, reg);
      note_touched (c, is_rm_reg (c) ? get_rm_reg (c, c->size) : 0);
      if (opcode & 1)
        note_read (c, BIT (RCX));
      if (!(opcode & 1) && get_shift_count (c) != 0)
        note_flags_set (c, ARITH);
      else if (opcode & 1)
        note_flags_touched (c, ARITH);
      return TRUE;
    case 0xc8 ... 0xcf:
      note_changed (c, get_opcode_reg (c, c->size));
      return TRUE;
    default:
      return FALSE;
    }
}

gboolean
gilk_effects_map_0f (Context *c)
{
  guint opcode = c->op->opcode, size = opcode & 1 ? c->size : 1;

  switch (opcode)
    {
    case 0x0d:                              /* prefetches and hints */
    case 0x18:
      note_read (c, get_address_regs (c));
      return TRUE;
    case 0x19 ... 0x1d:
    case 0x1f:
      return TRUE;
    case 0x1e:                              /* endbr; not rdssp, which writes a register */
      return c->op->modrm == 0xfa || !(c->op->prefixes & GILK_PREFIX_F3);
    case 0x40 ... 0x4f:
      note_flags_read (c, get_condition_flags (opcode));
      note_rm_read (c, c->size);
      note_changed (c, get_reg_operand (c, c->size));
      return TRUE;
    case 0x80 ... 0x8f:
      note_flags_read (c, get_condition_flags (opcode));
      return TRUE;
    case 0x90 ... 0x9f:
      note_flags_read (c, get_condition_flags (opcode));
      note_rm_written (c, 1);
      return TRUE;
    case 0xaf:
      note_rm_read (c, c->size);
      note_changed (c, get_reg_operand (c, c->size));
      note_flags_set (c, ARITH);
      return TRUE;
    case 0xb0:
    case 0xb1:                              /* cmpxchg */
      note_rm_changed (c, size);
      note_read (c, get_reg_operand (c, size));
      note_changed (c, BIT (RAX));
      note_flags_set (c, ARITH);
      return TRUE;
    case 0xb6:
    case 0xb7:
    case 0xbe:
    case 0xbf:
      note_rm_read (c, opcode & 1 ? 2 : 1);
      note_written (c, get_reg_operand (c, c->size), c->size);
      return TRUE;
    case 0xc0:
    case 0xc1:                              /* xadd */
      note_rm_changed (c, size);
      note_changed (c, get_reg_operand (c, size));
      note_flags_set (c, ARITH);
      return TRUE;
    case 0xc3:                              /* movnti */
      note_read (c, get_reg_operand (c, c->size) | get_address_regs (c));
      return TRUE;
    default:
      return do_system (c, opcode) || do_bits (c, opcode);
    }
}

/* movbe, crc32 */
gboolean
gilk_effects_map_0f38 (Context *c)
{
  guint opcode = c->op->opcode;

  if (opcode != 0xf0 && opcode != 0xf1)
    return FALSE;

  if (c->op->prefixes & GILK_PREFIX_F2)
    {
      note_rm_read (c, opcode & 1 ? c->size : 1);
      note_changed (c, get_reg_operand (c, 4));
    }
  else if (opcode == 0xf0)
    {
      note_rm_read (c, c->size);
      note_written (c, get_reg_operand (c, c->size), c->size);
    }
  else
    {
      note_read (c, get_reg_operand (c, c->size));
      note_rm_written (c, c->size);
    }
  return TRUE;
}
