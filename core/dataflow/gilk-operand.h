/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-operand.h - finds what an instruction's operand refers to: memory, a per-CPU variable, code
 * or a string
 *
 * Private to core/dataflow. Uses only the instruction's bytes.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "core/cfg/gilk-cfg.h"
#include "core/decode/gilk-insn.h"
#include "core/image/gilk-symbols.h"

G_BEGIN_DECLS

enum { GILK_NO_REGISTER = 0xff };

typedef struct {
  guint    base, index;      /* register numbers as encoded; GILK_NO_REGISTER: none */
  int64_t  disp;
  uint64_t address;          /* sign-extended displacement of the operand, to which the values of
                              * @base and @index are added */
  uint32_t scale;
  uint32_t size;             /* number of bytes loaded or stored; 0: unknown, or none (lea) */
  gboolean gs, fs;
} GilkOperand;

/* Decodes the memory operand of @insn. Returns FALSE if there is none, or if it uses 32-bit
 * addressing. */
gboolean gilk_operand_memory (const GilkInsn *insn, const uint8_t *bytes, const GilkOpcode *op, GilkOperand *operand);

/*
 * Indirect calls and jumps, and their targets as expressions of the probe language
 *
 * Threads: any. Pure: reads only one graph.
 */

typedef struct {
  guint     insn;            /* index of the call or jump among the graph's instructions */
  gboolean  leaves;          /* the instruction is a jump that leaves the function */
  char     *target;          /* (nullable): expression for the target just before the instruction
                              * runs: "%rax", "*(u64 *) (%rbx + 0x18)"; NULL if the language
                              * cannot express it, or the jump is conditional */
} GilkIndirect;

/**
 * gilk_indirect_in:
 * Finds the indirect calls and jumps of a graph. Calls through a thunk, which hides the register
 * from branch prediction, are included; static calls are not.
 * Returns: (transfer full) (element-type GilkIndirect): in order of address
 */
GArray *gilk_indirect_in (const GilkCfg *cfg);

/*
 * Recognises string literals in memory, and quotes them
 *
 * Threads: any.
 */

enum {
  GILK_LITERAL_BEFORE = 32,     /* number of bytes before a string that gilk_literal() needs to
                                 * recognise the string */
  GILK_LITERAL_MAX   = 288,     /* number of bytes that gilk_literal() needs in total: those before
                                 * the string, and the string itself; longer strings are not
                                 * recognised */
  GILK_LITERAL_SHOWN  = 60,     /* maximum number of characters shown; "..." follows if there are
                                 * more */
};

/*
 * Returns the string at offset @at of @bytes in quotes, with C's escapes. Returns NULL if it is not
 * terminated or contains bytes that are not text, or if it is so short that it could be a number
 * and the bytes around it are not strings. (transfer full)
 */
char *gilk_literal (const uint8_t *bytes, gsize length, gsize at);

/*
 * Finds the per-CPU variable that a %gs operand refers to
 *
 * Private to core/dataflow. Up to Linux 6.14 addresses of per-CPU variables start at 0; in later
 * versions they are ordinary kernel addresses. A module's per-CPU variables follow the kernel's.
 * Their sizes are unknown, so only operands at the start of a variable are named.
 *
 * Threads: any.
 */

typedef struct {
  GilkSymbols *symbols;      /* (unowned) */
  uint64_t     start, end;   /* address range of the kernel's own per-CPU variables */
  uint32_t     module;       /* index of the function's module */
} GilkPerCpu;

void              gilk_per_cpu_init (GilkPerCpu *per_cpu, GilkSymbols *symbols, uint32_t module);
/* Returns the per-CPU variable that the operand refers to; NULL if it refers to none, or if
 * registers are part of its address. */
const GilkSymbol *gilk_per_cpu_at   (const GilkPerCpu *per_cpu, const GilkOperand *operand);

G_END_DECLS
