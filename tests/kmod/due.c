// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * due.c - an instrument that makes a reschedule due at each hit
 *
 * It acts like an interrupt that wakes a higher-priority task during the hit. Each sample says
 * whether a reschedule was already due. If the previous hit ended correctly, none is due, with one
 * exception: an interrupt that came in this hit before the instrument was called. So a sample also
 * says whether the CPU took an interrupt since the task's previous hit.
 */
#include <linux/hardirq.h>
#include <linux/kernel_stat.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched.h>

#include "../../ilk/ilk.h"

struct due_sample {
	u32 due;
	u32 alone;
};

/* The last hit on a CPU, and the number of interrupts that the CPU had taken when that hit
 * ended. */
struct due_last {
	struct task_struct *task;
	irq_cpustat_t apic;
	unsigned long devices;
};

static DEFINE_PER_CPU(struct due_last, due_last);

static const struct ilk_field due_fields[] = {
	ILK_FIELD(struct due_sample, due, ILK_FIELD_U32, "", "1: a reschedule was due before the hit"),
	ILK_FIELD(struct due_sample, alone, ILK_FIELD_U32, "", "1: no interrupt since the task's last hit"),
};

/* Returns whether only this task and its hits can have made a reschedule due: the CPU has taken no
 * interrupt since the task's last hit. */
static bool is_alone(const struct due_last *last)
{
	return last->task == current && last->devices == kstat_this_cpu->irqs_sum &&
	       !memcmp(&last->apic, this_cpu_ptr(&irq_stat), sizeof(last->apic));
}

static void note_last(struct due_last *last)
{
	last->task = current;
	last->devices = kstat_this_cpu->irqs_sum;
	last->apic = *this_cpu_ptr(&irq_stat);
}

static void due_hit(u32 iid, const struct ilk_regs *regs)
{
	struct due_last *last = this_cpu_ptr(&due_last);
	/* Only this CPU's flag is read. Another CPU can set it only by an interrupt, which is
	 * counted. */
	struct due_sample sample = { .due = test_preempt_need_resched() };

	sample.alone = is_alone(last);		/* must be called after @due was read */
	ilk_sample(iid, &sample, sizeof(sample));
	set_tsk_need_resched(current);
	set_preempt_need_resched();
	note_last(last);
}

static struct ilk_instrument due_instrument = {
	.owner = THIS_MODULE,
	.name = "due",
	.help = "Makes a reschedule due at each hit",
	.version = 1,
	.sample_bytes = sizeof(struct due_sample),
	.fn = due_hit,
	.fields = due_fields,
	.field_count = ARRAY_SIZE(due_fields),
};

static int __init due_init(void)
{
	return ilk_instrument_register(&due_instrument);
}

static void __exit due_exit(void)
{
	ilk_instrument_unregister(&due_instrument);
}

module_init(due_init);
module_exit(due_exit);
MODULE_DESCRIPTION("Gilk tests: makes a reschedule due at each hit");
MODULE_LICENSE("GPL");
