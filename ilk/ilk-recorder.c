// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-recorder.c - the flight recorder: makes room in rings that nobody reads
 *
 * With ILK_RING_OVERWRITE each CPU that is online has a timer, which gives up its oldest
 * records until the ring is three quarters full at most, and those that are older than the
 * window. It is a reader like any other: it takes whole, committed records, in order, and
 * moves the limit behind them. So a producer never writes over what may still be read, and
 * none that was interrupted amidst its record finds it gone: at an uncommitted record the
 * recorder waits, and what then finds no room is lost and counted as ever.
 *
 *	stopped --start, on each CPU--> works --stop: timers cancelled--> stopped
 *
 * It expires in hard interrupt context, on the CPU whose ring it is: there only higher
 * contexts produce, and a counter of this CPU takes one instruction. A timer that was taken
 * to another CPU, because its own went down, ends; a CPU that comes up starts its own.
 *
 * A hook may be freed while records of it are in a ring. Whoever frees one takes it out of
 * ilk_hooks first, and then waits until no CPU is amidst a round (ilk_recorder_sync()).
 */
#include <linux/cpu.h>
#include <linux/hrtimer.h>
#include <linux/mm.h>
#include <linux/smp.h>
#include <asm/msr.h>
#include <asm/tsc.h>

#include "ilk-ring.h"

#define ROUND		256		/* records given up at once */
#define BREATHER_NS	20000		/* between rounds */
#define BUSY_NS		1000000		/* half full: look again after this */
#define IDLE_NS		8000000

/* By CPU; static per-CPU data of modules is dear. */
static struct recorder {
	struct hrtimer timer;
	bool in_round;
} *recorders;

static bool works;			/* until the last round has ended */
static bool stopping;
static u64 window;			/* in TSC ticks; 0: none */

/**
 * ilk_record_give_up() - count the record at @tail as lost, by its hook and on its CPU
 * Context: preemption is off, on @cpu or it is offline; the hook cannot go.
 * Return: false if none begins there.
 */
bool ilk_record_give_up(int cpu, u64 tail)
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

static bool is_too_much(u64 used, const struct ilk_record *oldest, u64 now)
{
	return used > ilk_rings.bytes / 4 * 3 ||
	       (window && now > oldest->tsc && now - oldest->tsc > window);
}

/* Return: false if there is more to give up. */
static bool do_round(int cpu)
{
	struct ilk_drain *drain = &ilk_rings.drains[cpu];
	u64 tail = drain->tail, head = ilk_ring_head(cpu), now = rdtsc();
	const struct ilk_record *record;
	int n;

	for (n = 0; n < ROUND && ilk_ring_is_there(cpu, tail); n++) {
		record = ilk_ring_cell(cpu, tail);
		if (!is_too_much(head - tail, record, now))
			break;
		ilk_record_give_up(cpu, tail);
		tail += ilk_record_bytes(record);
	}
	WRITE_ONCE(drain->given_up, drain->given_up + n);
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
		if (!do_round(cpu))
			next = BREATHER_NS;
		else if (ilk_ring_head(cpu) - ilk_rings.drains[cpu].tail > ilk_rings.bytes / 2)
			next = BUSY_NS;
	}
	smp_store_release(&own->in_round, false);
	hrtimer_forward_now(timer, ns_to_ktime(next));
	return HRTIMER_RESTART;
}

/* Context: ilk_mutex; who was in ilk_hooks before and is not now is not used from then on. */
void ilk_recorder_sync(void)
{
	int cpu;

	smp_mb();
	if (!READ_ONCE(works))
		return;
	for_each_possible_cpu(cpu)
		while (smp_load_acquire(&recorders[cpu].in_round))
			cpu_relax();
}

/* On a CPU that has just come up. Context: ilk_reader_mutex. */
void ilk_recorder_start_here(void)
{
	if (works && !stopping)
		hrtimer_start(&recorders[smp_processor_id()].timer, ns_to_ktime(BUSY_NS),
			      HRTIMER_MODE_REL_PINNED_HARD);
}

static void start_here(void *arg)
{
	ilk_recorder_start_here();
}

/* Context: cpus_read_lock() and ilk_reader_mutex; there are rings. */
void ilk_recorder_start(void)
{
	window = ilk_rings.window_ns ? mul_u64_u32_div(ilk_rings.window_ns, tsc_khz, 1000000) : 0;
	WRITE_ONCE(stopping, false);
	smp_store_release(&works, true);
	on_each_cpu(start_here, NULL, 1);
}

/* From then on nobody but the reader moves tails. Context: the claim's mutex, no other. */
void ilk_recorder_stop(void)
{
	int cpu;

	if (!works)
		return;
	mutex_lock(&ilk_reader_mutex);	/* a CPU that comes up starts none */
	WRITE_ONCE(stopping, true);
	mutex_unlock(&ilk_reader_mutex);
	for_each_possible_cpu(cpu)
		hrtimer_cancel(&recorders[cpu].timer);
	WRITE_ONCE(works, false);
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

/* Context: module exit; it is stopped, and no hook is left. */
void ilk_recorder_exit(void)
{
	kvfree(recorders);
}
