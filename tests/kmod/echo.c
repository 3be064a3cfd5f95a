// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * echo.c - every byte of text that the kernel writes is written twice, for an emulator
 *
 * QEMU drops its translations of a byte before it stores the new one (notdirty_write() in
 * its accel/tcg/cputlb.c). A CPU that translates in between keeps the old byte: a jump label
 * that was flipped stays an int3 for it, and the kernel dies of it, with hooks and without.
 * The second write changes nothing but makes QEMU drop such translations. All writes of live
 * text are made by __text_poke(how, address, bytes, length), under text_mutex, which is held
 * until the return that is probed here.
 *
 * Parameter, under /sys/module/gilk_echo/parameters:
 *
 *   writes    read: how many writes were repeated
 */
#include <linux/kprobes.h>
#include <linux/module.h>

struct write {
	void *addr;
	size_t len;
};

static unsigned long writes;
static void *(*poke)(void *addr, const void *opcode, size_t len);

static int entered(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct write *write = (struct write *)instance->data;

	write->addr = (void *)regs->si;
	write->len = regs->cx;
	return 0;
}

/* The call of text_poke() here is not seen: probes do not nest. */
static int returns(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct write *write = (struct write *)instance->data;

	poke(write->addr, write->addr, write->len);
	writes++;
	return 0;
}
NOKPROBE_SYMBOL(entered);
NOKPROBE_SYMBOL(returns);

static struct kprobe finder = {
	.symbol_name = "text_poke",
	.flags = KPROBE_FLAG_DISABLED,
};

static struct kretprobe probe = {
	.kp.symbol_name = "__text_poke",
	.entry_handler = entered,
	.handler = returns,
	.data_size = sizeof(struct write),
};

static int __init echo_init(void)
{
	int err = register_kprobe(&finder);

	if (err)
		return err;
	poke = (void *)finder.addr;
	unregister_kprobe(&finder);
	return register_kretprobe(&probe);
}

static void __exit echo_exit(void)
{
	unregister_kretprobe(&probe);
}

module_init(echo_init);
module_exit(echo_exit);
module_param(writes, ulong, 0444);
MODULE_DESCRIPTION("Gilk: writes text twice, for emulated CPUs");
MODULE_LICENSE("GPL");
