/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-effects-private.h - helpers to describe effects (private to core/decode)
 *
 * With these, gilk-effects.c and gilk-effects-0f.c read like the opcode maps.
 */
#pragma once

#include "core/decode/gilk-insn.h"
#include "core/decode/gilk-opcode.h"

G_BEGIN_DECLS

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

/* Returns the bit of register @number; ah, ch, dh and bh are parts of rax to rbx. */
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

/* Returns the bits of a memory operand's base and index registers. */
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

/* Notes a destination r/m: a register is written; for memory, only its address registers are
 * read. */
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

/* Note the effects of an opcode of maps 0f and 0f38; return FALSE if it is not described. In
 * gilk-effects-0f.c. */
gboolean gilk_effects_map_0f   (Context *c);
gboolean gilk_effects_map_0f38 (Context *c);

G_END_DECLS
