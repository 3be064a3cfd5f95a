// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-clock.c - compares time stamp counters with the clock, and with each other
 *
 * To read a clock and a counter together, we read counter, clock, counter, with interrupts off.
 * Half of the difference of the two counter values is the error. The attempt with the smallest
 * error is used.
 *
 * Two counters are compared by questions and answers through memory. The asking CPU reads its
 * own counter before the question and after the answer; the other CPU reads its counter at some
 * point in between. So the error of the offset is at most half of the round trip, and the
 * fastest round trip is used. The asking CPU can be interrupted or preempted, which only wastes
 * that round. The other CPU answers in an interrupt, for HOLD_US at most, and leaves when no
 * question comes.
 */
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/sched/signal.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>
#include <asm/tsc.h>

#include "ilk-time.h"
#include "ilk.h"

#define READ_TRIES	32
#define HOLD_US		40
#define ROUNDS		32u	/* number of questions in one ping, which is a series of
				 * questions to one CPU */
#define PINGS_MIN		4u	/* minimum number of pings (series of questions) per CPU;
					 * more if the error is large */
#define GOOD_NS		1000	/* acceptable error; a larger one suggests that a virtual CPU
				 * was descheduled */
#define PINGS_MAX	64u
#define CPU_LIMIT	(HZ / 4)
#define LIMIT		HZ	/* time limit for all CPUs together */
#define SPINS		4096

static u64 ns_to_ticks(u64 ns)
{
	return mul_u64_u32_div(ns, tsc_khz, 1000000) + 1;
}

/* Reads the time stamp counter and the clock. May be called wherever ktime_get_ns() may. */
void ilk_clock_read(struct ilk_timestamp_pair *reading)
{
	u64 before, after, now, width = U64_MAX;
	unsigned long flags;
	u32 i, cpu;

	memset(reading, 0, sizeof(*reading));
	for (i = 0; i < READ_TRIES; i++) {
		local_irq_save(flags);
		cpu = smp_processor_id();
		before = rdtsc_ordered();
		now = ktime_get_ns();
		after = rdtsc_ordered();
		local_irq_restore(flags);
		if (after - before >= width)
			continue;
		width = after - before;
		reading->tsc = before + width / 2;
		reading->mono_ns = now;
		reading->cpu = cpu;
	}
	reading->error = min_t(u64, (width + 1) / 2 + ns_to_ticks(ktime_get_resolution_ns()), U32_MAX);
}

/* ---- comparing the time stamp counters of two CPUs ---------------------------- */

/**
 * struct ping - one series of questions and answers
 * @asked: number of the last question
 * @answered: number of the last answer
 * @tsc: time stamp counter of the answer; read after @answered
 * @done: the answering CPU does not use this struct any longer
 * @hold: maximum time for which the other CPU waits for questions, in ticks
 */
struct ping {
	u32 asked ____cacheline_aligned;
	u32 answered ____cacheline_aligned;
	u64 tsc;
	bool done;
	u64 hold;
};

static DEFINE_MUTEX(ping_mutex);
static struct ping ping;	/* under ping_mutex; the answering CPU uses it until @done */

/*
 * Answers the questions of one ping, until the last one or for @hold ticks. Runs in hard interrupt
 * context, on the CPU that is asked.
 */
static void answer_pings(void *unused)
{
	u64 begin = rdtsc();
	u32 asked = 0;

	while (asked < ROUNDS && rdtsc() - begin < ping.hold) {
		if (smp_load_acquire(&ping.asked) == asked) {	/* pairs with ask_cpu() */
			cpu_relax();
			continue;
		}
		asked++;
		ping.tsc = rdtsc_ordered();
		smp_store_release(&ping.answered, asked);	/* pairs with is_ping_answered() */
	}
	smp_store_release(&ping.done, true);			/* pairs with is_ping_done() */
}

static bool is_ping_done(void)
{
	return smp_load_acquire(&ping.done);			/* pairs with answer_pings() */
}

static bool is_ping_answered(u32 asked)
{
	return smp_load_acquire(&ping.answered) == asked;	/* pairs with answer_pings() */
}

/*
 * Waits for the answer to a question. Returns false if the other CPU has stopped answering. Gives
 * up the CPU from time to time, because the other CPU may take the interrupt late.
 */
static bool wait_for_answer(u32 asked)
{
	u32 spins;

	for (spins = 1; !is_ping_answered(asked); spins++) {
		if (is_ping_done())
			return is_ping_answered(asked);
		if (spins % SPINS)
			cpu_relax();
		else
			cond_resched();
	}
	return true;
}

static bool ask_cpu(u32 number, struct ilk_cpu_clock *clock)
{
	u64 before, after, error;

	before = rdtsc_ordered();
	smp_store_release(&ping.asked, number);			/* pairs with answer_pings() */
	if (!wait_for_answer(number))
		return false;
	after = rdtsc_ordered();
	error = (after - before + 1) / 2;
	if (!clock->rounds++ || error < clock->error) {
		clock->error = error;
		clock->offset = ping.tsc - (before + (after - before) / 2);
	}
	return true;
}

/*
 * Pings a CPU once: asks it a series of questions. Returns 0, or -errno if the CPU cannot be asked.
 */
static int ping_once(int cpu, struct ilk_cpu_clock *clock)
{
	u32 number;
	int ret;

	ping = (struct ping){ .hold = ns_to_ticks(HOLD_US * 1000) };
	ret = smp_call_function_single(cpu, answer_pings, NULL, 0);
	if (ret)
		return ret;
	for (number = 1; number <= ROUNDS && ask_cpu(number, clock); number++)
		;
	while (!is_ping_done())		/* the interrupt that makes that CPU answer may still be
					 * pending */
		cond_resched();
	return 0;
}

/*
 * Pings a CPU several times, each time with a series of questions. Returns 0, even if no question
 * was answered; or -EINTR.
 */
static int ping_cpu(int cpu, struct ilk_cpu_clock *clock, unsigned long end)
{
	bool good;
	u32 go;

	for (go = 1; go <= PINGS_MAX; go++) {
		if (ping_once(cpu, clock))
			return 0;
		if (fatal_signal_pending(current))
			return -EINTR;
		good = clock->rounds && clock->error <= ns_to_ticks(GOOD_NS);
		if (go >= PINGS_MIN && (good || time_after(jiffies, end)))
			break;
		if (!good)
			usleep_range(500, 2000);
	}
	return 0;
}

/*
 * Pings all other online CPUs. Must be called with migration disabled, so that this CPU stays @self
 * and stays online.
 */
static int ping_all_cpus(u32 self, u32 count, struct ilk_cpu_clock *cpus)
{
	unsigned long end = jiffies + LIMIT;
	int cpu, ret;

	cpus[self].rounds = 1;
	for_each_online_cpu(cpu) {
		if (cpu == self || cpu >= count)
			continue;
		if (time_after(jiffies, end))
			break;
		ret = ping_cpu(cpu, &cpus[cpu], jiffies + CPU_LIMIT);
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * ilk_clock_compare() - read the clock and, if @call has a count, compare CPUs
 * @call: the request, and its result
 * @cpus: zeroed array of @call->count items
 *
 * Comparisons are serialised; a plain reading does not wait for them.
 * Context: Process context, may sleep.
 * Return: 0, -EINTR.
 */
int ilk_clock_compare(struct ilk_clocks *call, struct ilk_cpu_clock *cpus)
{
	int ret = call->count ? mutex_lock_killable(&ping_mutex) : 0;

	if (ret)
		return ret;
	migrate_disable();
	call->reference = raw_smp_processor_id();
	if (call->count)
		ret = ping_all_cpus(call->reference, call->count, cpus);
	ilk_clock_read(&call->pair);
	migrate_enable();
	if (call->count)
		mutex_unlock(&ping_mutex);
	return ret;
}
