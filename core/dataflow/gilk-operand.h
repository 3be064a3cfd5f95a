/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-operand.h - an instruction's memory operand: where it lies, and how many bytes are taken there
 *
 * Private to core/dataflow. From the bytes alone.
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
  uint64_t address;          /* where it is if no register says so, or what is added to them; sign-extended */
  uint32_t scale;
  uint32_t size;             /* bytes that are loaded or stored; 0: not known, or none (lea) */
  gboolean gs, fs;
} GilkOperand;

/* FALSE: it has none, or one with 32-bit addresses. */
gboolean gilk_operand_memory (const GilkInsn *insn, const uint8_t *bytes, const GilkOpcode *op, GilkOperand *operand);

G_END_DECLS
