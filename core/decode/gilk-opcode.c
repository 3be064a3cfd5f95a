/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-opcode.c - splits an x86-64 instruction into its parts
 *
 * The tables correspond to the opcode maps in the Intel SDM, volume 2, appendix A. A whole kernel
 * has some three million instructions; this parser is faster than Capstone, which would print the
 * text of each. tests/bench/graph-truth compares it with binutils.
 */
#include "core/decode/gilk-insn.h"

#include <string.h>

/* The parts that follow an opcode. In the tables below, each opcode has a combination of these
 * bits. */
enum {
  X = 0,                   /* not an instruction in 64-bit mode, or unknown */
  N = 1 << 0,              /* nothing follows */
  M = 1 << 1,              /* ModRM */
  B = 1 << 2,              /* imm8 */
  W = 1 << 3,              /* imm16 */
  Z = 1 << 4,              /* imm32, or imm16 with prefix 66 */
  V = 1 << 5,              /* imm64 with REX.W, else same as Z */
  D = 1 << 6,              /* rel32; not allowed with prefix 66 */
  O = 1 << 7,              /* memory offset of the address size (moffs) */
};

static const uint8_t map_1[256] = {
  /* 00 */ M, M, M, M, B, Z, X, X,  M, M, M, M, B, Z, X, X,
  /* 10 */ M, M, M, M, B, Z, X, X,  M, M, M, M, B, Z, X, X,
  /* 20 */ M, M, M, M, B, Z, X, X,  M, M, M, M, B, Z, X, X,
  /* 30 */ M, M, M, M, B, Z, X, X,  M, M, M, M, B, Z, X, X,
  /* 40 */ X, X, X, X, X, X, X, X,  X, X, X, X, X, X, X, X,
  /* 50 */ N, N, N, N, N, N, N, N,  N, N, N, N, N, N, N, N,
  /* 60 */ X, X, X, M, X, X, X, X,  Z, M|Z, B, M|B, N, N, N, N,
  /* 70 */ B, B, B, B, B, B, B, B,  B, B, B, B, B, B, B, B,
  /* 80 */ M|B, M|Z, X, M|B, M, M, M, M,  M, M, M, M, M, M, M, M,
  /* 90 */ N, N, N, N, N, N, N, N,  N, N, X, N, N, N, N, N,
  /* a0 */ O, O, O, O, N, N, N, N,  B, Z, N, N, N, N, N, N,
  /* b0 */ B, B, B, B, B, B, B, B,  V, V, V, V, V, V, V, V,
  /* c0 */ M|B, M|B, W, N, X, X, M|B, M|Z,  W|B, N, W, N, N, B, X, N,
  /* d0 */ M, M, M, M, X, X, N, N,  M, M, M, M, M, M, M, M,
  /* e0 */ B, B, B, B, B, B, B, B,  D, D, X, B, N, N, N, N,
  /* f0 */ X, N, X, X, N, N, M, M,  N, N, N, N, N, N, M, M,
};

static const uint8_t map_0f[256] = {
  /* 00 */ M, M, M, M, X, N, N, N,  N, N, X, N, X, M, X, X,
  /* 10 */ M, M, M, M, M, M, M, M,  M, M, M, M, M, M, M, M,
  /* 20 */ M, M, M, M, X, X, X, X,  M, M, M, M, M, M, M, M,
  /* 30 */ N, N, N, N, N, N, X, N,  X, X, X, X, X, X, X, X,
  /* 40 */ M, M, M, M, M, M, M, M,  M, M, M, M, M, M, M, M,
  /* 50 */ M, M, M, M, M, M, M, M,  M, M, M, M, M, M, M, M,
  /* 60 */ M, M, M, M, M, M, M, M,  M, M, M, M, M, M, M, M,
  /* 70 */ M|B, M|B, M|B, M|B, M, M, M, N,  M, M, X, X, M, M, M, M,
  /* 80 */ D, D, D, D, D, D, D, D,  D, D, D, D, D, D, D, D,
  /* 90 */ M, M, M, M, M, M, M, M,  M, M, M, M, M, M, M, M,
  /* a0 */ N, N, N, M, M|B, M, M, M,  N, N, N, M, M|B, M, M, M,
  /* b0 */ M, M, M, M, M, M, M, M,  M, M, M|B, M, M, M, M, M,
  /* c0 */ M, M, M|B, M, M|B, M|B, M|B, M,  N, N, N, N, N, N, N, N,
  /* d0 */ M, M, M, M, M, M, M, M,  M, M, M, M, M, M, M, M,
  /* e0 */ M, M, M, M, M, M, M, M,  M, M, M, M, M, M, M, M,
  /* f0 */ M, M, M, M, M, M, M, M,  M, M, M, M, M, M, M, M,
};

int64_t
gilk_opcode_value (const uint8_t *bytes, int offset, guint size)
{
  int8_t  v8;
  int16_t v16;
  int32_t v32;
  int64_t v64;

  switch (size)
    {
    case 1:
      memcpy (&v8, bytes + offset, 1);
      return v8;
    case 2:
      memcpy (&v16, bytes + offset, 2);
      return v16;
    case 4:
      memcpy (&v32, bytes + offset, 4);
      return v32;
    case 8:
      memcpy (&v64, bytes + offset, 8);
      return v64;
    default:
      return 0;
    }
}

/* Returns whether the opcode exists in the legacy three-byte map. */
static gboolean
is_known_0f38 (guint opcode)
{
  return opcode <= 0x0b || opcode == 0x10 || opcode == 0x14 ||
         opcode == 0x15 || opcode == 0x17 ||
         (opcode >= 0x1c && opcode <= 0x1e) ||
         (opcode >= 0x20 && opcode <= 0x25) ||
         (opcode >= 0x28 && opcode <= 0x2b) ||
         (opcode >= 0x30 && opcode <= 0x41) ||
         (opcode >= 0x80 && opcode <= 0x82) ||
         (opcode >= 0xc8 && opcode <= 0xcd) || opcode == 0xcf ||
         (opcode >= 0xdb && opcode <= 0xdf) ||
         opcode == 0xf0 || opcode == 0xf1 ||
         (opcode >= 0xf5 && opcode <= 0xf9);
}

static gboolean
is_known_0f3a (guint opcode)
{
  return (opcode >= 0x08 && opcode <= 0x0f) ||
         (opcode >= 0x14 && opcode <= 0x17) ||
         (opcode >= 0x20 && opcode <= 0x22) ||
         (opcode >= 0x40 && opcode <= 0x44 && opcode != 0x43) ||
         (opcode >= 0x60 && opcode <= 0x63) ||
         opcode == 0xcc || opcode == 0xce || opcode == 0xcf || opcode == 0xdf;
}

/* Returns whether an opcode of VEX map 1 is known: only vector and mask instructions are. */
static gboolean
is_known_vex_0f (guint opcode)
{
  return (opcode >= 0x10 && opcode <= 0x17) ||
         (opcode >= 0x28 && opcode <= 0x2f) ||
         (opcode >= 0x41 && opcode <= 0x4b) ||
         (opcode >= 0x50 && opcode <= 0x7f) ||
         (opcode >= 0x90 && opcode <= 0x93) ||
         opcode == 0x98 || opcode == 0x99 || opcode == 0xae ||
         opcode == 0xc2 || (opcode >= 0xc4 && opcode <= 0xc6) ||
         (opcode >= 0xd0 && opcode <= 0xfe);
}

/* Returns whether the opcode is valid with its ModRM byte; TRUE if all ModRM bytes are valid. */
static gboolean
is_known_extension (const GilkOpcode *op)
{
  guint reg = GILK_MODRM_REG (op);

  if (op->map == GILK_MAP_1)
    switch (op->opcode)
      {
      case 0x8d:
        return GILK_MODRM_MOD (op) != 3;
      case 0x8f:
        return reg == 0;
      case 0xc6:
      case 0xc7:
        return reg == 0 || op->modrm == 0xf8;
      case 0xfe:
        return reg <= 1;
      case 0xff:
        return reg != 7 && !(GILK_MODRM_MOD (op) == 3 && (reg == 3 || reg == 5));
      default:
        return TRUE;
      }

  if (op->map == GILK_MAP_0F)
    switch (op->opcode)
      {
      case 0x00:
        return reg <= 5 || (reg == 6 && op->prefixes & GILK_PREFIX_F2);     /* lkgs */
      case 0xa6:                        /* VIA PadLock: montmul, xsha1, xsha256; xstore, xcrypt */
      case 0xa7:
        return GILK_MODRM_MOD (op) == 3 && GILK_MODRM_RM (op) == 0 && reg <= (op->opcode == 0xa6 ? 2 : 5);
      case 0xba:
        return reg >= 4;
      case 0xc7:
        return reg != 0 && reg != 2;
      case 0xb8:
        return (op->prefixes & GILK_PREFIX_F3) != 0;
      case 0x78:
      case 0x79:
        return !(op->prefixes & (GILK_PREFIX_66 | GILK_PREFIX_F2));
      default:
        return TRUE;
      }

  return TRUE;
}

/* Parses ModRM, SIB and displacement at @i. Returns the offset after them; 0 if truncated. */
static guint
parse_modrm (const uint8_t *bytes, gsize avail, guint i, GilkOpcode *op)
{
  guint mod, rm;

  if (i >= avail)
    return 0;
  op->has_modrm = 1;
  op->modrm = bytes[i++];
  mod = GILK_MODRM_MOD (op);
  rm = GILK_MODRM_RM (op);

  /* mov with a control or debug register ignores the mod bits of ModRM */
  if (mod == 3 || (op->map == GILK_MAP_0F && (op->opcode & 0xfc) == 0x20 &&
                   !(op->prefixes & GILK_PREFIX_VEX)))
    return i;

  if (rm == 4)
    {
      if (i >= avail)
        return 0;
      op->sib = bytes[i++];
    }

  if (mod == 1)
    op->disp_size = 1;
  else if (mod == 2)
    op->disp_size = 4;
  else if (rm == 5 || (rm == 4 && (op->sib & 7) == 5))
    op->disp_size = 4;

  op->rip_relative = mod == 0 && rm == 5;
  if (op->disp_size)
    op->disp_offset = (int8_t) i;

  return i + op->disp_size;
}

/* Returns the size in bytes of the immediate that @kind (bits of the tables above) requires. */
static guint
get_immediate_size (const GilkOpcode *op, guint kind)
{
  guint size = 0;

  if (kind & B)
    size += 1;
  if (kind & W)
    size += 2;
  if (kind & D)
    size += 4;
  if (kind & Z)
    size += op->prefixes & GILK_PREFIX_66 && !(op->rex & GILK_REX_W) ? 2 : 4;
  if (kind & V)
    size += op->rex & GILK_REX_W ? 8 : op->prefixes & GILK_PREFIX_66 ? 2 : 4;
  if (kind & O)
    size += op->prefixes & GILK_PREFIX_67 ? 4 : 8;

  /* of the instructions with opcode f6 or f7, only test r/m, imm has an immediate */
  if (op->map == GILK_MAP_1 && (op->opcode & 0xfe) == 0xf6 && GILK_MODRM_REG (op) <= 1)
    size = op->opcode == 0xf6 ? 1 :
           op->prefixes & GILK_PREFIX_66 && !(op->rex & GILK_REX_W) ? 2 : 4;

  return size;
}

static gboolean
parse_operands (const uint8_t *bytes, gsize avail, guint i, guint kind, GilkOpcode *op)
{
  if (kind == X || (kind & D && op->prefixes & GILK_PREFIX_66))
    return FALSE;

  if (kind & M)
    {
      i = parse_modrm (bytes, avail, i, op);
      if (i == 0 || !is_known_extension (op))
        return FALSE;
    }

  op->imm_size = (uint8_t) get_immediate_size (op, kind);
  if (op->imm_size)
    op->imm_offset = (int8_t) i;
  i += op->imm_size;

  if (i > avail || i > 15)
    return FALSE;

  op->len = (uint8_t) i;
  return TRUE;
}

/* Parses VEX (c4, c5) or EVEX (62); @i is the offset after the first byte. */
static gboolean
parse_vex (const uint8_t *bytes, gsize avail, guint i, guint first, GilkOpcode *op)
{
  guint payload = first == 0xc5 ? 1 : first == 0xc4 ? 2 : 3;
  guint map = 1, kind = M;

  if (op->prefixes & ~(GILK_PREFIX_67 | GILK_PREFIX_GS | GILK_PREFIX_SEG) ||
      op->rex || i + payload + 1 > avail)
    return FALSE;

  op->rex = (uint8_t) (~bytes[i] >> 5 & (first == 0xc5 ? GILK_REX_R : 7));
  if (first != 0xc5)
    {
      map = bytes[i] & (first == 0x62 ? 0x0f : 0x1f);
      op->rex |= (bytes[i + 1] >> 4) & GILK_REX_W;
    }
  if (first == 0x62 && !(bytes[i + 1] & 4))
    return FALSE;

  op->prefixes |= GILK_PREFIX_VEX;
  op->opcode = bytes[i + payload];
  i += payload + 1;
  if (map < 1 || map > 3)
    return FALSE;

  op->map = (uint8_t) map;
  if (map == 1 && !is_known_vex_0f (op->opcode))
    return FALSE;
  if (map == 1 && op->opcode == 0x77)
    kind = N;
  else if (map == 3 || (map == 1 && map_0f[op->opcode] & B))
    kind = M | B;

  return parse_operands (bytes, avail, i, kind, op);
}

/* Returns the bit of a prefix byte; 0 if @byte is not a prefix. */
static guint
get_prefix_bit (guint byte)
{
  switch (byte)
    {
    case 0x66: return GILK_PREFIX_66;
    case 0x67: return GILK_PREFIX_67;
    case 0xf0: return GILK_PREFIX_LOCK;
    case 0xf2: return GILK_PREFIX_F2;
    case 0xf3: return GILK_PREFIX_F3;
    case 0x64:
    case 0x65: return GILK_PREFIX_GS;
    case 0x26:
    case 0x2e:
    case 0x36:
    case 0x3e: return GILK_PREFIX_SEG;
    default:   return 0;
    }
}

static gboolean
parse_0f (const uint8_t *bytes, gsize avail, guint i, GilkOpcode *op)
{
  if (i >= avail)
    return FALSE;

  op->opcode = bytes[i++];
  if (op->opcode != 0x38 && op->opcode != 0x3a)
    {
      op->map = GILK_MAP_0F;
      return parse_operands (bytes, avail, i, map_0f[op->opcode], op);
    }

  op->map = op->opcode == 0x38 ? GILK_MAP_0F38 : GILK_MAP_0F3A;
  if (i >= avail)
    return FALSE;

  op->opcode = bytes[i++];
  if (op->map == GILK_MAP_0F38)
    return is_known_0f38 (op->opcode) && parse_operands (bytes, avail, i, M, op);

  return is_known_0f3a (op->opcode) && parse_operands (bytes, avail, i, M | B, op);
}

gboolean
gilk_opcode_parse (const uint8_t *bytes, gsize avail, GilkOpcode *op)
{
  guint i = 0, bit, byte;

  memset (op, 0, sizeof *op);
  op->disp_offset = op->imm_offset = -1;

  while (i < avail && i < 14 && (bit = get_prefix_bit (bytes[i])) != 0)
    {
      op->prefixes |= (uint8_t) bit;
      i++;
    }

  if (i >= avail)
    return FALSE;
  byte = bytes[i++];

  /* The CPU would ignore a REX that is followed by another prefix: refuse it. */
  if ((byte & 0xf0) == 0x40)
    {
      op->rex = (uint8_t) (GILK_REX_PRESENT | (byte & 15));
      if (i >= avail)
        return FALSE;
      byte = bytes[i++];
    }

  if (byte == 0x0f)
    return parse_0f (bytes, avail, i, op);
  if (byte == 0xc4 || byte == 0xc5 || byte == 0x62)
    return parse_vex (bytes, avail, i, byte, op);

  op->opcode = (uint8_t) byte;
  return parse_operands (bytes, avail, i, map_1[byte], op);
}
