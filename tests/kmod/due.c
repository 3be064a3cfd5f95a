// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * due.c - an instrument that makes a reschedule due at each hit
 *
 * It acts like an interrupt that wakes a higher-priority task during the hit. Each sample says
 * whether a reschedule was already due. If the previous hit ended correctly, none is due.
 */
#include <linux/module.h>
#include <linux/sched.h>

#include "../../ilk/ilk.h"

struct due_sample {
	u32 due;
};

static const struct ilk_field due_fields[] = {
	ILK_FIELD(struct due_sample, due, ILK_FIELD_U32, "", "1: a reschedule was due before the hit"),
};

static void due_hit(u32 iid, const struct ilk_regs *regs)
{
	struct due_sample sample = { .due = test_tsk_need_resched(current) };

	ilk_sample(iid, &sample, sizeof(sample));
	set_tsk_need_resched(current);
	set_preempt_need_resched();
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
