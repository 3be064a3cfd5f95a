/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ilk-smap.h - keeps functions that are called at a hit from accessing user memory */
#ifndef ILK_SMAP_H
#define ILK_SMAP_H

#include <asm/irqflags.h>
#include <asm/processor-flags.h>

/*
 * Clears EFLAGS.AC, which is set if the hook is in code that accesses the memory of the process:
 * functions that a service (a driver function for the code of hooks) calls must run without AC.
 * Returns the flags for ilk_smap_restore(). Always inline, like the service.
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

#endif /* ILK_SMAP_H */
