/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-per-cpu.c - finds the per-CPU variable that a %gs operand refers to
 */
#include "core/dataflow/gilk-operand.h"

void
gilk_per_cpu_init (GilkPerCpu *per_cpu, GilkSymbols *symbols, uint32_t module)
{
  const GilkSymbol *start = gilk_symbols_by_name (symbols, "__per_cpu_start", NULL);

  *per_cpu = (GilkPerCpu) { .symbols = symbols, .module = module };
  if (start == NULL)
    return;
  per_cpu->start = start->addr;
  per_cpu->end = MAX (gilk_symbols_address (symbols, "__per_cpu_end"), start->addr);
}

const GilkSymbol *
gilk_per_cpu_at (const GilkPerCpu *per_cpu, const GilkOperand *operand)
{
  const uint64_t addr = operand->address;
  const GilkSymbol *symbol;

  if (!operand->gs || operand->base != GILK_NO_REGISTER || operand->index != GILK_NO_REGISTER)
    return NULL;
  symbol = gilk_symbols_covering (per_cpu->symbols, addr);
  if (symbol == NULL)
    return NULL;
  if (addr - per_cpu->start < per_cpu->end - per_cpu->start)
    return symbol->module == 0 && symbol->addr >= per_cpu->start ? symbol : NULL;

  return per_cpu->module != 0 && symbol->module == per_cpu->module && symbol->addr == addr ? symbol : NULL;
}
