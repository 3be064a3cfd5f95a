// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-call.c - calls the code of hooks as a function
 *
 * Runs at a hit, in any context: nothing here may be traced or
 * probed.
 */
#include <linux/kprobes.h>
#include <asm/nospec-branch.h>

#include "ilk-call.h"
#include "ilk-slot.h"
#include "ilk.h"

noinline void ilk_call(const struct ilk_slot *slot, struct pt_regs *regs, const struct ilk_watch_access_info *facts)
{
	unsigned long code = ilk_slot_address(slot);

	asm volatile(CALL_NOSPEC
		     : [thunk_target] "+a" (code), "+D" (regs), "+S" (facts), ASM_CALL_CONSTRAINT
		     : : "rcx", "rdx", "r8", "r9", "r10", "r11", "cc", "memory");
}
NOKPROBE_SYMBOL(ilk_call);
