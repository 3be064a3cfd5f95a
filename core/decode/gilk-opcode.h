/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-opcode.h - splits an x86-64 instruction into its parts (private to core/decode)
 *
 * Determines an instruction's length from prefixes, opcode maps and ModRM, but not its meaning.
 * Fast enough to scan a whole kernel: no state, no text, no allocation. Unlisted encodings are
 * refused.
 *
 * Threads: any. On failure @op is undefined.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum {
  GILK_MAP_1,              /* one-byte opcodes */
  GILK_MAP_0F,
  GILK_MAP_0F38,
  GILK_MAP_0F3A,
} GilkMap;

enum {                      /* GilkOpcode.prefixes */
  GILK_PREFIX_66   = 1 << 0,
  GILK_PREFIX_F2   = 1 << 1,
  GILK_PREFIX_F3   = 1 << 2,
  GILK_PREFIX_LOCK = 1 << 3,
  GILK_PREFIX_67   = 1 << 4,
  GILK_PREFIX_GS   = 1 << 5,    /* gs or fs */
  GILK_PREFIX_VEX  = 1 << 6,    /* VEX or EVEX */
  GILK_PREFIX_SEG  = 1 << 7,    /* cs, ds, es, ss: ignored in 64-bit mode */
};

enum {                      /* GilkOpcode.rex */
  GILK_REX_B = 1, GILK_REX_X = 2, GILK_REX_R = 4, GILK_REX_W = 8,
  GILK_REX_PRESENT = 0x40,
};

typedef struct {
  uint8_t len;
  uint8_t map;             /* GilkMap */
  uint8_t opcode;
  uint8_t prefixes;
  uint8_t rex;             /* REX prefix, or the same bits from a VEX prefix */
  uint8_t has_modrm;
  uint8_t modrm, sib;
  int8_t  disp_offset, imm_offset;    /* -1 none */
  uint8_t disp_size, imm_size;        /* sizes in bytes; imm_size is also the size of a branch
                                       * displacement */
  uint8_t rip_relative;
} GilkOpcode;

#define GILK_MODRM_MOD(op)  ((op)->modrm >> 6)
#define GILK_MODRM_REG(op)  (((op)->modrm >> 3) & 7)
#define GILK_MODRM_RM(op)   ((op)->modrm & 7)

/* Returns FALSE if the encoding is unknown or longer than @avail bytes. */
gboolean gilk_opcode_parse (const uint8_t *bytes, gsize avail, GilkOpcode *op);

/* Returns the immediate or displacement at @offset, sign-extended. */
int64_t  gilk_opcode_value (const uint8_t *bytes, int offset, guint size);

G_END_DECLS
