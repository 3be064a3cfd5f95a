// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hold.c - holds the mmap_lock of a process, like a task that is stuck in a page fault
 *
 * Parameters, under /sys/module/gilk_hold/parameters:
 *
 *   pid      write: process whose lock is held from then on, or 0 for none
 *
 * While a task waits for the lock to register or unregister uprobes, no process in the whole system
 * can fork, so a lab accepts no commands. So a shell that was started before must release the lock.
 * In any case the lock is released after HELD_S.
 */
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/sched/mm.h>
#include <linux/workqueue.h>

#define HELD_S		300

static struct mm_struct *held;
static int held_pid;

static void release_waiter(void)
{
	struct mm_struct *mm = xchg(&held, NULL);

	if (!mm)
		return;
	up_read(&mm->mmap_lock);
	mmput(mm);
}

static void on_late(struct work_struct *work)
{
	release_waiter();
}

static DECLARE_DELAYED_WORK(late, on_late);

static int set_pid(const char *text, const struct kernel_param *param)
{
	struct task_struct *task;
	struct mm_struct *mm;
	struct pid *pid;
	int ret = param_set_int(text, param);

	if (ret)
		return ret;
	release_waiter();
	if (!held_pid)
		return 0;
	pid = find_get_pid(held_pid);
	task = get_pid_task(pid, PIDTYPE_PID);
	put_pid(pid);
	if (!task)
		return -ESRCH;
	mm = get_task_mm(task);
	put_task_struct(task);
	if (!mm)
		return -ESRCH;
	down_read(&mm->mmap_lock);
	held = mm;
	mod_delayed_work(system_wq, &late, HELD_S * HZ);
	return 0;
}

static const struct kernel_param_ops pid_ops = { .set = set_pid, .get = param_get_int };

module_param_cb(pid, &pid_ops, &held_pid, 0600);

static int __init hold_init(void)
{
	return 0;
}

static void __exit hold_exit(void)
{
	cancel_delayed_work_sync(&late);
	release_waiter();
}

module_init(hold_init);
module_exit(hold_exit);
MODULE_DESCRIPTION("Gilk: holds the lock of a process's memory in tests");
MODULE_LICENSE("GPL");
