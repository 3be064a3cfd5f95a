/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-per-cpu.h - finds the per-CPU variable that a %gs operand refers to
 *
 * Private to core/dataflow. Up to Linux 6.14 addresses of per-CPU variables start at 0; later they
 * are among the kernel's other addresses. A module's per-CPU variables follow the kernel's. Their
 * sizes are unknown, so only operands at the start of a variable are named.
 *
 * Threads: any.
 */
#pragma once

#include "core/dataflow/gilk-operand.h"
#include "core/image/gilk-symbols.h"

G_BEGIN_DECLS

typedef struct {
  GilkSymbols *symbols;      /* (unowned) */
  uint64_t     start, end;   /* range of the kernel's own variables */
  uint32_t     module;       /* index of the function's module */
} GilkPerCpu;

void              gilk_per_cpu_init (GilkPerCpu *per_cpu, GilkSymbols *symbols, uint32_t module);
/* Returns NULL if the operand is not a per-CPU variable, or if registers are part of its
 * address. */
const GilkSymbol *gilk_per_cpu_at   (const GilkPerCpu *per_cpu, const GilkOperand *operand);

G_END_DECLS
