// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-watch-check.c - checks which data may be watched
 *
 * A debug register does no harm to the watched data, but a debug exception on
 * the path to its own handler restarts that path, on the same stack. The kernel refuses data
 * that every machine reads on that path; this file refuses data that a mitigation reads there on
 * some machines only.
 */
#include <linux/module.h>
#include <linux/percpu.h>

#include "ilk-compat.h"
#include "ilk-kernel.h"
#include "ilk-ring-cpu.h"
#include "ilk-ring-reader.h"
#include "ilk-watch.h"
#include "ilk.h"

/* Denied per-CPU variables, and how many bytes of each are denied. */
static const struct {
	const char *name;
	u32 bytes;
} denied[] = {
	/* Read on entry, before the debug registers are disabled. */
	{ "x86_spec_ctrl_current", 8 }, { "__x86_call_depth", 8 }, { "cpu_dr7", 8 },
	{ "nmi_state", 4 }, { "nmi_cr2", 8 }, { "nmi_dr7", 8 },
	/* Used by the interrupt that removes a breakpoint: the interrupt would raise itself
	 * again. */
	{ "raised_list", 8 }, { "lazy_list", 8 },
};

static bool ranges_overlap(unsigned long address, u32 bytes, unsigned long other, u32 other_bytes)
{
	return address < other + other_bytes && other < address + bytes;
}

static bool overlaps_per_cpu(unsigned long address, u32 bytes, const void *variable, u32 variable_bytes)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (ranges_overlap(address, bytes,
				   (unsigned long)per_cpu_ptr((const void __percpu *)(unsigned long)variable, cpu), variable_bytes))
			return true;
	return false;
}

/*
 * Returns the address of a denied variable, or NULL. Must be called with ilk_mutex
 * held. Symbols are looked up once: they do not change, and the search takes
 * long on kernels that do not sort them.
 */
static const void *get_denied_variable(u32 i)
{
	static const void *found[ARRAY_SIZE(denied)];
	static bool looked;
	u32 each;

	for (each = 0; !looked && each < ARRAY_SIZE(denied); each++)
		found[each] = ilk_kernel_data(denied[each].name);
	looked = true;
	return found[i];
}

static bool is_entry_text(unsigned long address, u32 bytes)
{
	const void *variable;
	u32 i;

#ifdef ILK_HAVE_PCPU_HOT
	if (overlaps_per_cpu(address, bytes, (const void *)ilk_preempt_count_offset(), sizeof(struct pcpu_hot)))
		return true;
#endif
	for (i = 0; i < ARRAY_SIZE(denied); i++) {
		variable = get_denied_variable(i);
		if (variable && overlaps_per_cpu(address, bytes, variable, denied[i].bytes))
			return true;
	}
	return false;
}

/* Returns whether these are bytes of the driver: its own data, or a CPU's ring and its state. */
static bool is_own_data(unsigned long address, u32 bytes)
{
	bool in_ring = false;
	int cpu;

	if (within_module(address, THIS_MODULE) ||
	    overlaps_per_cpu(address, bytes, (const void *)(unsigned long)&ilk_ring, sizeof(struct ilk_ring)))
		return true;
	mutex_lock(&ilk_reader_mutex);
	for_each_possible_cpu(cpu)
		in_ring |= ilk_rings.drains[cpu].area &&
			   ranges_overlap(address, bytes, (unsigned long)ilk_rings.drains[cpu].area, ilk_rings.bytes);
	mutex_unlock(&ilk_reader_mutex);
	return in_ring;
}

unsigned long ilk_watch_address(const struct ilk_watch *item, int cpu)
{
	if (!(item->flags & ILK_WATCH_PER_CPU))
		return item->address;
	return (unsigned long)per_cpu_ptr((void __percpu *)(unsigned long)item->address,
					  item->cpu == ILK_WATCH_EACH_CPU ? cpu : item->cpu);
}

/**
 * ilk_watch_check_address() - check whether an address may be watched
 * @item: how to watch the address; already validated
 * @address: the address
 *
 * Context: Process context, ilk_mutex held.
 */
enum ilk_refusal ilk_watch_check_address(const struct ilk_watch *item, unsigned long address)
{
	bool text = ilk_kernel_is_text(address);

	/* Refuse user-space addresses, and ranges that wrap around. */
	if (address < PAGE_OFFSET || address + item->bytes < address)
		return ILK_REFUSAL_WATCH_ADDRESS;
	if (text != (item->access == ILK_WATCH_EXECUTE))
		return ILK_REFUSAL_WATCH_ADDRESS;
	if (!text && address % item->bytes)
		return ILK_REFUSAL_WATCH_ALIGN;
	if (text ? ilk_kernel_is_noprobe(address) : is_entry_text(address, item->bytes))
		return ILK_REFUSAL_WATCH_DENIED;
	return is_own_data(address, item->bytes) ? ILK_REFUSAL_WATCH_DENIED : ILK_REFUSAL_NONE;
}

static bool is_valid_size(u32 bytes)
{
	return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

/**
 * ilk_watch_check() - check whether an item may be watched
 *
 * Does not check whether a register is free.
 * Context: Process context, ilk_mutex held.
 */
enum ilk_refusal ilk_watch_check(const struct ilk_watch *item)
{
	enum ilk_refusal refusal = ILK_REFUSAL_NONE;
	bool per_cpu = item->flags & ILK_WATCH_PER_CPU, own = per_cpu && item->cpu == ILK_WATCH_EACH_CPU;
	int cpu;

	if (item->flags & ~(ILK_WATCH_PER_CPU | ILK_WATCH_GATE_CLOSED | ILK_WATCH_MOVABLE) || !item->access ||
	    item->access > ILK_WATCH_EXECUTE || item->budget > ILK_WATCH_BUDGET_MAX ||
	    (!per_cpu && item->cpu) || (item->stop_ns && item->stop_ns <= item->start_ns) ||
	    item->start_ns > S64_MAX / 2 || item->stop_ns > S64_MAX / 2)
		return ILK_REFUSAL_BAD_ITEM;
	if (!is_valid_size(item->bytes) || (item->access == ILK_WATCH_EXECUTE && item->bytes != 8))
		return ILK_REFUSAL_WATCH_ALIGN;
	if (item->flags & ILK_WATCH_MOVABLE)
		return item->address || per_cpu ? ILK_REFUSAL_BAD_ITEM : ILK_REFUSAL_NONE;
	if (per_cpu && (item->access == ILK_WATCH_EXECUTE ||
			(!own && (item->cpu >= nr_cpu_ids || !cpu_possible(item->cpu)))))
		return ILK_REFUSAL_BAD_ITEM;
	if (!own)
		return ilk_watch_check_address(item, ilk_watch_address(item, 0));
	for_each_possible_cpu(cpu)
		refusal = refusal ?: ilk_watch_check_address(item, ilk_watch_address(item, cpu));
	return refusal;
}
