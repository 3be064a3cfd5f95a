// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * task.c - records which task hit the hook
 *
 * In interrupt context it records the interrupted task.
 */
#include <linux/module.h>
#include <linux/sched.h>

#include "../ilk/ilk.h"

struct task_sample {
	u32 pid;
	char comm[16];
};

static const struct ilk_field task_fields[] = {
	ILK_FIELD(struct task_sample, pid, ILK_FIELD_U32, "", "thread id"),
	ILK_FIELD(struct task_sample, comm, ILK_FIELD_TEXT, "", "name of the thread"),
};

static void task_hit(u32 iid, const struct ilk_regs *regs)
{
	struct task_sample sample;

	sample.pid = current->pid;
	/*
	 * Copies without task_lock(), which must not be taken at a hit. If the name changes
	 * during the copy, the copied name may mix the old and the new one.
	 */
	memcpy(sample.comm, current->comm, sizeof(sample.comm));
	ilk_sample(iid, &sample, sizeof(sample));
}

static struct ilk_instrument task_instrument = {
	.owner = THIS_MODULE,
	.name = "task",
	.help = "Records which thread was running",
	.version = 1,
	.flags = ILK_INSTRUMENT_TIMED,
	.sample_bytes = sizeof(struct task_sample),
	.fn = task_hit,
	.fields = task_fields,
	.field_count = ARRAY_SIZE(task_fields),
};

static int __init task_init(void)
{
	return ilk_instrument_register(&task_instrument);
}

static void __exit task_exit(void)
{
	ilk_instrument_unregister(&task_instrument);
}

module_init(task_init);
module_exit(task_exit);
MODULE_DESCRIPTION("Gilk instrument: running thread");
MODULE_AUTHOR("The Gilk project");
MODULE_LICENSE("GPL");
