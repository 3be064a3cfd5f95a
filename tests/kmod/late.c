// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * late.c - delays the wake-ups of a port's waiters
 *
 * virtio-console gets a message when a client connects or disconnects, and then wakes the port's
 * waiters. This module waits @ms milliseconds before each wake-up. So the port stays hung up for
 * that long between two clients, even if the messages about both are already queued.
 */
#include <linux/delay.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/string.h>

static unsigned int ms = 150;
module_param(ms, uint, 0600);
MODULE_PARM_DESC(ms, "how long a message waits");

static unsigned int waits;
module_param(waits, uint, 0400);
MODULE_PARM_DESC(waits, "how many have waited");

static bool handles_message(unsigned long address)
{
	char name[KSYM_SYMBOL_LEN];

	sprint_symbol_no_offset(name, address);
	return str_has_prefix(name, "control_work_handler") ||
	       str_has_prefix(name, "handle_control_message");
}

/* Delays the wake-up that follows a message of the console. At a function's entry, the return
 * address is on top of the stack. */
static int on_wake(struct kprobe *probe, struct pt_regs *regs)
{
	if (current->flags & PF_WQ_WORKER && handles_message(*(unsigned long *)regs->sp)) {
		waits++;
		mdelay(ms);
	}
	return 0;
}

static struct kprobe probe = { .symbol_name = "__wake_up", .pre_handler = on_wake };

static int __init late_init(void)
{
	return register_kprobe(&probe);
}

static void __exit late_exit(void)
{
	unregister_kprobe(&probe);
}

module_init(late_init);
module_exit(late_exit);
MODULE_DESCRIPTION("Gilk: messages of a port, far apart");
MODULE_LICENSE("GPL");
