/* SPDX-License-Identifier: (GPL-2.0-or-later WITH Linux-syscall-note) */
/*
 * ilk-abi-services.h - what the code of hooks may call
 *
 * A part of ilk-abi.h, which includes it; nobody else does.
 *
 * A service is a function of the driver's, at the address that INFO tells, 0 where this kernel cannot have it. It is
 * called with the guard set (ilk-abi-ring.h), so with preemption off, the direction flag clear, in whatever
 * context the hit is, NMIs too; as any function of C, it may change what a call may change.
 */
#ifndef ILK_ABI_SERVICES_H
#define ILK_ABI_SERVICES_H

#include <linux/types.h>

enum ilk_service {
	/*
	 * u64 stack(u64 *area, u64 elements, u64 point): the number of the stack of this hit in an area of all CPUs,
	 * which keeps each once: 1 and on. 0, and the area's first word goes up by one: there is no room for it.
	 * @point is what stands for the code that calls
	 */
	ILK_SERVICE_STACK	= 0,
	/* void marker(u32 iid, u64 value, u64 name, u64 more): the kernel's own tracers see it as the event ilk:marker.
	 * Its name is up to 15 bytes, in the order of memory. Where RCU is not watching there is none */
	ILK_SERVICE_MARKER	= 1,
	/*
	 * void freeze(u32 iid): no sample comes into the rings any more, until the next claim, if the process that
	 * claimed them has the hook
	 */
	ILK_SERVICE_FREEZE	= 2,
	/*
	 * void crash(u32 iid, u64 text[5]..): the kernel panics with "gilk: " and the text, up to 39 bytes in the order
	 * of memory, if CRASH has allowed it for the hook; else nothing happens
	 */
	ILK_SERVICE_CRASH	= 3,
	/*
	 * u64 event(u32 iid, u64 key): what this CPU's counter of that key holds, which EVENTS has made; or
	 * ILK_EVENT_BAD: it cannot be read here and now
	 */
	ILK_SERVICE_EVENT	= 4,
	/*
	 * void watch(u32 iid, u64 address): what the watch @iid, which has ILK_WATCH_MOVES, is to look at from soon on; 0:
	 * nothing. What is wrong with an address is found out later, and told by WATCH_TELL
	 */
	ILK_SERVICE_WATCH	= 5,
	ILK_SERVICES		= 6,
};

#define ILK_CRASH_WORDS		5	/* of a text */

/*
 * An area of stacks: a header of as many words as an entry has, of which the first counts what found no room;
 * then entries. What an entry is of is in its first word, by a hash; 0: it is free. It is whole once its second
 * word, the number of its addresses, is not 0; they go from within outwards, the first is the point.
 */
#define ILK_STACK_WORDS		64
#define ILK_STACK_DEPTH		(ILK_STACK_WORDS - 2)

#endif /* ILK_ABI_SERVICES_H */
