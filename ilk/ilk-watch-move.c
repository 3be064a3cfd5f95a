// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-watch-move.c - moves watchpoints to addresses that hooks pass
 *
 *   1. code calls the service, in any context: it stores the address in the watchpoint's
 *      aim, and raises an irq_work
 *   2. that queues work, which checks whether the address may be watched, as WATCH would
 *   3. the breakpoints of all CPUs are disabled, moved to the new address, and enabled
 *
 * An aim is a slot in a static table, so that a call with the iid of a
 * watchpoint that no longer exists finds nothing. Several calls before step 2
 * cause one move, to the last address.
 *
 * perf keeps a breakpoint's register wherever it points, so that a move takes
 * and releases none.
 */
#include <linux/cpu.h>
#include <linux/hw_breakpoint.h>
#include <linux/kprobes.h>
#include <asm/msr.h>

#include "ilk-call.h"
#include "ilk-watch.h"

/**
 * struct ilk_watch_aim - the address that a watchpoint is to move to
 * @iid: 0: the slot is free
 * @address: the address; 0: none
 * @asked: TSC of the first call that has not been handled; 0: there is none
 * @missed: addresses that were overwritten by later ones since then, for the
 *     hook's counter of missed hits
 */
struct ilk_watch_aim {
	u32 iid;
	u64 address;
	u64 asked;
	atomic_t missed;
};

/*
 * Enough for all that can be open at once, plus those of a WATCH that is
 * refused.
 */
static struct ilk_watch_aim aims[2 * ILK_WATCHES_MAX];
/*
 * Least time between two moves of a watchpoint: each move interrupts all CPUs.
 */
#define MOVE_US	10000

static u64 nowhere;			/* a variable that is never accessed */

static void move_fn(struct work_struct *work);
static DECLARE_DELAYED_WORK(move_work, move_fn);

static void on_kick(struct irq_work *irq)
{
	mod_delayed_work(ilk_wq, &move_work, 0);
}

static struct irq_work kick = IRQ_WORK_INIT(on_kick);

/* ---- 1. the service ---------------------------------------------------------------- */

static __always_inline void aim(u32 iid, u64 address)
{
	u32 i;

	for (i = 0; iid && i < ARRAY_SIZE(aims); i++) {
		if (READ_ONCE(aims[i].iid) != iid)
			continue;
		if (READ_ONCE(aims[i].address) == address)
			return;
		if (READ_ONCE(aims[i].asked))
			arch_atomic_inc(&aims[i].missed);
		WRITE_ONCE(aims[i].address, address);
		/*
		 * serve() first clears the time with xchg(), then reads the
		 * address.
		 */
		if (!arch_cmpxchg(&aims[i].asked, 0, rdtsc()))
			irq_work_queue(&kick);
		return;
	}
}

void ilk_watch_service(u32 iid, u64 address)
{
	unsigned long open = ilk_shut_memory();

	aim(iid, address);
	ilk_open_memory(open);
}
NOKPROBE_SYMBOL(ilk_watch_service);

/* ---- 2. and 3. --------------------------------------------------------------------- */

static int aim_cpu(struct ilk_watcher_cpu *at, unsigned long address)
{
	struct perf_event_attr attr;

	if (!at->event)
		return 0;
	ilk_watcher_attr(at, &attr);
	attr.bp_addr = address ?: (unsigned long)&nowhere;
	return modify_user_hw_breakpoint(at->event, &attr);	/* leaves it disabled */
}

/*
 * Moves the breakpoints of all CPUs. One that pauses stays off until its pause
 * is over: perf may not have removed it yet. Returns an error if the kernel
 * refuses the address, which it does on all CPUs or none; nothing has changed
 * then.
 */
static int move(struct ilk_watcher *watcher, unsigned long address)
{
	int cpu, ret = 0;

	cpus_read_lock();
	mutex_lock(&ilk_watchers_lock);
	for_each_possible_cpu(cpu) {
		ret = aim_cpu(&watcher->cpus[cpu], address);
		if (ret)
			break;
	}
	for_each_possible_cpu(cpu)
		if (!ret)
			watcher->cpus[cpu].address = address;
	if (!ret && watcher->access != ILK_WATCH_EXECUTE)
		watcher->last = ilk_watch_value(address, watcher->bytes);
	for_each_possible_cpu(cpu)
		if (watcher->cpus[cpu].event && watcher->live && !watcher->cpus[cpu].paused)
			ilk_watcher_start_cpu(&watcher->cpus[cpu]);
	mutex_unlock(&ilk_watchers_lock);
	cpus_read_unlock();
	return ret;
}

static enum ilk_refusal try_move(struct ilk_watcher *watcher, unsigned long address)
{
	const struct ilk_watch item = { .access = watcher->access, .bytes = watcher->bytes };
	enum ilk_refusal refusal = address ? ilk_watch_check_address(&item, address) : ILK_REFUSAL_NONE;

	if (!refusal && move(watcher, address))
		refusal = ILK_REFUSAL_WATCH_DENIED;
	return refusal;
}

/*
 * Moves @watcher, unless it was moved just now. Returns the time until it may
 * be moved again if a move is pending, else ULONG_MAX.
 */
static unsigned long serve(struct ilk_watcher *watcher)
{
	enum ilk_refusal refusal;
	u64 asked, address;

	if (!READ_ONCE(watcher->aim->asked))
		return ULONG_MAX;
	if (time_before64(get_jiffies_64(), watcher->next_move))
		return watcher->next_move - get_jiffies_64();
	asked = xchg(&watcher->aim->asked, 0);
	address = READ_ONCE(watcher->aim->address);
	this_cpu_add(*watcher->hook->dropped, arch_atomic_xchg(&watcher->aim->missed, 0));
	if (address == watcher->cpus[0].address || watcher->state > ILK_WATCH_LIVE)
		return ULONG_MAX;
	watcher->next_move = get_jiffies_64() + usecs_to_jiffies(MOVE_US);
	refusal = try_move(watcher, address);
	if (refusal) {
		watcher->moves_refused++;
		watcher->move_refusal = refusal;
		watcher->refused_address = address;
		return ULONG_MAX;
	}
	watcher->moves++;
	watcher->move_tsc = rdtsc() - asked;
	watcher->move_tsc_most = max(watcher->move_tsc_most, watcher->move_tsc);
	return ULONG_MAX;
}

static void move_fn(struct work_struct *work)
{
	unsigned long wait = ULONG_MAX;
	struct ilk_watcher *watcher;

	ilk_lock();
	list_for_each_entry(watcher, &ilk_watchers, node)
		if (watcher->aim)
			wait = min(wait, serve(watcher));
	ilk_unlock();
	if (wait != ULONG_MAX)
		queue_delayed_work(ilk_wq, &move_work, wait);
}

/* ---- for ilk-watch.c ---------------------------------------------------------------- */

struct ilk_watch_aim *ilk_watch_aim_new(u32 iid)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(aims); i++) {
		if (aims[i].iid)
			continue;
		aims[i].address = 0;
		aims[i].asked = 0;
		arch_atomic_set(&aims[i].missed, 0);
		smp_store_release(&aims[i].iid, iid);
		return &aims[i];
	}
	return NULL;
}

void ilk_watch_aim_free(struct ilk_watch_aim *aim)
{
	if (aim)
		WRITE_ONCE(aim->iid, 0);
}

unsigned long ilk_watch_nowhere(void)
{
	return (unsigned long)&nowhere;
}

void ilk_watch_leave_address(struct ilk_watcher *watcher)
{
	WRITE_ONCE(watcher->aim->address, 0);
	WRITE_ONCE(watcher->aim->asked, 0);
	move(watcher, 0);
}

/*
 * Must be called at module exit, when no hook can call the service any longer.
 */
void ilk_watch_move_exit(void)
{
	irq_work_sync(&kick);
	cancel_delayed_work_sync(&move_work);
}
