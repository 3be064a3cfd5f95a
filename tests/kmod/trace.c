// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * trace.c - an instrument that keeps the stack trace of its last hit
 *
 * Tests use it to check that the kernel can unwind a stack through a patch. The trace is taken
 * inside the instrument function, so it starts in the patch. The parameter "last" shows the trace,
 * one symbol per line. If the parameter "from" is an address, such as the address of a bounce's
 * jump, the parameter "there" shows the trace of an interrupt at this address, with the same stack
 * as at the hit. The trace ends with "broken" if the unwinder gave up.
 */
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/stacktrace.h>
#include <asm/unwind.h>

#include "../../ilk/ilk.h"

#define DEPTH	24

struct trace {
	unsigned long frames[DEPTH];
	unsigned int count;
	bool broken;
};

static struct trace last, there;
static unsigned long from;

/* Returns the frame pointer of the hooked code. The patch preserves the register. */
static unsigned long frame_pointer_at(const struct ilk_regs *regs)
{
	struct unwind_state state;

	unwind_start(&state, current, NULL, NULL);
	while (!unwind_done(&state) && state.sp < (unsigned long)regs - sizeof(u64))
		unwind_next_frame(&state);
	return state.bp;
}

static void trace_from(unsigned long ip, const struct ilk_regs *regs)
{
	struct pt_regs at = {
		.ip = ip, .sp = (unsigned long)(regs + 1), .bp = frame_pointer_at(regs),
		.cs = __KERNEL_CS, .ss = __KERNEL_DS,
	};
	struct unwind_state state;

	there.count = 0;
	unwind_start(&state, current, &at, NULL);
	for (; !unwind_done(&state) && there.count < DEPTH; unwind_next_frame(&state)) {
		ip = unwind_get_return_address(&state);
		if (!ip)
			break;
		there.frames[there.count++] = ip;
	}
	there.broken = unwind_error(&state);
}

static void trace_hit(u32 iid, const struct ilk_regs *regs)
{
	unsigned long ip = READ_ONCE(from);

	last.count = stack_trace_save(last.frames, DEPTH, 0);
	if (ip)
		trace_from(ip, regs);
}

static int trace_get(char *buffer, const struct kernel_param *kp)
{
	const struct trace *shown = kp->arg;
	unsigned int i;
	int length = 0;

	for (i = 0; i < shown->count; i++)
		length += sysfs_emit_at(buffer, length, "%pS\n", (void *)shown->frames[i]);
	if (shown->broken)
		length += sysfs_emit_at(buffer, length, "broken\n");
	return length;
}

static const struct kernel_param_ops trace_ops = { .get = trace_get };
module_param_cb(last, &trace_ops, &last, 0400);
module_param_cb(there, &trace_ops, &there, 0400);
module_param(from, ulong, 0600);

static struct ilk_instrument trace = {
	.owner = THIS_MODULE,
	.name = "gilk-trace",
	.help = "Keeps the stack trace of the last hit; for tests",
	.version = 1,
	.flags = ILK_INSTRUMENT_REGS,
	.fn = trace_hit,
};

static int __init look_back_init(void)
{
	return ilk_instrument_register(&trace);
}

static void __exit look_back_exit(void)
{
	ilk_instrument_unregister(&trace);
}

module_init(look_back_init);
module_exit(look_back_exit);
MODULE_DESCRIPTION("Gilk: the stack behind a patch");
MODULE_LICENSE("GPL");
