// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-call.c - calls the code of hooks as a function
 *
 * Runs at a hit, in any context: nothing here may be traced or
 * probed.
 */
#include <linux/kprobes.h>
#include <asm/nospec-branch.h>
#include <asm/processor-flags.h>

#include "ilk-call.h"
#include "ilk-slot.h"
#include "ilk.h"

/*
 * Code with exception-table entries dereferences addresses of the process without checking
 * them. This gives a client no new access: a client that may prepare such code may access any
 * memory. Setting EFLAGS.AC permits the access on machines with SMAP.
 */
noinline void ilk_call(const struct ilk_slot *slot, struct pt_regs *regs, const struct ilk_watch_access_info *facts, bool follows)
{
	unsigned long open = follows ? X86_EFLAGS_AC : 0, shut = ~X86_EFLAGS_AC, code = ilk_slot_address(slot);

	asm volatile("pushfq\n\t"
		     "orq %[open], (%%rsp)\n\t"
		     "popfq\n\t"
		     "push %[shut]\n\t"
		     CALL_NOSPEC
		     "pop %[shut]\n\t"
		     "pushfq\n\t"
		     "andq %[shut], (%%rsp)\n\t"
		     "popfq"
		     : [thunk_target] "+a" (code), "+D" (regs), "+S" (facts), [shut] "+b" (shut), ASM_CALL_CONSTRAINT
		     : [open] "r" (open)
		     : "rcx", "rdx", "r8", "r9", "r10", "r11", "cc", "memory");
}
NOKPROBE_SYMBOL(ilk_call);
