/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-operand.c - decodes an instruction's memory operand: its address and size
 */
#include "core/dataflow/gilk-operand.h"

/* ---- size ---- */

/* Returns whether the opcode has byte operands. */
static gboolean
is_byte_sized (const GilkOpcode *op)
{
  const guint code = op->opcode;

  if (op->map == GILK_MAP_0F)
    return (code & 0xf7) == 0xb6 || (code & 0xf0) == 0x90 || code == 0xb0 || code == 0xc0;

  return (code < 0x40 && (code & 5) == 0) || code == 0x80 || code == 0x84 || code == 0x86 || code == 0x88 ||
         code == 0x8a || code == 0xc0 || code == 0xc6 || code == 0xd0 || code == 0xd2 || code == 0xf6 || code == 0xfe;
}

/* Returns whether the opcode, in map 0f, is an integer instruction with the usual operand
 * size. */
static gboolean
is_integer_0f (guint code)
{
  return (code & 0xf0) == 0x40 || code == 0xa3 || code == 0xab || code == 0xb3 || code == 0xbb || code == 0xba ||
         code == 0xaf || code == 0xb1 || code == 0xc1 || code == 0xb8 || code == 0xbc || code == 0xbd;
}

static uint32_t
get_access_size (const GilkOpcode *op)
{
  if (op->prefixes & GILK_PREFIX_VEX || op->map > GILK_MAP_0F)
    return 0;
  if (is_byte_sized (op))
    return 1;
  if (op->map == GILK_MAP_0F && (op->opcode & 0xf7) == 0xb7)
    return 2;
  if (op->map == GILK_MAP_0F ? !is_integer_0f (op->opcode) : op->opcode == 0x8d)
    return 0;
  if (op->map == GILK_MAP_1 && op->opcode == 0x63)
    return 4;
  if (op->map == GILK_MAP_1 && op->opcode == 0xff && GILK_MODRM_REG (op) >= 2)
    return 8;
  if (op->rex & GILK_REX_W)
    return 8;

  return op->prefixes & GILK_PREFIX_66 ? 2 : 4;
}

/* ---- address ---- */

/* Finds an fs or gs prefix. Other segment prefixes do nothing. */
static void
find_segment (const uint8_t *bytes, GilkOperand *operand)
{
  for (;; bytes++)
    switch (*bytes)
      {
      case 0x64:
        operand->fs = TRUE;
        break;
      case 0x65:
        operand->gs = TRUE;
        break;
      case 0x26: case 0x2e: case 0x36: case 0x3e: case 0x66: case 0x67: case 0xf0: case 0xf2: case 0xf3:
        break;
      default:
        return;
      }
}

/* Decodes the registers in ModRM and SIB. */
static void
find_registers (const GilkOpcode *op, GilkOperand *operand)
{
  const guint high = op->rex & GILK_REX_B ? 8 : 0;
  const guint index = (op->sib >> 3 & 7) + (op->rex & GILK_REX_X ? 8 : 0);

  if (op->rip_relative)
    return;
  if (GILK_MODRM_RM (op) != 4)
    {
      operand->base = GILK_MODRM_RM (op) + high;
      return;
    }
  if (index != 4)
    {
      operand->index = index;
      operand->scale = 1u << (op->sib >> 6);
    }
  if ((op->sib & 7) != 5 || GILK_MODRM_MOD (op) != 0)
    operand->base = (op->sib & 7) + high;
}

gboolean
gilk_operand_memory (const GilkInsn *insn, const uint8_t *bytes, const GilkOpcode *op, GilkOperand *operand)
{
  if (!op->has_modrm || GILK_MODRM_MOD (op) == 3 || op->prefixes & GILK_PREFIX_67)
    return FALSE;

  *operand = (GilkOperand) { .base = GILK_NO_REGISTER, .index = GILK_NO_REGISTER, .size = get_access_size (op) };
  if (op->prefixes & GILK_PREFIX_GS)
    find_segment (bytes, operand);
  if (op->disp_offset >= 0)
    operand->disp = gilk_opcode_value (bytes, op->disp_offset, op->disp_size);
  operand->address = (uint64_t) operand->disp + (op->rip_relative ? insn->addr + insn->len : 0);
  find_registers (op, operand);

  return TRUE;
}
