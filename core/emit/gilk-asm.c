/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-asm.c - writes x86-64 instructions for one address
 *
 * Encodings after the Intel manual, volume 2: [gs] [REX] opcode modrm [sib]
 * [disp] [imm]. Branches are always near, so that lengths do not depend on
 * distances and a patch has the same size wherever it goes.
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
put (GilkAsm *as, guint byte)
{
  uint8_t b = byte;

  g_byte_array_append (as->code, &b, 1);
}

static void
put32 (GilkAsm *as, uint32_t value)
{
  value = GUINT32_TO_LE (value);
  g_byte_array_append (as->code, (const uint8_t *) &value, sizeof value);
}

/* Displacement to @target of an instruction that ends @tail bytes behind it. */
static void
put_rel32 (GilkAsm *as, uint64_t target, guint tail)
{
  int64_t distance = (int64_t) (target - (gilk_asm_here (as) + 4 + tail));

  if (distance != (int32_t) distance)
    as->too_far = TRUE;
  put32 (as, (uint32_t) distance);
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
begin (GilkAsm *as)
{
  note_unwind (as);
  as->insns++;
}

static void
put_rex (GilkAsm *as, gboolean wide, guint reg, guint rm)
{
  guint rex = 0x40 | (wide ? 8 : 0) | (reg >> 3 & 1) << 2 | (rm >> 3 & 1);

  if (rex != 0x40)
    put (as, rex);
}

static void
put_modrm_mem (GilkAsm *as, guint reg, GilkMem mem)
{
  guint low = mem.base & 7;
  guint mod = mem.disp == 0 && low != 5 ? 0 : mem.disp == (int8_t) mem.disp ? 1 : 2;

  if (mem.base == GILK_NO_BASE)
    {
      put (as, (reg & 7) << 3 | 4);
      put (as, 0x25);
      put32 (as, (uint32_t) mem.disp);
      return;
    }

  put (as, mod << 6 | (reg & 7) << 3 | low);
  if (low == 4)
    put (as, 0x24);
  if (mod == 1)
    put (as, (uint8_t) mem.disp);
  else if (mod == 2)
    put32 (as, (uint32_t) mem.disp);
}

static void
put_mem (GilkAsm *as, gboolean wide, guint opcode, guint reg, GilkMem mem)
{
  if (mem.gs)
    put (as, 0x65);
  put_rex (as, wide, reg, mem.base == GILK_NO_BASE ? 0 : (guint) mem.base);
  if (opcode > 0xff)
    put (as, opcode >> 8);
  put (as, opcode & 0xff);
  put_modrm_mem (as, reg, mem);
}

void
gilk_asm_raw (GilkAsm *as, const uint8_t *bytes, gsize length)
{
  begin (as);
  g_byte_array_append (as->code, bytes, length);
}

void
gilk_asm_filler (GilkAsm *as, guint length)
{
  while (length-- > 0)
    put (as, 0xcc);
}

void
gilk_asm_push (GilkAsm *as, guint reg)
{
  begin (as);
  put_rex (as, FALSE, 0, reg);
  put (as, 0x50 | (reg & 7));
  as->depth += 8;
}

void
gilk_asm_pop (GilkAsm *as, guint reg)
{
  begin (as);
  put_rex (as, FALSE, 0, reg);
  put (as, 0x58 | (reg & 7));
  as->depth -= 8;
}

void
gilk_asm_pushf (GilkAsm *as)
{
  begin (as);
  put (as, 0x9c);
  as->depth += 8;
}

void
gilk_asm_popf (GilkAsm *as)
{
  begin (as);
  put (as, 0x9d);
  as->depth -= 8;
}

void
gilk_asm_push_mem (GilkAsm *as, GilkMem mem)
{
  begin (as);
  put_mem (as, FALSE, 0xff, 6, mem);
  as->depth += 8;
}

void
gilk_asm_pop_mem (GilkAsm *as, GilkMem mem)
{
  begin (as);
  put_mem (as, FALSE, 0x8f, 0, mem);
  as->depth -= 8;
}

void
gilk_asm_push_addr (GilkAsm *as, uint64_t addr)
{
  begin (as);
  if ((int64_t) addr != (int32_t) addr)
    as->too_far = TRUE;
  put (as, 0x68);
  put32 (as, (uint32_t) addr);
  as->depth += 8;
}

void
gilk_asm_drop (GilkAsm *as, guint bytes)
{
  begin (as);
  put_mem (as, TRUE, 0x8d, GILK_RSP, gilk_mem (GILK_RSP, (int32_t) bytes));
  as->depth -= bytes;
}

void
gilk_asm_mem (GilkAsm *as, gboolean wide, guint opcode, guint reg, GilkMem mem)
{
  begin (as);
  put_mem (as, wide, opcode, reg, mem);
}

void
gilk_asm_store_imm (GilkAsm *as, gboolean wide, int32_t imm, GilkMem mem)
{
  begin (as);
  put_mem (as, wide, 0xc7, 0, mem);
  put32 (as, (uint32_t) imm);
}

void
gilk_asm_reg32 (GilkAsm *as, guint opcode, guint reg, guint rm)
{
  begin (as);
  put_rex (as, FALSE, reg, rm);
  put (as, opcode);
  put (as, 0xc0 | (reg & 7) << 3 | (rm & 7));
}

void
gilk_asm_imm32 (GilkAsm *as, guint digit, guint rm, uint32_t imm)
{
  begin (as);
  put_rex (as, FALSE, 0, rm);
  put (as, 0x81);
  put (as, 0xc0 | digit << 3 | (rm & 7));
  put32 (as, imm);
}

void
gilk_asm_mov_imm32 (GilkAsm *as, guint reg, uint32_t imm)
{
  begin (as);
  put_rex (as, FALSE, 0, reg);
  put (as, 0xb8 | (reg & 7));
  put32 (as, imm);
}

void
gilk_asm_mov_imm64 (GilkAsm *as, guint reg, uint64_t imm)
{
  begin (as);
  put_rex (as, TRUE, 0, reg);
  put (as, 0xb8 | (reg & 7));
  put32 (as, (uint32_t) imm);
  put32 (as, (uint32_t) (imm >> 32));
}

void
gilk_asm_test_byte (GilkAsm *as, uint64_t addr)
{
  begin (as);
  put (as, 0x80);
  put (as, 0x3d);
  put_rel32 (as, addr, 1);
  put (as, 0);
}

void
gilk_asm_test_bits (GilkAsm *as, uint64_t addr, uint8_t bits)
{
  begin (as);
  put (as, 0xf6);
  put (as, 0x05);
  put_rel32 (as, addr, 1);
  put (as, bits);
}

void
gilk_asm_jmp (GilkAsm *as, uint64_t target)
{
  begin (as);
  put (as, 0xe9);
  put_rel32 (as, target, 0);
}

void
gilk_asm_jcc (GilkAsm *as, guint cc, uint64_t target)
{
  begin (as);
  put (as, 0x0f);
  put (as, 0x80 | cc);
  put_rel32 (as, target, 0);
}

void
gilk_asm_call (GilkAsm *as, uint64_t target)
{
  begin (as);
  put (as, 0xe8);
  put_rel32 (as, target, 0);
}

gsize
gilk_asm_jcc_ahead (GilkAsm *as, guint cc)
{
  gilk_asm_jcc (as, cc, gilk_asm_here (as));

  return as->code->len - 4;
}

void
gilk_asm_land (GilkAsm *as, gsize branch)
{
  uint32_t distance = GUINT32_TO_LE ((uint32_t) (as->code->len - (branch + 4)));

  memcpy (as->code->data + branch, &distance, sizeof distance);
}
