// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * trace.c - an instrument that looks back: the stack trace of its last hit
 *
 * Rule 6 says that stack traces run through patches unbroken. The trace is
 * taken inside the instrument function, so it begins in the patch; "last" shows
 * it, one symbol a line.
 */
#include <linux/module.h>
#include <linux/stacktrace.h>

#include "../../ilk/ilk.h"

#define DEPTH	24

static unsigned long frames[DEPTH];
static unsigned int count;

static void trace_hit(u32 iid, const struct ilk_regs *regs)
{
	count = stack_trace_save(frames, DEPTH, 0);
}

static int last_get(char *buffer, const struct kernel_param *kp)
{
	unsigned int i;
	int length = 0;

	for (i = 0; i < count; i++)
		length += sysfs_emit_at(buffer, length, "%pS\n", (void *)frames[i]);
	return length;
}

static const struct kernel_param_ops last_ops = { .get = last_get };
module_param_cb(last, &last_ops, NULL, 0400);

static struct ilk_instrument trace = {
	.owner = THIS_MODULE,
	.name = "trace",
	.help = "Keeps the stack trace of the last hit; for tests",
	.version = 1,
	.fn = trace_hit,
};

static int __init trace_init(void)
{
	return ilk_instrument_register(&trace);
}

static void __exit trace_exit(void)
{
	ilk_instrument_unregister(&trace);
}

module_init(trace_init);
module_exit(trace_exit);
MODULE_DESCRIPTION("Gilk: the stack behind a patch");
MODULE_LICENSE("GPL");
