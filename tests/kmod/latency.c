// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * latency.c - measures how long a CPU is kept from its most urgent thread, and by what
 *
 * On each CPU, a timer wakes a thread of the highest priority, which measures its delay: the time
 * for which interrupts or preemption were off, or nothing checked whether to reschedule. While the
 * thread waits, the timer keeps firing and records the interrupted stack, which shows the cause of
 * a long delay. Under QEMU's -icount shift=0 a nanosecond is an instruction, so load on the host
 * does not matter.
 *
 *   /sys/module/gilk_latency/parameters/worst_ns	maximum; reading resets it
 *   /sys/module/gilk_latency/parameters/holds		the longest time of each caller: ns, task,
 *						stack
 */
#include <linux/cpu.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/stacktrace.h>

#include "../../ilk/ilk-compat.h"

#define PERIOD_NS	50000
#define SAMPLE_NS	100000
#define FRAMES		24
#define HOLDS		16
#define INNER_FRAMES	3
#define IRQ_FRAMES	6	/* number of innermost frames that belong to the timer's own code
				 * and are not recorded */

struct hold {
	s64 ns;
	char comm[TASK_COMM_LEN];
	unsigned int count;
	unsigned long stack[FRAMES];
};

struct watch {
	struct task_struct *task;
	struct hrtimer timer;
	bool woken;
	struct hold hold;
};

static DEFINE_PER_CPU(struct watch, watches);
static atomic64_t worst;

static unsigned int hold_ns = 500000;
module_param(hold_ns, uint, 0600);
MODULE_PARM_DESC(hold_ns, "holds longer than this are noted with their stack");

static DEFINE_SPINLOCK(holds_lock);
static struct hold holds[HOLDS];	/* the longest time that each caller kept a CPU */

static enum hrtimer_restart on_timer(struct hrtimer *timer)
{
	struct watch *watch = container_of(timer, struct watch, timer);

	s64 late = ktime_to_ns(ktime_sub(ktime_get(), hrtimer_get_expires(timer)));

	watch->hold.count = 0;
	if (watch->woken || late > SAMPLE_NS) {
		memcpy(watch->hold.comm, current->comm, TASK_COMM_LEN);
		watch->hold.count = stack_trace_save(watch->hold.stack, FRAMES, IRQ_FRAMES);
	}
	if (!watch->woken) {
		watch->woken = true;
		wake_up_process(watch->task);
	}
	hrtimer_forward_now(timer, SAMPLE_NS);
	return HRTIMER_RESTART;
}

/* Compares two stacks without their innermost frames, which depend on the exact address that was
 * interrupted. */
static bool same_caller(const struct hold *a, const struct hold *b)
{
	unsigned int n = a->count > INNER_FRAMES ? a->count - INNER_FRAMES : 0;

	return a->ns && a->count == b->count &&
	       !memcmp(a->stack + INNER_FRAMES, b->stack + INNER_FRAMES, n * sizeof(long));
}

static void note_hold(const struct hold *hold)
{
	struct hold *place = NULL;
	unsigned int i;

	spin_lock(&holds_lock);
	for (i = 0; i < HOLDS && !place; i++)
		if (same_caller(&holds[i], hold))
			place = &holds[i];
	for (i = 0; i < HOLDS && !(place && same_caller(place, hold)); i++)
		if (!place || holds[i].ns < place->ns)
			place = &holds[i];
	if (hold->ns > place->ns)
		*place = *hold;
	spin_unlock(&holds_lock);
}

static int watch_cpu(void *unused)
{
	struct watch *watch = this_cpu_ptr(&watches);
	s64 late, seen;
	ktime_t due;

	while (!kthread_should_stop()) {
		due = ktime_add_ns(ktime_get(), PERIOD_NS);
		watch->woken = false;
		set_current_state(TASK_IDLE);
		hrtimer_start(&watch->timer, due, HRTIMER_MODE_ABS_PINNED_HARD);
		schedule();
		late = ktime_to_ns(ktime_sub(ktime_get(), due));
		hrtimer_cancel(&watch->timer);
		for (seen = atomic64_read(&worst); late > seen; seen = atomic64_read(&worst))
			if (atomic64_cmpxchg(&worst, seen, late) == seen)
				break;
		watch->hold.ns = late;
		if (late > READ_ONCE(hold_ns))
			note_hold(&watch->hold);
	}
	return 0;
}

static int worst_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%lld\n", (long long)atomic64_xchg(&worst, 0));
}

static const struct kernel_param_ops worst_ops = { .get = worst_get };
module_param_cb(worst_ns, &worst_ops, NULL, 0400);

static int show_hold(char *buffer, int at, const struct hold *hold)
{
	unsigned int i;

	at += sysfs_emit_at(buffer, at, "%lld %s:", (long long)hold->ns, hold->comm);
	for (i = 0; i < hold->count; i++)
		at += sysfs_emit_at(buffer, at, " %ps", (void *)hold->stack[i]);
	return at + sysfs_emit_at(buffer, at, "\n");
}

static int holds_get(char *buffer, const struct kernel_param *kp)
{
	struct hold hold;
	unsigned int i;
	int at = 0;

	for (i = 0; i < HOLDS; i++) {
		spin_lock(&holds_lock);
		hold = holds[i];
		holds[i].ns = 0;
		spin_unlock(&holds_lock);
		if (hold.ns)
			at = show_hold(buffer, at, &hold);
		cond_resched();
	}
	return at;
}

static const struct kernel_param_ops holds_ops = { .get = holds_get };
module_param_cb(holds, &holds_ops, NULL, 0400);

static void stop_all(void)
{
	struct watch *watch;
	int cpu;

	for_each_possible_cpu(cpu) {
		watch = &per_cpu(watches, cpu);
		if (!watch->task)
			continue;
		kthread_stop(watch->task);
		hrtimer_cancel(&watch->timer);
	}
}

static int __init latency_init(void)
{
	struct watch *watch;
	int cpu;

	for_each_online_cpu(cpu) {
		struct task_struct *task;

		watch = &per_cpu(watches, cpu);
		ilk_hrtimer_setup(&watch->timer, on_timer, HRTIMER_MODE_ABS_PINNED_HARD);
		task = kthread_create_on_cpu(watch_cpu, NULL, cpu, "gilk_latency/%u");
		if (IS_ERR(task)) {
			stop_all();
			return PTR_ERR(task);
		}
		sched_set_fifo(task);
		watch->task = task;
		wake_up_process(task);
	}
	return 0;
}

static void __exit latency_exit(void)
{
	stop_all();
}

module_init(latency_init);
module_exit(latency_exit);
MODULE_DESCRIPTION("Gilk: how long a CPU is held, and by whom");
MODULE_LICENSE("GPL");
