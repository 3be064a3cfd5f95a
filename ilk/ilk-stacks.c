// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-stacks.c - can any task still return into these slots?
 *
 * Asked a grace period (rude, then RCU-tasks) after the text that led there was
 * restored. From then on nobody new comes in: a task is in a slot, or below a call
 * made in one, only if it was before. So what a task was once seen to be clear of, it
 * stays clear of, and each task has to be seen once, at any moment of its own:
 *
 *   switched out	its registers are on its stack; we read [thread.sp, top) word by
 *		word, and again whether it was switched in meanwhile: its switch
 *		counts and on_cpu tell, for they change before it runs
 *   running	nothing on its stack is to be relied on. A visit of its CPU makes it
 *		a switched out one, unless it is moved on: then we ask later
 *   ourselves	from the worker's own frame on; what is below knows slots by duty
 *   forked since	begins on an empty stack
 *   dead		TASK_DEAD never returns anywhere
 *   exiting	is off the task list for the last part of do_exit(): ilk-exits.c leads to
 *		it, or has the caller wait for its end
 *   idle		not in the list. It is switched out only by do_idle(), which is not
 *		cloned, and the rude grace period had each of them do that
 *   interrupts	have ended with the grace period, on whatever stack they ran
 *
 * Any word that points into a slot counts, so stale ones may hold a slot longer than
 * needed, never shorter. The function graph tracer and rethooks (kretprobes, fprobes)
 * keep return addresses elsewhere, per task; we read those too. All reads are nofault:
 * a stack may be freed under us, and what cannot be read is not clear.
 *
 * Task by task, without a lock and with the CPU given up in between.
 */
#include <linux/ftrace.h>
#include <linux/pid_namespace.h>
#include <linux/rethook.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "ilk-internal.h"
#include "ilk-compat.h"

#define CHUNK		256u	/* words read at a time */
#define RETHOOKS_MAX	1024u	/* per task; more is not believed */
#define BUSY_ROUNDS	3

enum look {
	LOOK_CLEAR,
	LOOK_HIT,	/* a word leads into a slot */
	LOOK_BUSY,	/* it runs, or ran meanwhile */
	LOOK_BLIND,	/* something could not be read */
};

struct search {
	const unsigned long *granules;
	unsigned long own_frame;	/* of the thread that looks */
	struct ilk_holder *holder;
	struct task_struct **batch;	/* references to look at next */
	int batch_room;
	struct task_struct **busy;
	u32 busy_count, busy_room;
	bool clear;			/* so far, of those that were busy */
	unsigned long words[CHUNK];
};

static bool leads_there(const struct search *search, unsigned long word)
{
	unsigned long offset = word - ilk_arena_base();

	return offset < ILK_ARENA_BYTES && test_bit(offset / ILK_GRANULE, search->granules);
}

static enum look look_at_words(struct search *search, unsigned long from, unsigned long to)
{
	size_t n, i;

	for (from = ALIGN_DOWN(from, sizeof(long)); from < to; from += n * sizeof(long)) {
		n = min_t(size_t, CHUNK, (to - from) / sizeof(long));
		if (!n)
			break;
		if (copy_from_kernel_nofault(search->words, (void *)from, n * sizeof(long)))
			return LOOK_BLIND;
		for (i = 0; i < n; i++)
			if (leads_there(search, search->words[i]))
				return LOOK_HIT;
	}
	return LOOK_CLEAR;
}

static enum look look_at_rethooks(const struct search *search, struct task_struct *task)
{
	struct llist_node *at = READ_ONCE(task->rethooks.first);
	struct rethook_node node;
	u32 i;

	for (i = 0; at; i++) {
		if (i == RETHOOKS_MAX ||
		    copy_from_kernel_nofault(&node, container_of(at, struct rethook_node, llist),
					     sizeof(node)))
			return LOOK_BLIND;
		if (leads_there(search, node.ret_addr))
			return LOOK_HIT;
		at = node.llist.next;
	}
	return LOOK_CLEAR;
}

static enum look look_from(struct search *search, struct task_struct *task, unsigned long sp)
{
	unsigned long stack = (unsigned long)READ_ONCE(task->stack);
	unsigned long graph = (unsigned long)READ_ONCE(task->ret_stack);
	enum look look;

	if (!stack || sp < stack || sp >= stack + THREAD_SIZE)
		return LOOK_BLIND;
	look = look_at_words(search, sp, stack + THREAD_SIZE);
	if (look == LOOK_CLEAR && graph)
		look = look_at_words(search, graph, graph + ilk_graph_stack_used(task));
	return look == LOOK_CLEAR ? look_at_rethooks(search, task) : look;
}

static bool is_dead(const struct task_struct *task)
{
	return READ_ONCE(task->__state) == TASK_DEAD;
}

static unsigned long switches(const struct task_struct *task)
{
	return READ_ONCE(task->nvcsw) + READ_ONCE(task->nivcsw);
}

static enum look look_at(struct search *search, struct task_struct *task)
{
	unsigned long before = switches(task), sp;
	enum look look;

	if (is_dead(task))
		return LOOK_CLEAR;
	if (task == current)
		return look_from(search, task, search->own_frame);
	smp_rmb(); /* pairs with the order in which a switch is done: count, stack, on_cpu */
	if (READ_ONCE(task->on_cpu))
		return LOOK_BUSY;
	smp_rmb();
	sp = READ_ONCE(task->thread.sp);
	look = look_from(search, task, sp);
	smp_rmb();
	if (READ_ONCE(task->on_cpu) || switches(task) != before ||
	    READ_ONCE(task->thread.sp) != sp)
		return LOOK_BUSY;
	return look == LOOK_BLIND && is_dead(task) ? LOOK_CLEAR : look;
}

static bool found(struct search *search, struct task_struct *task)
{
	search->holder->pid = task->pid;
	memcpy(search->holder->comm, task->comm, TASK_COMM_LEN);
	search->holder->comm[TASK_COMM_LEN - 1] = 0;
	return false;
}

/* ---- tasks that run ------------------------------------------------------------- */

static bool keep_busy(struct search *search, struct task_struct *task)
{
	struct task_struct **more;

	if (search->busy_count == search->busy_room) {
		more = krealloc_array(search->busy, search->busy_room + 64, sizeof(*more),
				      GFP_KERNEL);
		if (!more)
			return false;
		search->busy = more;
		search->busy_room += 64;
	}
	search->busy[search->busy_count++] = get_task_struct(task);
	return true;
}

/* Look at those again that the work item put off this CPU. */
static noinline void look_on_cpu(void *data)
{
	struct search *search = data;
	struct task_struct *task;
	u32 i, left = 0;
	bool clear = true;

	search->own_frame = (unsigned long)__builtin_frame_address(0);
	for (i = 0; i < search->busy_count; i++) {
		task = search->busy[i];
		switch (clear ? look_at(search, task) : LOOK_BUSY) {
		case LOOK_BUSY:
			search->busy[left++] = task;
			continue;
		case LOOK_CLEAR:
			break;
		default:
			clear = found(search, task);
		}
		put_task_struct(task);
	}
	search->busy_count = left;
	search->clear = clear;
}

static bool busy_are_clear(struct search *search)
{
	int round, cpu;

	search->clear = true;
	for (round = 0; round < BUSY_ROUNDS; round++) {
		for_each_online_cpu(cpu) {
			if (!search->busy_count)
				return true;
			ilk_visit_cpu(cpu, look_on_cpu, search);
			if (!search->clear)
				return false;
		}
	}
	if (search->busy_count)
		return found(search, search->busy[0]);
	return true;
}

/* ---- all tasks ------------------------------------------------------------------- */

/* Takes the reference over. */
static bool is_clear_or_busy(struct search *search, struct task_struct *task)
{
	bool good = true;

	switch (look_at(search, task)) {
	case LOOK_CLEAR:
		break;
	case LOOK_BUSY:
		good = keep_busy(search, task) || found(search, task);
		break;
	default:
		good = found(search, task);
	}
	put_task_struct(task);
	return good;
}

/*
 * The threads of the first process whose id is *@nr or more, as references, up to
 * @room of them; *@nr is set to that id. By process, because an exec may swap thread
 * ids, while a thread stays in its process.
 * Return: how many there are; -ESRCH no more processes.
 */
static int threads_from(pid_t *nr, struct task_struct **threads, int room)
{
	struct task_struct *leader, *thread;
	struct pid *pid;
	int n = 0;

	rcu_read_lock();
	pid = find_ge_pid(*nr, &init_pid_ns);
	if (pid) {
		*nr = pid_nr(pid);
		leader = pid_task(pid, PIDTYPE_TGID);
		if (leader) {
			for_each_thread(leader, thread) {
				if (n < room)
					threads[n] = get_task_struct(thread);
				n++;
			}
		}
	}
	rcu_read_unlock();
	return pid ? n : -ESRCH;
}

static bool make_room(struct search *search, int n)
{
	kvfree(search->batch);
	search->batch_room = n + 64;
	search->batch = kvmalloc_array(search->batch_room, sizeof(*search->batch), GFP_KERNEL);
	return search->batch;
}

/* Of @n tasks that there are, those for which the batch had room. */
static bool batch_is_clear(struct search *search, int n)
{
	bool clear = true;
	int i;

	for (i = 0; i < min(n, search->batch_room); i++) {
		if (clear)
			clear = is_clear_or_busy(search, search->batch[i]);
		else
			put_task_struct(search->batch[i]);
		cond_resched();
	}
	return clear;
}

static bool listed_are_clear(struct search *search)
{
	pid_t nr = 1;
	int n;

	while ((n = threads_from(&nr, search->batch, search->batch_room)) != -ESRCH) {
		if (!batch_is_clear(search, n))
			return false;
		if (n <= search->batch_room)
			nr++;
		else if (!make_room(search, n))
			return false;
	}
	return true;
}

/* To be called behind listed_are_clear(): a task may go from there to here. */
static bool exiting_are_clear(struct search *search)
{
	int cpu, n;

	for_each_possible_cpu(cpu) {
		while ((n = ilk_exits_get(cpu, search->batch, search->batch_room))) {
			if (!batch_is_clear(search, n))
				return false;
			if (n <= search->batch_room)
				break;
			if (!make_room(search, n))
				return false;
		}
	}
	return true;
}

/**
 * ilk_stacks_are_clear() - has no task anything on its stack that leads there?
 * @granules: of the arena, that no new task can come into
 * @own_frame: of the worker that calls; its stack is read from there
 * @holder: set to the task in the way, if any
 *
 * Context: Process context, sleeps. One caller at a time.
 */
bool ilk_stacks_are_clear(const unsigned long *granules, unsigned long own_frame,
			  struct ilk_holder *holder)
{
	struct search *search = kzalloc(sizeof(*search), GFP_KERNEL);
	bool clear;

	if (!search)
		return false;
	search->granules = granules;
	search->own_frame = own_frame;
	search->holder = holder;
	clear = make_room(search, 0) && listed_are_clear(search) && exiting_are_clear(search) &&
		busy_are_clear(search);
	while (search->busy_count)
		put_task_struct(search->busy[--search->busy_count]);
	kfree(search->busy);
	kvfree(search->batch);
	kfree(search);
	return clear;
}
