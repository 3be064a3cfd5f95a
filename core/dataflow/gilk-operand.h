/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-operand.h - an instruction's memory operand: its address and size
 *
 * Private to core/dataflow. Decodes the bytes alone.
 *
 * Threads: any.
 */
#pragma once

#include "core/decode/gilk-insn.h"
#include "core/decode/gilk-opcode.h"

G_BEGIN_DECLS

enum { GILK_NO_REGISTER = 0xff };

typedef struct {
  guint    base, index;      /* the machine's numbers; GILK_NO_REGISTER: none */
  int64_t  disp;
  uint64_t address;          /* sign-extended; registers, if there are any, are added to it */
  uint32_t scale;
  uint32_t size;             /* bytes loaded or stored; 0: unknown, or none (lea) */
  gboolean gs, fs;
} GilkOperand;

/* Returns FALSE without a memory operand, or if it has 32-bit addresses. */
gboolean gilk_operand_memory (const GilkInsn *insn, const uint8_t *bytes, const GilkOpcode *op, GilkOperand *operand);

G_END_DECLS
