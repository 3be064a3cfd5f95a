// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * clone.c - callers and callees of the functions of clone-target.S
 *
 * Parameters, all under /sys/module/gilk_clone/parameters:
 *
 *   call     write a number: calls gilk_clone_outer(number), which may sleep; read: the result
 *   load     write an address: calls gilk_clone_load(address); read: the result, -14 on a fault
 *   nap      write a number: calls gilk_clone_nap(number), which may sleep; read: the result
 *   stale    write an address: calls gilk_clone_stale(address), which sleeps with the address in
 *            its frame
 *   closed   while it is 1, callers of gilk_clone_wait() sleep, and so do callers of
 *            gilk_clone_last() that are named "gilk-last" and no longer on the task list;
 *            writing 0 wakes them
 *   waiting  read: number of sleeping tasks
 *   trace    read: the stack of the last gilk_clone_wait(), one symbol per line
 */
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/stacktrace.h>
#include <linux/wait.h>

#define DEPTH	24

extern unsigned long gilk_clone_outer(unsigned long);
extern long gilk_clone_load(unsigned long);
noinline unsigned long gilk_clone_wait(unsigned long value);
noinline void gilk_clone_last(void);
noinline void gilk_clone_stale(unsigned long word);
noinline unsigned long gilk_clone_nap(unsigned long value);

static DECLARE_WAIT_QUEUE_HEAD(gate);
static bool closed;
static atomic_t waiting;
static unsigned long frames[DEPTH];
static unsigned int count;
static unsigned long result;
static long loaded;

static void wait_at_gate(void)
{
	if (!READ_ONCE(closed))
		return;
	atomic_inc(&waiting);
	wait_event(gate, !READ_ONCE(closed));
	atomic_dec(&waiting);
}

noinline unsigned long gilk_clone_wait(unsigned long value)
{
	count = stack_trace_save(frames, DEPTH, 0);
	wait_at_gate();
	return value * 2;
}

/* Sleeps if an exiting task calls it. Called by the clone of a function that do_exit() calls. */
noinline void gilk_clone_last(void)
{
	if (!pid_alive(current) && !strcmp(current->comm, "gilk-last"))
		wait_at_gate();
}

/* Sleeps with @word in its stack frame, as if an earlier call had left the word there. */
noinline void gilk_clone_stale(unsigned long word)
{
	unsigned long frame[4];
	int i;

	for (i = 0; i < 4; i++)
		WRITE_ONCE(frame[i], word);
	wait_at_gate();
	/* Keep the words in the stack frame up to this point. */
	barrier_data(frame);
}

/* Returns twice the value; the replacement in livepatch.c returns three times the value. */
noinline unsigned long gilk_clone_nap(unsigned long value)
{
	wait_at_gate();
	return value * 2;
}

static int nap_set(const char *words, const struct kernel_param *kp)
{
	unsigned long value;
	int ret = kstrtoul(words, 0, &value);

	if (ret)
		return ret;
	kernel_param_unlock(THIS_MODULE);
	value = gilk_clone_nap(value);
	kernel_param_lock(THIS_MODULE);
	result = value;
	return 0;
}

static int stale_set(const char *words, const struct kernel_param *kp)
{
	unsigned long word;
	int ret = kstrtoul(words, 0, &word);

	if (ret)
		return ret;
	kernel_param_unlock(THIS_MODULE);
	gilk_clone_stale(word);
	kernel_param_lock(THIS_MODULE);
	return 0;
}

static int call_set(const char *words, const struct kernel_param *kp)
{
	unsigned long value;
	int ret = kstrtoul(words, 0, &value);

	if (ret)
		return ret;
	/* The call may sleep; until it returns, other tasks must be able to use this
	 * module's parameters. */
	kernel_param_unlock(THIS_MODULE);
	value = gilk_clone_outer(value);
	kernel_param_lock(THIS_MODULE);
	result = value;
	return 0;
}

static int load_set(const char *words, const struct kernel_param *kp)
{
	unsigned long address;
	int ret = kstrtoul(words, 0, &address);

	if (!ret)
		loaded = gilk_clone_load(address);
	return ret;
}

static int closed_set(const char *words, const struct kernel_param *kp)
{
	int ret = param_set_bool(words, kp);

	wake_up_all(&gate);
	return ret;
}

static int waiting_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%d\n", atomic_read(&waiting));
}

static int trace_get(char *buffer, const struct kernel_param *kp)
{
	unsigned int i;
	int length = 0;

	for (i = 0; i < count; i++)
		length += sysfs_emit_at(buffer, length, "%pS\n", (void *)frames[i]);
	return length;
}

static const struct kernel_param_ops call_ops = { .set = call_set, .get = param_get_ulong };
static const struct kernel_param_ops stale_ops = { .set = stale_set };
static const struct kernel_param_ops nap_ops = { .set = nap_set, .get = param_get_ulong };
static const struct kernel_param_ops load_ops = { .set = load_set, .get = param_get_long };
static const struct kernel_param_ops closed_ops = { .set = closed_set, .get = param_get_bool };
static const struct kernel_param_ops waiting_ops = { .get = waiting_get };
static const struct kernel_param_ops trace_ops = { .get = trace_get };

module_param_cb(call, &call_ops, &result, 0600);
module_param_cb(stale, &stale_ops, NULL, 0200);
module_param_cb(nap, &nap_ops, &result, 0600);
module_param_cb(load, &load_ops, &loaded, 0600);
module_param_cb(closed, &closed_ops, &closed, 0600);
module_param_cb(waiting, &waiting_ops, NULL, 0400);
module_param_cb(trace, &trace_ops, NULL, 0400);

static int __init clone_init(void)
{
	return 0;
}

static void __exit clone_exit(void)
{
}

module_init(clone_init);
module_exit(clone_exit);
MODULE_DESCRIPTION("Gilk: functions to be cloned");
MODULE_LICENSE("GPL");
