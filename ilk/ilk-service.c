// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-service.c - implements the services of ilk-abi-services.h, which the code of hooks calls
 *
 * All services run at a hit, in any context, with the re-entry guard of that context set: functions
 * that services call may be hooked, too, but such hits are counted as missed. Services take no
 * lock, and never wait for another CPU. A hook may be in code of the kernel that has enabled access
 * to the process's memory: a service that calls other functions disables the access during the
 * calls, and enables it again before it returns (ilk-smap.h).
 *
 * A stack is stored once in the area of its client. An entry is claimed by one
 * cmpxchg of its hash, filled, and marked as complete by the number of its
 * addresses. If an entry with the right hash is incomplete, or has other addresses, the CPU
 * tries the next entry. So a stack may be stored twice; readers of the area detect this.
 */
#include <linux/jhash.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <linux/stacktrace.h>
#include <linux/uaccess.h>

#include "ilk-crash.h"
#include "ilk-hook.h"
#include "ilk-ring-cpu.h"
#include "ilk-ring-reader.h"
#include "ilk-smap.h"
#include "ilk.h"

#define CREATE_TRACE_POINTS
#include "ilk-trace.h"

#define LOOKS		8	/* maximum number of entries of an area that are searched for a
				 * stack */

static_assert(ILK_STACK_DEPTH <= 64);

/* ---- the service that stores a stack ----------------------------------------- */

static u64 hash_stack(const unsigned long *addresses, unsigned int n)
{
	u64 low = jhash2((const u32 *)addresses, n * 2, n), high = jhash2((const u32 *)addresses, n * 2, ~n);

	return (high << 32 | low) ?: 1;
}

/* Stores a stack in @entry if it is free. Returns whether @entry contains this stack now. */
static bool claim_entry(u64 *entry, u64 hash, const unsigned long *addresses, unsigned int n)
{
	u64 was = READ_ONCE(entry[0]);
	unsigned int i;

	if (!was)
		was = cmpxchg(&entry[0], 0, hash);
	if (was && was != hash)
		return false;
	if (!was) {
		for (i = 0; i < n; i++)
			WRITE_ONCE(entry[2 + i], addresses[i]);
		smp_store_release(&entry[1], n);	/* pairs with the load below, and with
							 * readers of the area */
		return true;
	}
	if (smp_load_acquire(&entry[1]) != n)
		return false;
	for (i = 0; i < n; i++)
		if (READ_ONCE(entry[2 + i]) != addresses[i])
			return false;
	return true;
}

static __always_inline u64 intern_stack(u64 *area, u64 elements, u64 point)
{
	unsigned long addresses[ILK_STACK_DEPTH];
	u64 entries = elements / ILK_STACK_WORDS - 1, hash, at;
	/* Skip the first entry, which is this function. */
	unsigned int n = stack_trace_save(addresses, ILK_STACK_DEPTH, 1), look;

	if (!n || elements < 2 * ILK_STACK_WORDS)
		return 0;
	addresses[0] = point;
	hash = hash_stack(addresses, n);
	at = (u32)hash % entries;
	for (look = 0; look < min_t(u64, LOOKS, entries); look++) {
		if (claim_entry(area + (1 + at) * ILK_STACK_WORDS, hash, addresses, n))
			return 1 + at;
		at = at + 1 < entries ? at + 1 : 0;
	}
	arch_atomic64_inc((atomic64_t *)area);
	return 0;
}

static u64 service_stack(u64 *area, u64 elements, u64 point)
{
	unsigned long open = ilk_smap_save();
	u64 name = intern_stack(area, elements, point);

	ilk_smap_restore(open);
	return name;
}
NOKPROBE_SYMBOL(service_stack);

/* ---- the service that reads user memory ------------------------------------------- */

/*
 * Reads the bytes from @address to the end of its page, if these are fewer than 8. Returns whether
 * they contain the final 0 of a string.
 */
static __always_inline bool read_to_page_end(u64 *value, const void __user *address)
{
	size_t size = PAGE_SIZE - offset_in_page(address);

	return size < sizeof(*value) && !copy_from_user_nofault(value, address, size) &&
	       memchr(value, 0, size);
}

/*
 * Implements ILK_SERVICE_USER. copy_from_user_nofault() may be called in any context: it fails if a
 * page is not present, in a kernel thread, and in an NMI that may have interrupted a switch of the
 * address space. Check the address first: since Linux 6.4 that function warns about addresses that
 * are not canonical.
 */
static struct ilk_user_value service_user(u32 iid, u64 address, u64 how)
{
	const void __user *from = (const void __user *)address;
	const size_t size = how & ~(u64)ILK_USER_TEXT;
	struct ilk_user_value read = { 0, 1 };
	unsigned long open = ilk_smap_save();
	u64 value = 0;

	if (size && size <= sizeof(value) && address <= TASK_SIZE_MAX - size &&
	    (!copy_from_user_nofault(&value, from, size) ||
	     (how & ILK_USER_TEXT && read_to_page_end(&value, from))))
		read = (struct ilk_user_value){ value, 0 };
	ilk_smap_restore(open);
	return read;
}
NOKPROBE_SYMBOL(service_user);

/* ---- other services ------------------------------------------------------------------- */

static void service_marker(u32 iid, u64 value, u64 name, u64 more)
{
	const u64 text[2] = { name, more & ~0ULL >> 8 };
	unsigned long open = ilk_smap_save();

	if (rcu_is_watching())
		trace_marker(iid, value, (const char *)text);
	ilk_smap_restore(open);
}
NOKPROBE_SYMBOL(service_marker);

static void service_freeze(u32 iid)
{
	struct ilk_hook *hook = ilk_hook_find(iid);

	/*
	 * Compare processes, not open files: the process may read the rings through another open
	 * file of the device.
	 */
	if (hook && READ_ONCE(ilk_rings.pid) == hook->pid)
		ilk_ring_halt();
}
NOKPROBE_SYMBOL(service_freeze);

void ilk_service_info(struct ilk_info *info)
{
	info->services[ILK_SERVICE_STACK] = (u64)service_stack;
	info->services[ILK_SERVICE_MARKER] = (u64)service_marker;
	info->services[ILK_SERVICE_FREEZE] = (u64)service_freeze;
	info->services[ILK_SERVICE_CRASH] = (u64)ilk_service_crash;
	info->services[ILK_SERVICE_USER] = (u64)service_user;
}
