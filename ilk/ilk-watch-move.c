// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-watch-move.c - moves watchpoints to addresses that hooks pass
 *
 *   1. code calls the service, in any context: it stores the address in the watchpoint's
 *      request, and raises an irq_work
 *   2. the irq_work queues work, which checks whether the address may be watched, as WATCH would
 *   3. the breakpoints of all CPUs are disabled, moved to the new address, and enabled
 *
 * A request is a slot in a static table, so that a call with the iid of a
 * watchpoint that no longer exists finds nothing. Several calls before step 2
 * cause one move, to the last address.
 *
 * A breakpoint keeps its debug register when its address changes, so a move allocates and
 * releases no register.
 */
#include <linux/cpu.h>
#include <linux/hw_breakpoint.h>
#include <linux/kprobes.h>
#include <asm/msr.h>

#include "ilk-call.h"
#include "ilk-driver.h"
#include "ilk-hook.h"
#include "ilk-watch-api.h"
#include "ilk-watch.h"
#include "ilk.h"

/**
 * struct ilk_watch_request - the address that a watchpoint should move to
 * @iid: iid of the watchpoint; 0: the slot is free
 * @address: the address; 0: none
 * @requested_tsc: TSC of the first call of the service that has not been handled; 0: none
 * @missed: number of addresses that later addresses have overwritten since that call; added to the
 *     missed hits of the hook
 */
struct ilk_watch_request {
	u32 iid;
	u64 address;
	u64 requested_tsc;
	atomic_t missed;
};

/*
 * The table has room for all watchpoints that can exist at the same time, plus all watchpoints of a
 * WATCH that is refused.
 */
static struct ilk_watch_request requests[2 * ILK_WATCHES_MAX];
/*
 * Minimum time between two moves of a watchpoint: each move interrupts all CPUs.
 */
#define MOVE_INTERVAL_US	10000

static u64 idle_variable;			/* never accessed; watched by watchpoints
						 * without an address */

static void move_fn(struct work_struct *work);
static DECLARE_DELAYED_WORK(move_work, move_fn);

static void on_kick(struct irq_work *irq)
{
	mod_delayed_work(ilk_wq, &move_work, 0);
}

static struct irq_work kick = IRQ_WORK_INIT(on_kick);

/* ---- step 1: the service stores an address ----------------------------------------- */

static __always_inline void request(u32 iid, u64 address)
{
	u32 i;

	for (i = 0; iid && i < ARRAY_SIZE(requests); i++) {
		if (READ_ONCE(requests[i].iid) != iid)
			continue;
		if (READ_ONCE(requests[i].address) == address)
			return;
		if (READ_ONCE(requests[i].requested_tsc))
			arch_atomic_inc(&requests[i].missed);
		WRITE_ONCE(requests[i].address, address);
		/*
		 * Store @address first: handle_move() clears @requested_tsc with xchg(), and reads
		 * @address after it.
		 */
		if (!arch_cmpxchg(&requests[i].requested_tsc, 0, rdtsc()))
			irq_work_queue(&kick);
		return;
	}
}

void ilk_watch_service(u32 iid, u64 address)
{
	unsigned long open = ilk_smap_save();

	request(iid, address);
	ilk_smap_restore(open);
}
NOKPROBE_SYMBOL(ilk_watch_service);

/* ---- steps 2 and 3: a task checks the address and moves ---------------------------- */

static int set_cpu_address(struct ilk_watchpoint_cpu *at, unsigned long address)
{
	struct perf_event_attr attr;

	if (!at->event)
		return 0;
	ilk_watchpoint_attr(at, &attr);
	attr.bp_addr = address ?: (unsigned long)&idle_variable;
	return modify_user_hw_breakpoint(at->event, &attr);	/* keeps it disabled */
}

/*
 * Moves the breakpoints of all CPUs. A breakpoint that pauses stays off until its
 * pause is over: perf may not have removed it yet. Returns an error if the kernel
 * refuses the address, which it does on all CPUs or none; then nothing has
 * changed.
 */
static int move_watchpoint(struct ilk_watchpoint *watchpoint, unsigned long address)
{
	int cpu, ret = 0;

	cpus_read_lock();
	mutex_lock(&ilk_watchpoints_lock);
	for_each_possible_cpu(cpu) {
		ret = set_cpu_address(&watchpoint->cpus[cpu], address);
		if (ret)
			break;
	}
	for_each_possible_cpu(cpu)
		if (!ret)
			watchpoint->cpus[cpu].address = address;
	if (!ret && watchpoint->access != ILK_WATCH_EXECUTE)
		watchpoint->last = ilk_watch_value(address, watchpoint->bytes);
	for_each_possible_cpu(cpu)
		if (watchpoint->cpus[cpu].event && watchpoint->live && !watchpoint->cpus[cpu].paused)
			ilk_watchpoint_start_cpu(&watchpoint->cpus[cpu]);
	mutex_unlock(&ilk_watchpoints_lock);
	cpus_read_unlock();
	return ret;
}

static enum ilk_refusal check_and_move(struct ilk_watchpoint *watchpoint, unsigned long address)
{
	const struct ilk_watch item = { .access = watchpoint->access, .bytes = watchpoint->bytes };
	enum ilk_refusal refusal = address ? ilk_watch_check_address(&item, address) : ILK_REFUSAL_NONE;

	if (!refusal && move_watchpoint(watchpoint, address))
		refusal = ILK_REFUSAL_WATCH_DENIED;
	return refusal;
}

/*
 * Performs a pending move of @watchpoint. If the last move is too recent, returns the time
 * until the next one is allowed; else ULONG_MAX.
 */
static unsigned long handle_move(struct ilk_watchpoint *watchpoint)
{
	enum ilk_refusal refusal;
	u64 asked, address;

	if (!READ_ONCE(watchpoint->request->requested_tsc))
		return ULONG_MAX;
	if (time_before64(get_jiffies_64(), watchpoint->next_move))
		return watchpoint->next_move - get_jiffies_64();
	asked = xchg(&watchpoint->request->requested_tsc, 0);
	address = READ_ONCE(watchpoint->request->address);
	this_cpu_add(*watchpoint->hook->missed, arch_atomic_xchg(&watchpoint->request->missed, 0));
	if (address == watchpoint->cpus[0].address || watchpoint->state > ILK_WATCH_LIVE)
		return ULONG_MAX;
	watchpoint->next_move = get_jiffies_64() + usecs_to_jiffies(MOVE_INTERVAL_US);
	refusal = check_and_move(watchpoint, address);
	if (refusal) {
		watchpoint->moves_refused++;
		watchpoint->move_refusal = refusal;
		watchpoint->refused_address = address;
		return ULONG_MAX;
	}
	watchpoint->moves++;
	watchpoint->move_tsc = rdtsc() - asked;
	watchpoint->move_tsc_max = max(watchpoint->move_tsc_max, watchpoint->move_tsc);
	return ULONG_MAX;
}

static void move_fn(struct work_struct *work)
{
	unsigned long wait = ULONG_MAX;
	struct ilk_watchpoint *watchpoint;

	ilk_lock();
	list_for_each_entry(watchpoint, &ilk_watchpoints, node)
		if (watchpoint->request)
			wait = min(wait, handle_move(watchpoint));
	ilk_unlock();
	if (wait != ULONG_MAX)
		queue_delayed_work(ilk_wq, &move_work, wait);
}

/* ---- requests of watchpoints, for ilk-watch.c --------------------------------------- */

struct ilk_watch_request *ilk_watch_request_new(u32 iid)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(requests); i++) {
		if (requests[i].iid)
			continue;
		requests[i].address = 0;
		requests[i].requested_tsc = 0;
		arch_atomic_set(&requests[i].missed, 0);
		smp_store_release(&requests[i].iid, iid);
		return &requests[i];
	}
	return NULL;
}

void ilk_watch_request_free(struct ilk_watch_request *request)
{
	if (request)
		WRITE_ONCE(request->iid, 0);
}

unsigned long ilk_watch_idle_address(void)
{
	return (unsigned long)&idle_variable;
}

void ilk_watch_clear_address(struct ilk_watchpoint *watchpoint)
{
	WRITE_ONCE(watchpoint->request->address, 0);
	WRITE_ONCE(watchpoint->request->requested_tsc, 0);
	move_watchpoint(watchpoint, 0);
}

/*
 * Cancels pending moves. Must be called at module exit, when no hook can call the service any
 * longer.
 */
void ilk_watch_move_exit(void)
{
	irq_work_sync(&kick);
	cancel_delayed_work_sync(&move_work);
}
