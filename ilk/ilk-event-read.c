// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-event-read.c - reads an event counter at a hit
 *
 * Works like perf_event_read_local(), which is not exported. A counter that is
 * loaded stays loaded while this CPU does not take an interrupt: perf loads and unloads it on the
 * CPU of the counter, with interrupts off, or through an IPI. An NMI may come in between: perf
 * marks a counter active before loading it, and clears the mark after unloading it; a read in
 * between returns the last value. A read updates a hardware counter in a loop around a cmpxchg, and
 * does nothing for a software counter, which the kernel increments itself: so an NMI that
 * interrupts another read does no harm.
 */
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <asm/local64.h>

#include "ilk-call.h"
#include "ilk-event.h"

struct ilk_event_slot ilk_event_slots[ILK_EVENT_SLOTS];
struct ilk_event_cpu __percpu *ilk_event_cpus;

/* Returns whether the counter is loaded on @cpu. */
bool ilk_event_counts(const struct perf_event *event, int cpu)
{
	return event && READ_ONCE(event->state) == PERF_EVENT_STATE_ACTIVE && READ_ONCE(event->oncpu) == cpu;
}
NOKPROBE_SYMBOL(ilk_event_counts);

/* Must be called with interrupts off. */
static u64 read_slot(unsigned int slot)
{
	struct perf_event *event = READ_ONCE(this_cpu_ptr(ilk_event_cpus)->counters[slot]);

	if (!ilk_event_counts(event, raw_smp_processor_id()))
		return ILK_EVENT_BAD;
	event->pmu->read(event);
	return local64_read(&event->count);
}
NOKPROBE_SYMBOL(read_slot);

u64 ilk_service_event(u32 iid, u64 key)
{
	unsigned long flags, open = ilk_smap_save();
	u64 value = ILK_EVENT_BAD;
	unsigned int slot;

	raw_local_irq_save(flags);
	for (slot = 0; slot < ILK_EVENT_SLOTS; slot++)
		if (READ_ONCE(ilk_event_slots[slot].key) == key) {
			value = read_slot(slot);
			break;
		}
	raw_local_irq_restore(flags);
	ilk_smap_restore(open);
	return value;
}
NOKPROBE_SYMBOL(ilk_service_event);
