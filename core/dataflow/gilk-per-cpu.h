/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-per-cpu.h - which variable of each CPU an operand behind %gs is
 *
 * Private to core/dataflow. Up to Linux 6.14 their addresses are offsets from 0 on, since then they are among the
 * kernel's others. A module's lie behind the kernel's, and nobody says where they end: of them the begin is known.
 *
 * Threads: any.
 */
#pragma once

#include "core/dataflow/gilk-operand.h"
#include "core/target/gilk-symbols.h"

G_BEGIN_DECLS

typedef struct {
  GilkSymbols *symbols;      /* (unowned) */
  uint64_t     start, end;   /* of the kernel's own */
  uint32_t     module;       /* of the function */
} GilkPerCpu;

void              gilk_per_cpu_init (GilkPerCpu *per_cpu, GilkSymbols *symbols, uint32_t module);
/* NULL: it is none, or registers say which. */
const GilkSymbol *gilk_per_cpu_at   (const GilkPerCpu *per_cpu, const GilkOperand *operand);

G_END_DECLS
