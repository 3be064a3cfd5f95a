/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-effects.c - registers and flags one instruction reads and writes
 *
 * Liveness decides from this what a patch need not save, so the errors allowed
 * are one-sided: too much read, too little written for certain, too much
 * touched. Everything starts as "unknown" and only opcodes described here
 * become cheaper. Vector and x87 instructions stay unknown: the kernel has few.
 *
 * Rules of the machine that matter here: 32-bit results clear the upper half,
 * so they count as whole writes; 8- and 16-bit results do not. A shift by %cl
 * may shift by 0 and leave the flags alone. bsf and bsr leave their target
 * alone when the source is 0, and the kernel relies on it.
 *
 * tests/unit/test-insn runs instructions on the processor it is on and compares.
 */
#include "core/cfg/gilk-insn.h"

#include <string.h>

#include "core/cfg/gilk-opcode.h"

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI };

#define BIT(r)   GILK_REG_BIT (r)
#define ARITH    GILK_FLAGS_ARITH

typedef struct {
  const uint8_t    *bytes;
  const GilkOpcode *op;
  GilkEffects      *fx;
  guint             size;  /* operand size in bytes, 8-bit forms included */
} Context;

static const uint16_t condition_flags[8] = {
  GILK_FLAG_OF, GILK_FLAG_CF, GILK_FLAG_ZF, GILK_FLAG_CF | GILK_FLAG_ZF,
  GILK_FLAG_SF, GILK_FLAG_PF, GILK_FLAG_SF | GILK_FLAG_OF,
  GILK_FLAG_ZF | GILK_FLAG_SF | GILK_FLAG_OF,
};

static void
set_unknown (GilkEffects *fx)
{
  *fx = (GilkEffects) {
    .regs_read = GILK_REGS_ALL, .regs_touched = GILK_REGS_ALL,
    .flags_read = GILK_FLAGS_ALL, .flags_touched = GILK_FLAGS_ALL,
  };
}

/* ---- building blocks ---- */

static void
reads (Context *c, guint mask)
{
  c->fx->regs_read |= (uint16_t) mask;
}

/* The registers of @mask are written by a result of @size bytes. */
static void
writes_sized (Context *c, guint mask, guint size)
{
  c->fx->regs_touched |= (uint16_t) mask;
  if (size >= 4)
    c->fx->regs_written |= (uint16_t) mask;
}

static void
touches (Context *c, guint mask)
{
  c->fx->regs_touched |= (uint16_t) mask;
}

static void
sets_flags (Context *c, guint mask)
{
  c->fx->flags_written |= (uint16_t) mask;
  c->fx->flags_touched |= (uint16_t) mask;
}

static void
may_set_flags (Context *c, guint mask)
{
  c->fx->flags_touched |= (uint16_t) mask;
}

static void
reads_flags (Context *c, guint mask)
{
  c->fx->flags_read |= (uint16_t) mask;
}

/* Bit of register @number; ah, ch, dh, bh belong to rax..rbx. */
static guint
reg_bit (const Context *c, guint number, guint size)
{
  if (size == 1 && !(c->op->rex & GILK_REX_THERE) && number >= 4 && number < 8)
    number -= 4;

  return BIT (number);
}

static guint
reg_operand (const Context *c, guint size)
{
  return reg_bit (c, GILK_MODRM_REG (c->op) | (c->op->rex & GILK_REX_R ? 8 : 0), size);
}

static guint
opcode_reg (const Context *c, guint size)
{
  return reg_bit (c, (c->op->opcode & 7) | (c->op->rex & GILK_REX_B ? 8 : 0), size);
}

static gboolean
rm_is_reg (const Context *c)
{
  return GILK_MODRM_MOD (c->op) == 3;
}

/* Base and index of a memory operand. */
static guint
address_regs (const Context *c)
{
  const GilkOpcode *op = c->op;
  guint mask = 0, index;

  if (rm_is_reg (c) || op->rip_relative)
    return 0;
  if (GILK_MODRM_RM (op) != 4)
    return BIT (GILK_MODRM_RM (op) | (op->rex & GILK_REX_B ? 8 : 0));

  index = (op->sib >> 3 & 7) | (op->rex & GILK_REX_X ? 8 : 0);
  if (index != RSP)
    mask |= BIT (index);
  if (GILK_MODRM_MOD (op) != 0 || (op->sib & 7) != 5)
    mask |= BIT ((op->sib & 7) | (op->rex & GILK_REX_B ? 8 : 0));

  return mask;
}

static guint
rm_reg (const Context *c, guint size)
{
  return reg_bit (c, GILK_MODRM_RM (c->op) | (c->op->rex & GILK_REX_B ? 8 : 0), size);
}

static void
reads_rm (Context *c, guint size)
{
  reads (c, rm_is_reg (c) ? rm_reg (c, size) : address_regs (c));
}

/* Destination r/m: a register is written, memory only needs its address. */
static void
writes_rm (Context *c, guint size)
{
  if (rm_is_reg (c))
    writes_sized (c, rm_reg (c, size), size);
  else
    reads (c, address_regs (c));
}

static void
changes_rm (Context *c, guint size)
{
  reads_rm (c, size);
  writes_rm (c, size);
}

static void
changes (Context *c, guint mask)
{
  reads (c, mask);
  touches (c, mask);
}

static void
uses_stack (Context *c)
{
  reads (c, BIT (RSP));
  writes_sized (c, BIT (RSP), 8);
}

/* ---- groups ---- */

/* add or adc sbb and sub xor cmp, by number; @to_reg: r/m is the source. */
static void
do_alu (Context *c, guint number, guint size, gboolean to_reg, gboolean with_reg)
{
  gboolean compare = number == 7;

  if (number == 2 || number == 3)
    reads_flags (c, GILK_FLAG_CF);
  sets_flags (c, ARITH);

  /* xor %r,%r and sub %r,%r do not depend on %r */
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

/* rol ror rcl rcr shl shr sal sar; @count: masked number of bits, -1 in %cl */
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

  /* rcl and rcr by a multiple of their width plus one change nothing */
  if (count > 0 && (number < 2 || number > 3 || count == 1))
    sets_flags (c, flags);
  else if (count != 0)
    may_set_flags (c, flags);
}

static int
shift_count (const Context *c)
{
  return c->bytes[c->op->imm_offset] & (c->op->rex & GILK_REX_W ? 63 : 31);
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

/* movs cmps stos lods scas ins outs, repeated or not */
static void
do_string (Context *c, guint size)
{
  gboolean repeated = (c->op->prefixes & (GILK_PREFIX_F2 | GILK_PREFIX_F3)) != 0;
  guint opcode = c->op->opcode & 0xfe;

  reads_flags (c, GILK_FLAG_DF);
  if (repeated)
    changes (c, BIT (RCX));
  if (opcode != 0xac && opcode != 0x6e)     /* all but lods, outs store or compare at rdi */
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
      reads_flags (c, condition_flags[opcode >> 1 & 7]);
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

/* ---- two-byte opcodes ---- */

static gboolean
do_0f01 (Context *c)
{
  if (!rm_is_reg (c))
    {
      reads (c, address_regs (c));
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
      reads (c, BIT (RAX) | BIT (RCX) | BIT (RDX));
      return TRUE;
    case 0xca:
    case 0xcb:
      sets_flags (c, GILK_FLAG_AC);
      return TRUE;
    case 0xd0:                              /* xgetbv */
    case 0xee:                              /* rdpkru */
      reads (c, BIT (RCX));
      writes_sized (c, BIT (RAX) | BIT (RDX), 4);
      return TRUE;
    case 0xe8:                              /* serialize */
    case 0xf8:                              /* swapgs */
      return TRUE;
    case 0xf9:                              /* rdtscp */
      writes_sized (c, BIT (RAX) | BIT (RCX) | BIT (RDX), 4);
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

  if (!rm_is_reg (c))
    {
      reads (c, address_regs (c));
      if (number >= 4 && number <= 6)       /* xsave, xrstor, xsaveopt; clwb too */
        reads (c, BIT (RAX) | BIT (RDX));
      return !(c->op->prefixes & GILK_PREFIX_F3);
    }
  if (c->op->prefixes & (GILK_PREFIX_66 | GILK_PREFIX_F2))
    return FALSE;
  if (!(c->op->prefixes & GILK_PREFIX_F3))
    return number >= 5;
  if (number < 2)
    writes_rm (c, c->size);
  else if (number < 4)
    reads_rm (c, c->size);

  return number < 4;
}

static gboolean
do_0fc7 (Context *c)
{
  guint number = GILK_MODRM_REG (c->op);

  if (rm_is_reg (c))
    {
      if (number < 6 || c->op->prefixes & (GILK_PREFIX_F2 | GILK_PREFIX_F3))
        return FALSE;
      writes_rm (c, c->size);               /* rdrand, rdseed */
      sets_flags (c, ARITH);
      return TRUE;
    }

  reads (c, address_regs (c));
  if (number == 1)                          /* cmpxchg8b, cmpxchg16b */
    {
      changes (c, BIT (RAX) | BIT (RDX));
      reads (c, BIT (RBX) | BIT (RCX));
      sets_flags (c, GILK_FLAG_ZF);
      return TRUE;
    }

  reads (c, BIT (RAX) | BIT (RDX));         /* xrstors, xsavec, xsaves */
  return number >= 3 && number <= 5;
}

static gboolean
do_system (Context *c, guint opcode)
{
  switch (opcode)
    {
    case 0x00:
      if (GILK_MODRM_REG (c->op) < 4)
        return FALSE;
      reads_rm (c, 2);                      /* verr, verw */
      sets_flags (c, GILK_FLAG_ZF);
      return TRUE;
    case 0x01:
      return do_0f01 (c);
    case 0x02:
    case 0x03:
      reads_rm (c, 2);
      touches (c, reg_operand (c, c->size));
      sets_flags (c, GILK_FLAG_ZF);
      return TRUE;
    case 0x06:
    case 0x08:
    case 0x09:
      return TRUE;
    case 0x0b:                              /* ud2 */
      return TRUE;
    case 0x20:
    case 0x21:
      writes_sized (c, rm_reg (c, 8), 8);
      may_set_flags (c, ARITH);
      return TRUE;
    case 0x22:
    case 0x23:
      reads (c, rm_reg (c, 8));
      may_set_flags (c, ARITH);
      return TRUE;
    case 0x30:
      reads (c, BIT (RAX) | BIT (RCX) | BIT (RDX));
      return TRUE;
    case 0x31:
      writes_sized (c, BIT (RAX) | BIT (RDX), 4);
      return TRUE;
    case 0x32:
    case 0x33:
      reads (c, BIT (RCX));
      writes_sized (c, BIT (RAX) | BIT (RDX), 4);
      return TRUE;
    case 0xa0:
    case 0xa8:
      uses_stack (c);
      return TRUE;
    case 0xa2:
      reads (c, BIT (RAX) | BIT (RCX));
      writes_sized (c, BIT (RAX) | BIT (RBX) | BIT (RCX) | BIT (RDX), 4);
      return TRUE;
    case 0xae:
      return do_0fae (c);
    case 0xb9:                              /* ud1 names a register to its handler */
    case 0xff:
      reads_rm (c, c->size);
      reads (c, reg_operand (c, c->size));
      return TRUE;
    case 0xc7:
      return do_0fc7 (c);
    default:
      return FALSE;
    }
}

/* bt bts btr btc; the memory form with a register index is no different here */
static void
do_bit_test (Context *c, gboolean with_reg, gboolean store)
{
  reads_rm (c, c->size);
  if (with_reg)
    reads (c, reg_operand (c, c->size));
  if (store)
    writes_rm (c, c->size);
  sets_flags (c, ARITH & ~GILK_FLAG_ZF);
}

static gboolean
do_bits (Context *c, guint opcode)
{
  guint reg = reg_operand (c, c->size);

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
      reads_rm (c, c->size);
      writes_sized (c, reg, c->size);
      sets_flags (c, ARITH);
      return TRUE;
    case 0xbc:
    case 0xbd:                              /* tzcnt and lzcnt run as bsf and bsr on old ones */
      reads_rm (c, c->size);
      changes (c, reg);
      sets_flags (c, ARITH);
      return TRUE;
    case 0xa4:
    case 0xac:
    case 0xa5:
    case 0xad:
      reads_rm (c, c->size);
      reads (c, reg);
      touches (c, rm_is_reg (c) ? rm_reg (c, c->size) : 0);
      if (opcode & 1)
        reads (c, BIT (RCX));
      if (!(opcode & 1) && shift_count (c) != 0)
        sets_flags (c, ARITH);
      else if (opcode & 1)
        may_set_flags (c, ARITH);
      return TRUE;
    case 0xc8 ... 0xcf:
      changes (c, opcode_reg (c, c->size));
      return TRUE;
    default:
      return FALSE;
    }
}

static gboolean
do_map_0f (Context *c)
{
  guint opcode = c->op->opcode, size = opcode & 1 ? c->size : 1;

  switch (opcode)
    {
    case 0x0d:                              /* prefetches and hints */
    case 0x18:
      reads (c, address_regs (c));
      return TRUE;
    case 0x19 ... 0x1d:
    case 0x1f:
      return TRUE;
    case 0x1e:                              /* endbr; rdssp writes a register */
      return c->op->modrm == 0xfa || !(c->op->prefixes & GILK_PREFIX_F3);
    case 0x40 ... 0x4f:
      reads_flags (c, condition_flags[opcode >> 1 & 7]);
      reads_rm (c, c->size);
      changes (c, reg_operand (c, c->size));
      return TRUE;
    case 0x80 ... 0x8f:
      reads_flags (c, condition_flags[opcode >> 1 & 7]);
      return TRUE;
    case 0x90 ... 0x9f:
      reads_flags (c, condition_flags[opcode >> 1 & 7]);
      writes_rm (c, 1);
      return TRUE;
    case 0xaf:
      reads_rm (c, c->size);
      changes (c, reg_operand (c, c->size));
      sets_flags (c, ARITH);
      return TRUE;
    case 0xb0:
    case 0xb1:                              /* cmpxchg */
      changes_rm (c, size);
      reads (c, reg_operand (c, size));
      changes (c, BIT (RAX));
      sets_flags (c, ARITH);
      return TRUE;
    case 0xb6:
    case 0xb7:
    case 0xbe:
    case 0xbf:
      reads_rm (c, opcode & 1 ? 2 : 1);
      writes_sized (c, reg_operand (c, c->size), c->size);
      return TRUE;
    case 0xc0:
    case 0xc1:                              /* xadd */
      changes_rm (c, size);
      changes (c, reg_operand (c, size));
      sets_flags (c, ARITH);
      return TRUE;
    case 0xc3:                              /* movnti */
      reads (c, reg_operand (c, c->size) | address_regs (c));
      return TRUE;
    default:
      return do_system (c, opcode) || do_bits (c, opcode);
    }
}

/* movbe, crc32 */
static gboolean
do_map_0f38 (Context *c)
{
  guint opcode = c->op->opcode;

  if (opcode != 0xf0 && opcode != 0xf1)
    return FALSE;

  if (c->op->prefixes & GILK_PREFIX_F2)
    {
      reads_rm (c, opcode & 1 ? c->size : 1);
      changes (c, reg_operand (c, 4));
    }
  else if (opcode == 0xf0)
    {
      reads_rm (c, c->size);
      writes_sized (c, reg_operand (c, c->size), c->size);
    }
  else
    {
      reads (c, reg_operand (c, c->size));
      writes_rm (c, c->size);
    }
  return TRUE;
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
        known = do_map_0f (&c);
      else if (op.map == GILK_MAP_0F38)
        known = do_map_0f38 (&c);
    }

  if (!known)
    set_unknown (effects);
}
