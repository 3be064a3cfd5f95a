// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * latency.c - how long a CPU is held against whoever is most urgent
 *
 * A thread of the highest priority wakes by timer on each CPU and notes how late it
 * was: as long as interrupts or preemption were off. Under QEMU's -icount shift=0 a
 * nanosecond is an instruction, and noise of the machine around does not count.
 *
 *   /sys/module/gilk_latency/parameters/worst_ns	reading it begins anew
 */
#include <linux/cpu.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched.h>

#define PERIOD_NS	50000

static DEFINE_PER_CPU(struct task_struct *, watcher);
static atomic64_t worst;

static int watch(void *unused)
{
	s64 late, seen;
	ktime_t due;

	while (!kthread_should_stop()) {
		due = ktime_add_ns(ktime_get(), PERIOD_NS);
		set_current_state(TASK_IDLE);
		schedule_hrtimeout(&due, HRTIMER_MODE_ABS);
		late = ktime_to_ns(ktime_sub(ktime_get(), due));
		for (seen = atomic64_read(&worst); late > seen; seen = atomic64_read(&worst))
			if (atomic64_cmpxchg(&worst, seen, late) == seen)
				break;
	}
	return 0;
}

static int worst_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%lld\n", (long long)atomic64_xchg(&worst, 0));
}

static const struct kernel_param_ops worst_ops = { .get = worst_get };
module_param_cb(worst_ns, &worst_ops, NULL, 0400);

static void stop_all(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (per_cpu(watcher, cpu))
			kthread_stop(per_cpu(watcher, cpu));
}

static int __init latency_init(void)
{
	struct task_struct *task;
	int cpu;

	for_each_online_cpu(cpu) {
		task = kthread_create_on_cpu(watch, NULL, cpu, "gilk_latency/%u");
		if (IS_ERR(task)) {
			stop_all();
			return PTR_ERR(task);
		}
		sched_set_fifo(task);
		per_cpu(watcher, cpu) = task;
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
MODULE_DESCRIPTION("Gilk: how long a CPU is held");
MODULE_LICENSE("GPL");
