// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * busy.c - runs threads that keep a grace period from ending
 *
 * Parameters, all under /sys/module/gilk_busy/parameters:
 *
 *   spin    while it is 1, a thread does nothing but cond_resched(), at each interrupt
 *   stand   write 1: a thread loops in the middle of a footprint, in gilk_stand(); 2: the same
 *           with preemption off; 0: the thread leaves. Read: 1 while the thread is inside
 *   fault   write an address: calls gilk_fault() with it, which may sleep; read: the byte at that
 *           address
 *   passed  read: how often the thread returned correctly from gilk_stand()
 */
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/module.h>

extern int gilk_stand(const u8 *until_zero);
extern unsigned long gilk_fault(unsigned long address);

static struct task_struct *spinner, *stander;
static u8 mode, there;
static unsigned int passed;
static unsigned long seen;

static int spin_thread(void *unused)
{
	/* The machine may rest until its next interrupt: the thread has not slept. */
	while (!kthread_should_stop()) {
		asm volatile("hlt" ::: "memory");
		cond_resched();
	}
	return 0;
}

static int stand_thread(void *unused)
{
	bool alone = READ_ONCE(mode) == 2;

	WRITE_ONCE(there, 1);
	if (alone)
		preempt_disable();
	passed += gilk_stand(&mode) == 7;
	if (alone)
		preempt_enable();
	WRITE_ONCE(there, 0);
	while (!kthread_should_stop())
		msleep(10);
	return 0;
}

static int start_or_stop_thread(struct task_struct **task, int (*fn)(void *), bool on)
{
	if (*task)
		kthread_stop(*task);
	*task = on ? kthread_run(fn, NULL, "gilk-busy") : NULL;
	if (!IS_ERR(*task))
		return 0;
	*task = NULL;
	return -ENOMEM;
}

static int spin_set(const char *words, const struct kernel_param *kp)
{
	return start_or_stop_thread(&spinner, spin_thread, words[0] == '1');
}

static int stand_set(const char *words, const struct kernel_param *kp)
{
	WRITE_ONCE(mode, words[0] - '0');
	return start_or_stop_thread(&stander, stand_thread, words[0] != '0');
}

static int fault_set(const char *words, const struct kernel_param *kp)
{
	unsigned long address, byte;
	int ret = kstrtoul(words, 0, &address);

	if (ret)
		return ret;
	/* The call may sleep; until it returns, other tasks must be able to use this
	 * module's parameters. */
	kernel_param_unlock(THIS_MODULE);
	byte = gilk_fault(address);
	kernel_param_lock(THIS_MODULE);
	seen = byte;
	return 0;
}

static const struct kernel_param_ops fault_ops = { .set = fault_set, .get = param_get_ulong };
static const struct kernel_param_ops spin_ops = { .set = spin_set };
static const struct kernel_param_ops stand_ops = { .set = stand_set, .get = param_get_byte };

module_param_cb(spin, &spin_ops, NULL, 0200);
module_param_cb(stand, &stand_ops, &there, 0600);
module_param_cb(fault, &fault_ops, &seen, 0600);
module_param(passed, uint, 0400);

static int __init busy_init(void)
{
	return 0;
}

static void __exit busy_exit(void)
{
	WRITE_ONCE(mode, 0);
	start_or_stop_thread(&spinner, spin_thread, false);
	start_or_stop_thread(&stander, stand_thread, false);
}

module_init(busy_init);
module_exit(busy_exit);
MODULE_DESCRIPTION("Gilk: threads that others have to wait for");
MODULE_LICENSE("GPL");
