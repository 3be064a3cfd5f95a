/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-call.h - calls the code of hooks as a function: ILK_PATCH_CALLED
 */
#ifndef ILK_CALL_H
#define ILK_CALL_H

#include <asm/irqflags.h>
#include <asm/processor-flags.h>

#include "ilk-abi.h"
#include "ilk-slot.h"

struct pt_regs;

/**
 * ilk_call() - run the code in a slot
 * @slot: slot of a patch that stays ARMED during the call
 * @regs, @facts: passed to the code
 *
 * Context: Any.
 */
void ilk_call(const struct ilk_slot *slot, struct pt_regs *regs, const struct ilk_watch_access_info *facts);

/*
 * Clears EFLAGS.AC, which is set if the hook is in code that accesses the memory of the process:
 * functions that a service calls must run without AC. Returns the flags for ilk_smap_restore().
 * Always inline, like the service.
 */
static __always_inline unsigned long ilk_smap_save(void)
{
	unsigned long flags = native_save_fl();

	if (unlikely(flags & X86_EFLAGS_AC))
		asm volatile("pushq %0; popfq" : : "r" (flags & ~X86_EFLAGS_AC) : "memory", "cc");
	return flags;
}

static __always_inline void ilk_smap_restore(unsigned long flags)
{
	if (unlikely(flags & X86_EFLAGS_AC))
		asm volatile("pushq %0; popfq" : : "r" (flags) : "memory", "cc");
}

#endif /* ILK_CALL_H */
