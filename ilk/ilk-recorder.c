// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-recorder.c - the flight recorder: overwrites the oldest records
 *
 * With ILK_RING_OVERWRITE each online CPU has a timer, which drops its oldest
 * records until the ring is at most three quarters full, and records that are
 * older than the window. The recorder is a reader like any other: it takes whole,
 * committed records, in order, and then moves the limit. So a producer never writes over a
 * record that may still be read. If a producer is interrupted in the middle of a record, the
 * recorder waits until that record is committed; new samples that do not fit are lost, and are
 * counted.
 *
 *	stopped --start, on each CPU--> works --stop: timers cancelled--> stopped
 *
 * The timer expires in hard interrupt context, on the CPU that owns the ring:
 * only contexts that interrupt the timer produce samples there, and incrementing a counter of
 * this CPU is one instruction. When a CPU goes down, its timer is migrated and then ends; a CPU
 * that comes online starts a timer of its own.
 *
 * A hook may be freed while records of it are in a ring. The code that frees it
 * removes it from ilk_hooks first, and then waits until no CPU is in the middle
 * of a round (ilk_recorder_sync()).
 */
#include <linux/cpu.h>
#include <linux/hrtimer.h>
#include <linux/mm.h>
#include <linux/smp.h>
#include <asm/msr.h>
#include <asm/tsc.h>

#include "ilk-compat.h"
#include "ilk-hook.h"
#include "ilk-ring-cpu.h"
#include "ilk-ring-reader.h"
#include "ilk-ring.h"
#include "ilk.h"

#define ROUND		256		/* maximum number of records dropped in one expiry of the
					 * timer */
#define BREATHER_NS	20000		/* pause before the timer drops more records */
#define BUSY_NS		1000000		/* time to the next check of a ring that is at least
					 * half full */
#define IDLE_NS		8000000

/* One item per CPU. Allocated dynamically, as modules get little static per-CPU data. */
static struct recorder {
	struct hrtimer timer;
	bool in_round;
} *recorders;

static bool is_active;			/* the timers that drop the oldest records were started;
					 * false again once all of them have ended */
static bool stopping;
static u64 window;			/* age limit of records, in TSC ticks; 0: none */

/**
 * ilk_record_drop() - count the record at @tail as lost, by hook and CPU
 *
 * Context: preemption is off; called on @cpu, unless @cpu is offline; the hook cannot be freed.
 * Return: false if no record starts at @tail.
 */
bool ilk_record_drop(int cpu, u64 tail)
{
	const struct ilk_record *record = ilk_ring_cell(cpu, tail);
	struct ilk_hook *hook = ilk_hook_find(record->iid);

	if (record->commit != tail)
		return false;
	if (hook && cpu == smp_processor_id())
		this_cpu_inc(*hook->lost);
	else if (hook)
		(*per_cpu_ptr(hook->lost, cpu))++;
	return true;
}

static bool must_drop(u64 used, const struct ilk_record *oldest, u64 now)
{
	return used > ilk_rings.bytes / 4 * 3 ||
	       (window && now > oldest->tsc && now - oldest->tsc > window);
}

/* Drops up to ROUND of the oldest records. Returns false if more records must be dropped. */
static bool drop_round(int cpu)
{
	struct ilk_drain *drain = &ilk_rings.drains[cpu];
	u64 tail = drain->tail, head = ilk_ring_head(cpu), now = rdtsc();
	const struct ilk_record *record;
	int n;

	for (n = 0; n < ROUND && ilk_ring_has_record(cpu, tail); n++) {
		record = ilk_ring_cell(cpu, tail);
		if (!must_drop(head - tail, record, now))
			break;
		ilk_record_drop(cpu, tail);
		tail += ilk_record_bytes(record);
	}
	WRITE_ONCE(drain->overwritten, drain->overwritten + n);
	if (n)
		ilk_ring_set_tail(cpu, tail);
	return n < ROUND;
}

static enum hrtimer_restart on_timer(struct hrtimer *timer)
{
	int cpu = smp_processor_id();
	struct recorder *own = &recorders[cpu];
	u64 next = IDLE_NS;

	if (timer != &own->timer || READ_ONCE(stopping) || READ_ONCE(ilk_rings.halted))
		return HRTIMER_NORESTART;
	WRITE_ONCE(own->in_round, true);
	smp_mb();	/* pairs with ilk_recorder_sync() */
	if (ilk_rings.drains[cpu].area) {
		if (!drop_round(cpu))
			next = BREATHER_NS;
		else if (ilk_ring_head(cpu) - ilk_rings.drains[cpu].tail > ilk_rings.bytes / 2)
			next = BUSY_NS;
	}
	smp_store_release(&own->in_round, false);
	hrtimer_forward_now(timer, ns_to_ktime(next));
	return HRTIMER_RESTART;
}

/*
 * Waits until no CPU's timer uses a hook that is no longer in ilk_hooks. Must be called with
 * ilk_mutex held.
 */
void ilk_recorder_sync(void)
{
	int cpu;

	smp_mb();
	if (!READ_ONCE(is_active))
		return;
	for_each_possible_cpu(cpu)
		while (smp_load_acquire(&recorders[cpu].in_round))
			cpu_relax();
}

/*
 * Starts the timer that drops this CPU's oldest records. Must be called with ilk_reader_mutex held,
 * on a CPU that has just come online.
 */
void ilk_recorder_start_here(void)
{
	if (is_active && !stopping)
		hrtimer_start(&recorders[smp_processor_id()].timer, ns_to_ktime(BUSY_NS),
			      HRTIMER_MODE_REL_PINNED_HARD);
}

static void start_on_this_cpu(void *arg)
{
	ilk_recorder_start_here();
}

/*
 * Starts the timers of all CPUs, which drop the oldest records. Must be called with
 * cpus_read_lock() and ilk_reader_mutex held, when the rings are allocated.
 */
void ilk_recorder_start(void)
{
	window = ilk_rings.window_ns ? mul_u64_u32_div(ilk_rings.window_ns, tsc_khz, 1000000) : 0;
	WRITE_ONCE(stopping, false);
	smp_store_release(&is_active, true);
	on_each_cpu(start_on_this_cpu, NULL, 1);
}

/*
 * Stops dropping the oldest records: then only the reader moves tails. Must be called with no lock
 * held but the mutex that serialises claims of the rings.
 */
void ilk_recorder_stop(void)
{
	int cpu;

	if (!is_active)
		return;
	mutex_lock(&ilk_reader_mutex);	/* from now on, a CPU that comes online does not start
					 * its timer */
	WRITE_ONCE(stopping, true);
	mutex_unlock(&ilk_reader_mutex);
	for_each_possible_cpu(cpu)
		hrtimer_cancel(&recorders[cpu].timer);
	WRITE_ONCE(is_active, false);
}

int ilk_recorder_init(void)
{
	int cpu;

	recorders = kvcalloc(nr_cpu_ids, sizeof(*recorders), GFP_KERNEL);
	if (!recorders)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		ilk_hrtimer_setup(&recorders[cpu].timer, on_timer, HRTIMER_MODE_REL_PINNED_HARD);
	return 0;
}

/* Frees the recorder's timers. Must be called when it is stopped and no hook is left. */
void ilk_recorder_exit(void)
{
	kvfree(recorders);
}
