// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-exits.c - finds tasks in do_exit() that the task list no longer shows
 *
 * A task leaves the task list in the middle of do_exit(), continues to run, and may
 * then sleep in a function that do_exit() calls, within a clone. No exported
 * function finds such a task, and a tracepoint would report only tasks that exit from
 * now on. But RCU-tasks must not miss such tasks either:
 *
 *   up to 6.8	The task is in an SRCU read-side section of RCU-tasks from before it
 *		leaves the list until it has disabled preemption and is about to become TASK_DEAD.
 *		A grace period of RCU-tasks waits until this section has ended, even if
 *		the task sleeps.
 *   from 6.9	As such a wait could deadlock, the task is on a per-CPU list instead, and
 *		RCU-tasks waits only while the task is runnable. So we search the tasks
 *		on these lists.
 *
 * A task is put on such a list before it leaves the task list: if we read the task
 * list first, and these lists after it, we miss no task. When a task has left the
 * section or the list, it never sleeps, and returns only into do_exit(), which is not
 * cloned. So all functions that the task called before that have returned when the
 * rude grace period ends.
 *
 * The lists are RCU-tasks' own. Their layout is taken from 6.12 and used only
 * if the fields on both sides of them have the expected values, for each CPU.
 * If they do not, or the kernel has neither mechanism, patches into which tasks
 * return are refused as unsupported: we could never know when their slots are
 * free.
 */
#include <linux/irq_work.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/rcu_segcblist.h>
#include <linux/rcupdate.h>
#include <linux/sched/task.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

#include "ilk-kernel.h"
#include "ilk-retire.h"
#include "ilk.h"

static bool known;

/*
 * Returns whether all tasks in do_exit() can be found; if not, no clone can be
 * retired safely.
 */
bool ilk_exits_are_known(void)
{
	return known;
}

#ifdef ILK_HAVE_RCU_EXIT_LIST

/*
 * Copy of struct rcu_tasks_percpu of kernel/rcu/tasks.h. The types of all members are in public
 * headers.
 */
struct exit_list {
	struct rcu_segcblist callbacks;
	raw_spinlock_t lock;
	unsigned long jiffies;
	unsigned long lock_retries;
	struct timer_list lazy_timer;
	unsigned int urgent;
	struct work_struct work;
	struct irq_work irq_work;
	struct rcu_head barrier;
	struct list_head blocked;	/* used by RCU-tasks-trace; empty for RCU-tasks */
	struct list_head tasks;		/* tasks, linked by rcu_tasks_exit_list; under @lock */
	int cpu;
	int index;
	void *owner;			/* the struct rcu_tasks to which this list belongs */
};

static struct exit_list __percpu *lists;

static bool is_known_layout(const struct exit_list *list, int cpu, const void *owner)
{
	return list->owner == owner && list->cpu == cpu && list->blocked.next == &list->blocked &&
	       list->blocked.prev == &list->blocked && READ_ONCE(list->tasks.next) &&
	       READ_ONCE(list->tasks.prev);
}

void ilk_exits_init(void)
{
	void *owner = ilk_kernel_data("rcu_tasks");
	int cpu;

	/*
	 * Cast through a number: the compiler of newer kernels uses another address space for
	 * per-CPU pointers.
	 */
	lists = (__force struct exit_list __percpu *)(unsigned long)ilk_kernel_data("rcu_tasks__percpu");
	known = owner && lists && IS_ENABLED(CONFIG_VMAP_STACK);
	for_each_possible_cpu(cpu)
		known = known && is_known_layout(per_cpu_ptr(lists, cpu), cpu, owner);
	if (!known)
		pr_warn("ilk: this kernel's list of exiting tasks is not as the driver knows it: clones will be refused\n");
}

/**
 * ilk_exits_get() - get references to the tasks in do_exit() that RCU-tasks keeps on the list
 * of @cpu
 * @room: size of @tasks
 *
 * Return: number of tasks on the list, which may exceed @room.
 */
int ilk_exits_get(int cpu, struct task_struct **tasks, int room)
{
	struct exit_list *list = per_cpu_ptr(lists, cpu);
	struct task_struct *task;
	unsigned long flags;
	int n = 0;

	if (!known)
		return 0;
	raw_spin_lock_irqsave(&list->lock, flags);
	list_for_each_entry(task, &list->tasks, rcu_tasks_exit_list) {
		/*
		 * Skip the node with which the RCU-tasks thread marks its position while
		 * it pauses: that node is on the thread's stack, and is not part of a task.
		 */
		if (is_vmalloc_addr(&task->rcu_tasks_exit_list))
			continue;
		if (n < room)
			tasks[n] = get_task_struct(task);
		n++;
	}
	raw_spin_unlock_irqrestore(&list->lock, flags);
	return n;
}

void ilk_exits_wait(void)
{
}

#else

void ilk_exits_init(void)
{
	known = IS_ENABLED(CONFIG_TASKS_RCU) && ilk_kernel_data("tasks_rcu_exit_srcu");
	if (!known)
		pr_warn("ilk: this kernel's RCU-tasks is not known to wait for tasks that exit: clones will be refused\n");
}

int ilk_exits_get(int cpu, struct task_struct **tasks, int room)
{
	return 0;
}

/* Waits for all tasks that ilk_exits_get() cannot find. May sleep. */
void ilk_exits_wait(void)
{
	ilk_visit_tasks();
}

#endif
