// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-watch-hit.c - handles an access to watched data
 *
 * Runs in the kernel's handler of debug exceptions, in the middle of any code:
 * like the trap handler it takes no lock, allocates nothing, and wakes nothing
 * except through irq_work. The kernel's handler has disabled the debug
 * registers, so that neither our accesses nor accesses of an interrupting context
 * cause another hit.
 *
 * perf counts an event limit down. After the access that uses up the limit, perf removes the
 * breakpoint from this CPU as soon as interrupts are enabled. We reset the limit at the start of
 * each window; the access that uses up the limit schedules the breakpoint's return at the end of
 * the window. Unless the client set a number of accesses, time is limited as well, because the
 * cost of an exception depends on the machine.
 */
#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/uaccess.h>
#include <asm/msr.h>

#include "ilk-call.h"
#include "ilk-hook.h"
#include "ilk-patch.h"
#include "ilk-watch-api.h"
#include "ilk-watch.h"
#include "ilk.h"

DEFINE_PER_CPU(u64, ilk_watch_ip);
DEFINE_PER_CPU(u32, ilk_watch_nmis);

/* Reads a value, zero-extended; returns 0 where nothing is mapped. Context: any. */
u64 ilk_watch_value(unsigned long address, u32 bytes)
{
	u64 value = 0;

	return copy_from_kernel_nofault(&value, (void *)address, bytes) ? 0 : value;
}
NOKPROBE_SYMBOL(ilk_watch_value);

/*
 * Resets the limit at the start of a window, and starts a pause once the limit is
 * used up.
 */
static __always_inline void update_budget(struct ilk_watchpoint_cpu *at, struct perf_event *event, u64 now)
{
	if (unlikely(!atomic_read(&event->event_limit))) {
		if (at->paused)		/* further accesses occur until interrupts are enabled */
			return;
		at->paused = now;
		this_cpu_inc(*at->watchpoint->hook->missed);
		irq_work_queue(&at->irq);
		return;
	}
	if (now - at->window < at->watchpoint->window_tsc)
		return;
	at->window = now;
	at->spent = 0;
	atomic_set(&event->event_limit, at->watchpoint->budget);
}

/*
 * Estimated ratio of the whole cost of an exception to the part measured here.
 * Exceptions may take up to a quarter of the CPU's time.
 */
#define COST_RATIO	8

static __always_inline void charge_time(struct ilk_watchpoint_cpu *at, struct perf_event *event, u64 since)
{
	at->spent += (rdtsc() - since) * COST_RATIO;
	if (at->watchpoint->timed && at->spent > at->watchpoint->window_tsc / 4 && atomic_read(&event->event_limit) > 1)
		atomic_set(&event->event_limit, 1);	/* the next access is the last one
							 * before the pause */
}

/*
 * Returns the context of the code that made the access: does not count the debug exception, which
 * itself adds one hardirq and one NMI to the preempt count.
 */
static __always_inline u32 get_hit_context(void)
{
	unsigned long count = preempt_count() - HARDIRQ_OFFSET;

	if (count & HARDIRQ_MASK)
		return ILK_CONTEXT_HARDIRQ;
	return count & SOFTIRQ_OFFSET ? ILK_CONTEXT_SOFTIRQ : ILK_CONTEXT_TASK;
}

static __always_inline bool is_gate_open(const struct ilk_watchpoint *watchpoint)
{
	return READ_ONCE(ilk_gates[watchpoint->iid]) &&
	       (!watchpoint->gate || READ_ONCE(ilk_gates[watchpoint->gate]));
}

/* Runs the code of the watchpoint's patch. The code determines the context of the access itself. */
static __always_inline void run_patch_code(struct ilk_watchpoint_cpu *at, struct pt_regs *regs, const struct ilk_watch_access_info *facts)
{
	struct ilk_patch *patch = at->watchpoint->patch;

	if (READ_ONCE(patch->state) != ILK_STATE_ARMED)
		return;
	this_cpu_write(ilk_watch_nmis, preempt_count() & NMI_MASK);
	barrier();
	this_cpu_write(ilk_watch_ip, regs->ip);
	ilk_call(&patch->slot, regs, facts);
	this_cpu_write(ilk_watch_ip, 0);
}

static __always_inline void sample(struct ilk_watchpoint *watchpoint, const struct ilk_watch_access_info *facts)
{
	struct ilk_watch_sample sample = {
		.ip = facts->ip, .value = facts->value, .before = facts->before, .address = facts->address,
		.pid = task_tgid_nr(current),
		.context = get_hit_context(),
	};

	memcpy(sample.comm, current->comm, sizeof(sample.comm));
	this_cpu_inc(*watchpoint->hook->count);
	ilk_sample(watchpoint->iid, &sample, sizeof(sample));
}

static __always_inline void handle_access(struct ilk_watchpoint_cpu *at, struct pt_regs *regs)
{
	struct ilk_watchpoint *watchpoint = at->watchpoint;
	struct ilk_watch_access_info facts = { .address = at->address, .ip = regs->ip };

	if (watchpoint->access != ILK_WATCH_EXECUTE) {
		facts.value = ilk_watch_value(at->address, watchpoint->bytes);
		facts.before = xchg(watchpoint->each_cpu ? &at->last : &watchpoint->last, facts.value);
	}
	if (watchpoint->patch)
		run_patch_code(at, regs, &facts);
	else
		sample(watchpoint, &facts);
}

void ilk_watch_hit(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	struct ilk_watchpoint_cpu *at = event->overflow_handler_context;
	u64 now = rdtsc();

	if (at->busy) {
		this_cpu_inc(*at->watchpoint->hook->missed);
		return;
	}
	at->busy = true;
	barrier();
	update_budget(at, event, now);
	if (is_gate_open(at->watchpoint))
		handle_access(at, regs);
	charge_time(at, event, now);
	barrier();
	at->busy = false;
}
NOKPROBE_SYMBOL(ilk_watch_hit);
