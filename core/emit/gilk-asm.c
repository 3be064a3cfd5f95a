/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-asm.c - assembler: writes x86-64 instructions that run at a given address
 *
 * Encodings follow the Intel manual, volume 2: [lock] [gs] [REX] opcode modrm [sib] [disp] [imm].
 * Branches are always near, so that lengths do not depend on distances and a patch has the same
 * size at any address. The exception is a hop, which is a short jump: the caller must check its
 * distance.
 */
#include "core/emit/gilk-asm.h"

#include <string.h>

#include "ilk/ilk-abi.h"

uint64_t
gilk_asm_here (const GilkAsm *as)
{
  return as->base + as->code->len;
}

void
gilk_asm_part (GilkAsm *as, GilkPart part)
{
  const GilkCodePart begins = { as->code->len, part };

  if (as->parts != NULL)
    g_array_append_val (as->parts, begins);
}

static void
put_byte (GilkAsm *as, guint byte)
{
  uint8_t b = byte;

  g_byte_array_append (as->code, &b, 1);
}

static void
put_u32 (GilkAsm *as, uint32_t value)
{
  value = GUINT32_TO_LE (value);
  g_byte_array_append (as->code, (const uint8_t *) &value, sizeof value);
}

/* Writes the rel32 displacement of an instruction that refers to @target. The instruction has @tail
 * more bytes after the displacement. */
static void
put_rel32 (GilkAsm *as, uint64_t target, guint tail)
{
  int64_t distance = (int64_t) (target - (gilk_asm_here (as) + 4 + tail));

  if (distance != (int32_t) distance)
    as->too_far = TRUE;
  put_u32 (as, (uint32_t) distance);
}

static void
note_unwind (GilkAsm *as)
{
  struct ilk_orc orc = { .offset = as->code->len };

  if (as->orc == NULL || !gilk_orc_at (as->image, as->unwind_as, as->depth, orc.entry))
    return;
  if (as->orc->len > 0)
    {
      const struct ilk_orc *last = &g_array_index (as->orc, struct ilk_orc, as->orc->len - 1);

      if (memcmp (last->entry, orc.entry, sizeof orc.entry) == 0)
        return;
    }

  g_array_append_val (as->orc, orc);
}

static void
begin_insn (GilkAsm *as)
{
  note_unwind (as);
  as->insns++;
}

static guint
make_rex (gboolean wide, guint reg, guint index, guint rm)
{
  return 0x40 | (wide ? 8 : 0) | (reg >> 3 & 1) << 2 | (index >> 3 & 1) << 1 | (rm >> 3 & 1);
}

static void
put_rex (GilkAsm *as, gboolean wide, guint reg, guint rm)
{
  guint rex = make_rex (wide, reg, 0, rm);

  if (rex != 0x40)
    put_byte (as, rex);
}

static void
put_opcode (GilkAsm *as, guint opcode)
{
  if (opcode > 0xff)
    put_byte (as, opcode >> 8);
  put_byte (as, opcode & 0xff);
}

static void
put_modrm_mem (GilkAsm *as, guint reg, GilkMem mem)
{
  guint low = mem.base & 7;
  guint mod = as->bound_only ? 2 : mem.disp == 0 && low != 5 ? 0 : mem.disp == (int8_t) mem.disp ? 1 : 2;
  guint scaled = mem.indexed ? 0xc0 | (mem.index & 7) << 3 : 0x20;

  if (mem.base == GILK_NO_BASE)
    {
      put_byte (as, (reg & 7) << 3 | 4);
      put_byte (as, scaled | 5);
      put_u32 (as, (uint32_t) mem.disp);
      return;
    }

  put_byte (as, mod << 6 | (reg & 7) << 3 | (mem.indexed ? 4 : low));
  if (low == 4 || mem.indexed)
    put_byte (as, scaled | low);
  if (mod == 1)
    put_byte (as, (uint8_t) mem.disp);
  else if (mod == 2)
    put_u32 (as, (uint32_t) mem.disp);
}

/* Writes the REX prefix, if needed, of an instruction with register @reg and memory operand @mem.
 * @is_byte: the register operand is the low byte of @reg, which needs the prefix for some
 * registers */
static void
put_mem_rex (GilkAsm *as, gboolean wide, gboolean is_byte, guint opcode, guint reg, GilkMem mem)
{
  guint rex = make_rex (wide, reg, mem.indexed ? mem.index : 0, mem.base == GILK_NO_BASE ? 0 : (guint) mem.base);

  if (mem.locked)
    put_byte (as, 0xf0);
  if (mem.gs)
    put_byte (as, 0x65);
  if (rex != 0x40 || (is_byte && reg >= 4))
    put_byte (as, rex);
  put_opcode (as, opcode);
  put_modrm_mem (as, reg, mem);
}

static void
put_mem (GilkAsm *as, gboolean wide, guint opcode, guint reg, GilkMem mem)
{
  put_mem_rex (as, wide, FALSE, opcode, reg, mem);
}

void
gilk_asm_raw (GilkAsm *as, const uint8_t *bytes, gsize length)
{
  begin_insn (as);
  g_byte_array_append (as->code, bytes, length);
}

void
gilk_asm_filler (GilkAsm *as, guint length)
{
  while (length-- > 0)
    put_byte (as, 0xcc);
}

void
gilk_asm_push (GilkAsm *as, guint reg)
{
  begin_insn (as);
  put_rex (as, FALSE, 0, reg);
  put_byte (as, 0x50 | (reg & 7));
  as->depth += 8;
}

void
gilk_asm_pop (GilkAsm *as, guint reg)
{
  begin_insn (as);
  put_rex (as, FALSE, 0, reg);
  put_byte (as, 0x58 | (reg & 7));
  as->depth -= 8;
}

void
gilk_asm_pushf (GilkAsm *as)
{
  begin_insn (as);
  put_byte (as, 0x9c);
  as->depth += 8;
}

void
gilk_asm_popf (GilkAsm *as)
{
  begin_insn (as);
  put_byte (as, 0x9d);
  as->depth -= 8;
}

void
gilk_asm_push_mem (GilkAsm *as, GilkMem mem)
{
  begin_insn (as);
  put_mem (as, FALSE, 0xff, 6, mem);
  as->depth += 8;
}

void
gilk_asm_pop_mem (GilkAsm *as, GilkMem mem)
{
  begin_insn (as);
  put_mem (as, FALSE, 0x8f, 0, mem);
  as->depth -= 8;
}

void
gilk_asm_push_addr (GilkAsm *as, uint64_t addr)
{
  begin_insn (as);
  if ((int64_t) addr != (int32_t) addr)
    as->too_far = TRUE;
  put_byte (as, 0x68);
  put_u32 (as, (uint32_t) addr);
  as->depth += 8;
}

void
gilk_asm_drop (GilkAsm *as, guint bytes)
{
  begin_insn (as);
  put_mem (as, TRUE, 0x8d, GILK_RSP, gilk_mem (GILK_RSP, (int32_t) bytes));
  as->depth -= bytes;
}

void
gilk_asm_room (GilkAsm *as, guint bytes)
{
  begin_insn (as);
  put_mem (as, TRUE, 0x8d, GILK_RSP, gilk_mem (GILK_RSP, -(int32_t) bytes));
  as->depth += bytes;
}

void
gilk_asm_mem (GilkAsm *as, gboolean wide, guint opcode, guint reg, GilkMem mem)
{
  begin_insn (as);
  put_mem (as, wide, opcode, reg, mem);
}

void
gilk_asm_store_imm (GilkAsm *as, gboolean wide, int32_t imm, GilkMem mem)
{
  begin_insn (as);
  put_mem (as, wide, 0xc7, 0, mem);
  put_u32 (as, (uint32_t) imm);
}

void
gilk_asm_reg32 (GilkAsm *as, guint opcode, guint reg, guint rm)
{
  begin_insn (as);
  put_rex (as, FALSE, reg, rm);
  put_byte (as, opcode);
  put_byte (as, 0xc0 | (reg & 7) << 3 | (rm & 7));
}

void
gilk_asm_imm32 (GilkAsm *as, guint digit, guint rm, uint32_t imm)
{
  begin_insn (as);
  put_rex (as, FALSE, 0, rm);
  put_byte (as, 0x81);
  put_byte (as, 0xc0 | digit << 3 | (rm & 7));
  put_u32 (as, imm);
}

void
gilk_asm_reg (GilkAsm *as, gboolean wide, guint opcode, guint reg, guint rm)
{
  begin_insn (as);
  put_rex (as, wide, reg, rm);
  put_opcode (as, opcode);
  put_byte (as, 0xc0 | (reg & 7) << 3 | (rm & 7));
}

void
gilk_asm_mov (GilkAsm *as, guint to, guint from)
{
  gilk_asm_reg (as, TRUE, 0x89, from, to);
}

static gboolean
is_short (const GilkAsm *as, int32_t imm)
{
  return !as->bound_only && imm == (int8_t) imm;
}

static void
put_imm (GilkAsm *as, int32_t imm)
{
  if (is_short (as, imm))
    put_byte (as, (uint8_t) imm);
  else
    put_u32 (as, (uint32_t) imm);
}

void
gilk_asm_imm (GilkAsm *as, gboolean wide, guint digit, guint rm, int32_t imm)
{
  gilk_asm_reg (as, wide, is_short (as, imm) ? 0x83 : 0x81, digit, rm);
  put_imm (as, imm);
}

void
gilk_asm_imm_mem (GilkAsm *as, gboolean wide, guint digit, GilkMem mem, int32_t imm)
{
  gilk_asm_mem (as, wide, is_short (as, imm) ? 0x83 : 0x81, digit, mem);
  put_imm (as, imm);
}

void
gilk_asm_test_imm (GilkAsm *as, gboolean wide, guint rm, int32_t imm)
{
  gilk_asm_reg (as, wide, 0xf7, 0, rm);
  put_u32 (as, (uint32_t) imm);
}

void
gilk_asm_imul_imm (GilkAsm *as, guint to, guint from, int32_t imm)
{
  gilk_asm_reg (as, TRUE, is_short (as, imm) ? 0x6b : 0x69, to, from);
  put_imm (as, imm);
}

void
gilk_asm_shift (GilkAsm *as, gboolean wide, guint digit, guint rm, guint count)
{
  gilk_asm_reg (as, wide, 0xc1, digit, rm);
  put_byte (as, count);
}

void
gilk_asm_shift_cl (GilkAsm *as, guint digit, guint rm)
{
  gilk_asm_reg (as, TRUE, 0xd3, digit, rm);
}

void
gilk_asm_unary (GilkAsm *as, guint digit, guint rm)
{
  gilk_asm_reg (as, TRUE, 0xf7, digit, rm);
}

/* Returns the opcode that moves @size bytes and extends them to 64 bits: movsx, movsxd, movzx or
 * mov. */
static guint
get_extend_opcode (guint size, gboolean is_signed)
{
  switch (size)
    {
    case 1: return is_signed ? 0x0fbe : 0x0fb6;
    case 2: return is_signed ? 0x0fbf : 0x0fb7;
    case 4: return is_signed ? 0x63 : 0x8b;
    default: return 0x8b;
    }
}

void
gilk_asm_extend (GilkAsm *as, guint size, gboolean is_signed, guint to, guint from)
{
  guint rex = make_rex (is_signed || size == 8, to, 0, from);

  begin_insn (as);
  if (rex != 0x40 || (size == 1 && from >= 4))
    put_byte (as, rex);
  put_opcode (as, get_extend_opcode (size, is_signed));
  put_byte (as, 0xc0 | (to & 7) << 3 | (from & 7));
}

void
gilk_asm_load (GilkAsm *as, guint size, gboolean is_signed, guint to, GilkMem mem)
{
  gilk_asm_mem (as, is_signed || size == 8, get_extend_opcode (size, is_signed), to, mem);
}

void
gilk_asm_store (GilkAsm *as, guint size, guint from, GilkMem mem)
{
  begin_insn (as);
  if (size == 2)
    put_byte (as, 0x66);
  put_mem_rex (as, size == 8, size == 1, size == 1 ? 0x88 : 0x89, from, mem);
}

void
gilk_asm_mov_imm (GilkAsm *as, guint reg, uint64_t imm)
{
  if (as->bound_only)
    {
      gilk_asm_mov_imm64 (as, reg, imm);
    }
  else if (imm == (uint32_t) imm)
    {
      gilk_asm_mov_imm32 (as, reg, (uint32_t) imm);
    }
  else if ((int64_t) imm == (int32_t) imm)
    {
      gilk_asm_reg (as, TRUE, 0xc7, 0, reg);
      put_u32 (as, (uint32_t) imm);
    }
  else
    {
      gilk_asm_mov_imm64 (as, reg, imm);
    }
}

void
gilk_asm_mov_imm32 (GilkAsm *as, guint reg, uint32_t imm)
{
  begin_insn (as);
  put_rex (as, FALSE, 0, reg);
  put_byte (as, 0xb8 | (reg & 7));
  put_u32 (as, imm);
}

void
gilk_asm_mov_imm64 (GilkAsm *as, guint reg, uint64_t imm)
{
  begin_insn (as);
  put_rex (as, TRUE, 0, reg);
  put_byte (as, 0xb8 | (reg & 7));
  put_u32 (as, (uint32_t) imm);
  put_u32 (as, (uint32_t) (imm >> 32));
}

void
gilk_asm_test_byte (GilkAsm *as, uint64_t addr)
{
  begin_insn (as);
  put_byte (as, 0x80);
  put_byte (as, 0x3d);
  put_rel32 (as, addr, 1);
  put_byte (as, 0);
}

void
gilk_asm_test_bits (GilkAsm *as, uint64_t addr, uint8_t bits)
{
  begin_insn (as);
  put_byte (as, 0xf6);
  put_byte (as, 0x05);
  put_rel32 (as, addr, 1);
  put_byte (as, bits);
}

void
gilk_asm_set_byte (GilkAsm *as, uint64_t addr, uint8_t value)
{
  begin_insn (as);
  put_byte (as, 0xc6);
  put_byte (as, 0x05);
  put_rel32 (as, addr, 1);
  put_byte (as, value);
}

void
gilk_asm_jmp (GilkAsm *as, uint64_t target)
{
  begin_insn (as);
  put_byte (as, 0xe9);
  put_rel32 (as, target, 0);
}

void
gilk_asm_jcc (GilkAsm *as, guint cc, uint64_t target)
{
  begin_insn (as);
  put_byte (as, 0x0f);
  put_byte (as, 0x80 | cc);
  put_rel32 (as, target, 0);
}

void
gilk_asm_hop (GilkAsm *as, guint opcode)
{
  begin_insn (as);
  put_byte (as, opcode);
  put_byte (as, 0);
}

void
gilk_asm_call (GilkAsm *as, uint64_t target)
{
  begin_insn (as);
  put_byte (as, 0xe8);
  put_rel32 (as, target, 0);
}

gsize
gilk_asm_jcc_ahead (GilkAsm *as, guint cc)
{
  gilk_asm_jcc (as, cc, gilk_asm_here (as));

  return as->code->len - 4;
}

gsize
gilk_asm_jmp_ahead (GilkAsm *as)
{
  gilk_asm_jmp (as, gilk_asm_here (as));

  return as->code->len - 4;
}

void
gilk_asm_land_at (GilkAsm *as, gsize branch, gsize offset)
{
  uint32_t distance = GUINT32_TO_LE ((uint32_t) (offset - (branch + 4)));

  memcpy (as->code->data + branch, &distance, sizeof distance);
}

void
gilk_asm_land (GilkAsm *as, gsize branch)
{
  gilk_asm_land_at (as, branch, as->code->len);
}
