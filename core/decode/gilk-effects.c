/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-effects.c - finds the registers and flags that an instruction reads and writes
 *
 * Liveness analysis uses this to find what a patch need not save, so errors are allowed in one
 * direction only: too many registers and flags may be reported as read or touched, and too few as
 * written. An instruction is "unknown" unless its opcode is described here. Vector and x87
 * instructions stay unknown: the kernel has few of them.
 *
 * Rules of the architecture that matter: 32-bit results clear the upper half, so they count as full
 * writes; 8- and 16-bit results do not. A shift by %cl may be by 0 and leave the flags unchanged.
 * bsf and bsr leave their destination unchanged if the source is 0, and the kernel relies on that.
 *
 * tests/unit/test-insn compares these effects with those of instructions that it executes on the
 * local CPU.
 */
#include <string.h>

#include "core/decode/gilk-insn.h"

/* Short names of register numbers, so that the functions below read like the opcode maps. */

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI };

#define BIT(r)   GILK_REG_BIT (r)
#define ARITH    GILK_FLAGS_ARITH

typedef struct {
  const uint8_t    *bytes;
  const GilkOpcode *op;
  GilkEffects      *fx;
  guint             size;  /* operand size in bytes */
} Context;

/* Returns the flags that the condition in the low four bits of @opcode reads. */
static inline guint
get_condition_flags (guint opcode)
{
  static const uint16_t flags[8] = {
    GILK_FLAG_OF, GILK_FLAG_CF, GILK_FLAG_ZF, GILK_FLAG_CF | GILK_FLAG_ZF,
    GILK_FLAG_SF, GILK_FLAG_PF, GILK_FLAG_SF | GILK_FLAG_OF,
    GILK_FLAG_ZF | GILK_FLAG_SF | GILK_FLAG_OF,
  };

  return flags[opcode >> 1 & 7];
}

static inline void
set_unknown (GilkEffects *fx)
{
  *fx = (GilkEffects) {
    .regs_read = GILK_REGS_ALL, .regs_touched = GILK_REGS_ALL,
    .flags_read = GILK_FLAGS_ALL, .flags_touched = GILK_FLAGS_ALL,
  };
}

static inline void
note_read (Context *c, guint mask)
{
  c->fx->regs_read |= (uint16_t) mask;
}

/* Notes that the registers in @mask are written by a result of @size bytes. */
static inline void
note_written (Context *c, guint mask, guint size)
{
  c->fx->regs_touched |= (uint16_t) mask;
  if (size >= 4)
    c->fx->regs_written |= (uint16_t) mask;
}

static inline void
note_touched (Context *c, guint mask)
{
  c->fx->regs_touched |= (uint16_t) mask;
}

static inline void
note_flags_set (Context *c, guint mask)
{
  c->fx->flags_written |= (uint16_t) mask;
  c->fx->flags_touched |= (uint16_t) mask;
}

static inline void
note_flags_touched (Context *c, guint mask)
{
  c->fx->flags_touched |= (uint16_t) mask;
}

static inline void
note_flags_read (Context *c, guint mask)
{
  c->fx->flags_read |= (uint16_t) mask;
}

/* Returns the mask bit of register @number; ah, ch, dh and bh are parts of rax to rbx. */
static inline guint
get_reg_bit (const Context *c, guint number, guint size)
{
  if (size == 1 && !(c->op->rex & GILK_REX_PRESENT) && number >= 4 && number < 8)
    number -= 4;

  return BIT (number);
}

static inline guint
get_reg_operand (const Context *c, guint size)
{
  return get_reg_bit (c, GILK_MODRM_REG (c->op) | (c->op->rex & GILK_REX_R ? 8 : 0), size);
}

static inline guint
get_opcode_reg (const Context *c, guint size)
{
  return get_reg_bit (c, (c->op->opcode & 7) | (c->op->rex & GILK_REX_B ? 8 : 0), size);
}

static inline gboolean
is_rm_reg (const Context *c)
{
  return GILK_MODRM_MOD (c->op) == 3;
}

/* Returns the mask bits of the base and index registers of a memory operand's address. */
static inline guint
get_address_regs (const Context *c)
{
  const GilkOpcode *op = c->op;
  guint mask = 0, index;

  if (is_rm_reg (c) || op->rip_relative)
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

static inline guint
get_rm_reg (const Context *c, guint size)
{
  return get_reg_bit (c, GILK_MODRM_RM (c->op) | (c->op->rex & GILK_REX_B ? 8 : 0), size);
}

static inline void
note_rm_read (Context *c, guint size)
{
  note_read (c, is_rm_reg (c) ? get_rm_reg (c, size) : get_address_regs (c));
}

/* Notes the effects of an r/m operand that is the destination. A register operand is written. For a
 * memory operand, only the registers of its address are read. */
static inline void
note_rm_written (Context *c, guint size)
{
  if (is_rm_reg (c))
    note_written (c, get_rm_reg (c, size), size);
  else
    note_read (c, get_address_regs (c));
}

static inline void
note_rm_changed (Context *c, guint size)
{
  note_rm_read (c, size);
  note_rm_written (c, size);
}

static inline void
note_changed (Context *c, guint mask)
{
  note_read (c, mask);
  note_touched (c, mask);
}

static inline void
note_stack_use (Context *c)
{
  note_read (c, BIT (RSP));
  note_written (c, BIT (RSP), 8);
}

static inline int
get_shift_count (const Context *c)
{
  return c->bytes[c->op->imm_offset] & (c->op->rex & GILK_REX_W ? 63 : 31);
}

/* ---- the maps 0f and 0f 38 ---- */

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

/* Notes the effects of opcode 0f ae: fences, cache line flushes, xsave, fs and gs base. */
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

/* Notes the effects of bt, bts, btr, btc. With a register index, these may access memory outside
 * their operand; effects are on registers and flags only, so this makes no difference. */
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
    case 0xbd:                              /* tzcnt, lzcnt; old CPUs execute them as bsf, bsr */
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

/* Notes the effects of a two-byte opcode (map 0f); returns FALSE if the opcode is not described
 * here. */
static gboolean
describe_0f (Context *c)
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
    case 0x1e:                              /* endbr; FALSE for rdssp, which writes a register */
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

/* Notes the effects of movbe and crc32; returns FALSE for all other opcodes of map 0f 38. */
static gboolean
describe_0f38 (Context *c)
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

/* ---- groups ---- */

/* Notes the effects of ADD, OR, ADC, SBB, AND, SUB, XOR or CMP, which @number selects. @to_reg:
 * the register is the destination */
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

/* Notes the effects of a rotate or shift. @count: masked number of bits; -1: the count is in %cl */
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

  /* rotation through carry (rcl, rcr) by a multiple of width + 1 changes nothing */
  if (count > 0 && (number < 2 || number > 3 || count == 1))
    note_flags_set (c, flags);
  else if (count != 0)
    note_flags_touched (c, flags);
}

/* Notes the effects of opcodes f6 and f7: TEST, NOT, NEG, MUL, IMUL, DIV, IDIV. */
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

/* Notes the effects of opcodes fe and ff: inc, dec, call, jmp, push. */
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

/* Notes the effects of movs, cmps, stos, lods, scas, ins and outs, with or without a rep prefix. */
static void
do_string (Context *c, guint size)
{
  gboolean repeated = (c->op->prefixes & (GILK_PREFIX_F2 | GILK_PREFIX_F3)) != 0;
  guint opcode = c->op->opcode & 0xfe;

  note_flags_read (c, GILK_FLAG_DF);
  if (repeated)
    note_changed (c, BIT (RCX));
  if (opcode != 0xac && opcode != 0x6e)     /* lods and outs do not use rdi */
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
        note_flags_touched (c, ARITH);      /* flags are unchanged if rcx is 0 */
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
        known = describe_0f (&c);
      else if (op.map == GILK_MAP_0F38)
        known = describe_0f38 (&c);
    }

  if (!known)
    set_unknown (effects);
}
