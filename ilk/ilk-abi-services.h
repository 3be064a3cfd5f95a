/* SPDX-License-Identifier: (GPL-2.0-or-later WITH Linux-syscall-note) */
/*
 * ilk-abi-services.h - functions that the code of hooks may call
 *
 * Part of ilk-abi.h; never included on its own.
 *
 * A service is a function of the driver, at the address in INFO's @services; 0
 * if this kernel cannot provide it. It is called with the guard set (gs_guard in
 * ilk-abi.h), hence with preemption off, and with the direction flag clear, in
 * the context of the hit, which may be an NMI. Like any C function it may
 * clobber the caller-saved registers.
 */
#ifndef ILK_ABI_SERVICES_H
#define ILK_ABI_SERVICES_H

#include <linux/types.h>

enum ilk_service {
	/*
	 * u64 stack(u64 *area, u64 elements, u64 point): stores the stack of
	 * this hit in an area shared by all CPUs, which contains each stack
	 * once, and returns the index of the stack's entry, 1 or more. If the
	 * area is full, returns 0 and increments the area's first word. @point
	 * is the address to record for the calling code.
	 */
	ILK_SERVICE_STACK	= 0,
	/*
	 * void marker(u32 iid, u64 value, u64 name, u64 more): emits the trace
	 * event ilk:marker. The name of the marker, up to 15 bytes, is in @name and @more, in
	 * memory order. Does nothing where RCU is not watching.
	 */
	ILK_SERVICE_MARKER	= 1,
	/*
	 * void freeze(u32 iid): stops all recording until a reader claims the rings again, if the
	 * hook belongs to the process that has claimed them now.
	 */
	ILK_SERVICE_FREEZE	= 2,
	/*
	 * void crash(u32 iid, u64 text[5]..): panics with "gilk: " and the
	 * text, up to 39 bytes in memory order, if CRASH has allowed the hook
	 * to crash the kernel; else does nothing.
	 */
	ILK_SERVICE_CRASH	= 3,
	/*
	 * struct ilk_user_value user(u32 iid, u64 address, u64 how): reads 1, 2, 4 or 8 bytes (@how)
	 * of the current task's memory, without faulting a page in. With ILK_USER_TEXT the 8 bytes
	 * may also extend into a page that cannot be read, after a 0. Fails in a kernel thread, at
	 * an address that is not in the user half, and at a page that is not present.
	 */
	ILK_SERVICE_USER	= 4,
	ILK_SERVICES		= 5,
};

#define ILK_USER_TEXT		(1U << 8)	/* flag of @how: read 8 bytes of a string, or fewer
						 * at its end */

/* Result of user(), in rax and rdx. @value: 0 if @bad, else the bytes, zero-extended */
struct ilk_user_value {
	__u64 value;
	__u64 bad;		/* 1: the memory cannot be read; else 0 */
};

#define ILK_CRASH_WORDS		5	/* number of words of a crash's text */

/*
 * An area that contains stacks starts with a header, which has the size of an entry; the first word
 * of the header counts stacks that did not fit in the area. The rest of the area is an array of
 * entries. The first word of an entry is a hash of its stack; 0: the entry is free. The entry is
 * complete once its second word, the number of addresses, is not 0. Addresses are listed from the
 * innermost outwards; the first one is @point.
 */
#define ILK_STACK_WORDS		64
#define ILK_STACK_DEPTH		(ILK_STACK_WORDS - 2)

#endif /* ILK_ABI_SERVICES_H */
