// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-stacks.c - finds the slots that any task can still return into
 *
 * Called a grace period (ilk-visit.c) after the text that led to these slots was
 * restored. From then on a task can enter such a slot only from the code of another
 * such slot. So it is enough to examine each task once, at any time: if no task is in
 * a slot, below a call made in it, or in code that leads to it, no task enters the slot
 * again. How each kind of task is examined:
 *
 *   switched out	The task's registers are on its stack. We read [thread.sp, top)
 *			word by word, and check whether the task ran in the meantime: its
 *			switch counts and on_cpu change before it runs.
 *   running	The stack is not reliable. A visit of the task's CPU makes the task
 *		switch out; if it is migrated instead, we retry later.
 *   this worker	The stack is read from the worker's own frame on: the frames below it
 *		contain slot addresses during the search.
 *   forked since	The task started on an empty stack.
 *   dead		A task in TASK_DEAD returns to nothing.
 *   exiting	The task is not in the task list during the last part of do_exit():
 *		ilk-exits.c finds it, or makes the caller wait until it is dead.
 *   idle		Idle tasks are not in the task list. Only do_idle(), which is not
 *		cloned, switches them out, and the visit of each CPU made do_idle() do so.
 *   interrupts	All interrupts that started before the grace period have ended.
 *
 * Any word that points into a slot counts, unless the kernel's unwinder
 * guarantees the whole stack, as livepatch requires (below): stacks are full of
 * stale words of earlier frames, and a task that sleeps in a loop does not overwrite
 * them. A stale word may keep a slot longer than needed, never
 * shorter. The function graph tracer and rethooks (kretprobes, fprobes) store
 * return addresses elsewhere, per task; we read those too, as the unwinder
 * does not cover them. All reads are nofault: a stack may be freed while we read it. A task
 * whose stack cannot be read counts as being in every slot.
 *
 * Works task by task, without a lock, and gives up the CPU in between.
 */
#include <linux/ftrace.h>
#include <linux/pid_namespace.h>
#include <linux/rethook.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "ilk-compat.h"
#include "ilk-kernel.h"
#include "ilk-patch.h"
#include "ilk-retire.h"
#include "ilk-slot.h"
#include "ilk.h"

#define RETHOOKS_MAX	1024u	/* maximum number of rethooks of a task; a longer list is
				 * considered corrupt */
#define BUSY_ROUNDS	3

/* stack_trace_save_tsk_reliable(); if NULL, no stack is considered reliable. */
static int (*unwind_reliably)(struct task_struct *task, unsigned long *store, unsigned int size);

enum scan {
	SCAN_DONE,
	SCAN_BUSY,	/* the task is running, or ran during the search */
	SCAN_UNREADABLE,	/* part of the stack could not be read */
};

static void note_holder(struct ilk_search *search, struct task_struct *task, u32 granule)
{
	struct ilk_holder *holder = &search->holders[search->holder_count];

	if (search->holder_count == ILK_HOLDERS_MAX)
		return;
	search->holder_count++;
	holder->granule = granule;
	holder->pid = task->pid;
	memcpy(holder->comm, task->comm, TASK_COMM_LEN);
	holder->comm[TASK_COMM_LEN - 1] = 0;
}

/*
 * Handles a task whose stack could not be read: assumes that the task may return into every slot
 * that is searched for.
 */
static void mark_everywhere(struct ilk_search *search, struct task_struct *task)
{
	bitmap_copy(search->occupied, search->watched, ILK_ARENA_GRANULES);
	if (search->place_count)
		bitmap_fill(search->occupied_places, search->place_count);
	note_holder(search, task, ILK_ANY_GRANULE);
}

/*
 * Returns the index in @places (addresses in kernel text to search for) of @word, at which a task
 * would continue after a fault; @place_count if @places does not contain @word.
 */
static u32 find_place(const struct ilk_search *search, unsigned long word)
{
	u32 low = 0, high = search->place_count, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (search->places[middle] < word)
			low = middle + 1;
		else
			high = middle;
	}
	return low < search->place_count && search->places[low] == word ? low :
									  search->place_count;
}

static void scan_word(struct ilk_search *search, struct task_struct *task, unsigned long word)
{
	u32 granule, place = find_place(search, word);

	if (place < search->place_count)
		__set_bit(place, search->occupied_places);
	if (!ilk_arena_granule(word, &granule) || !test_bit(granule, search->watched))
		return;
	search->hit = true;
	if (!__test_and_set_bit(granule, search->occupied))
		note_holder(search, task, granule);
}

static bool is_watched(const struct ilk_search *search, unsigned long word)
{
	u32 granule;

	return find_place(search, word) < search->place_count ||
	       (ilk_arena_granule(word, &granule) && test_bit(granule, search->watched));
}

typedef void scan_word_fn(struct ilk_search *search, struct task_struct *task, unsigned long word);

static void suspect_word(struct ilk_search *search, struct task_struct *task, unsigned long word)
{
	search->suspect |= is_watched(search, word);
}

static enum scan scan_words(struct ilk_search *search, struct task_struct *task,
			    unsigned long from, unsigned long to, scan_word_fn *scan)
{
	size_t n, i;

	for (from = ALIGN_DOWN(from, sizeof(long)); from < to; from += n * sizeof(long)) {
		n = min_t(size_t, ILK_WORDS_MAX, (to - from) / sizeof(long));
		if (!n)
			break;
		if (copy_from_kernel_nofault(search->words, (void *)from, n * sizeof(long)))
			return SCAN_UNREADABLE;
		for (i = 0; i < n; i++)
			scan(search, task, search->words[i]);
	}
	return SCAN_DONE;
}

/*
 * Returns whether the kernel considers this stack reliable: it can follow the stack
 * from the switch to user space, or to the thread's start, through calls
 * alone, with no interrupt or fault in between. None of the calls may be in
 * the arena, so that the kernel relies only on its own unwind tables, and not
 * on unwind tables that clients supplied.
 *
 * @task is switched out, or was when last checked: the caller verifies that.
 */
static bool is_vouched_for(struct ilk_search *search, struct task_struct *task)
{
	u32 granule;
	int n, i;

	if (!unwind_reliably || task == current)
		return false;
	n = unwind_reliably(task, search->words, ILK_WORDS_MAX);
	for (i = 0; i < n; i++)
		if (is_watched(search, search->words[i]) ||
		    ilk_arena_granule(search->words[i], &granule))
			return false;
	return n > 0;
}

/*
 * Searches a task's stack for words that lead into slots. First only checks whether there is one:
 * most stacks have none, and unwinding is slow. If there is one, and unwinding shows that the stack
 * is not reliable, reads the stack again and marks the slots.
 */
static enum scan scan_stack(struct ilk_search *search, struct task_struct *task,
			    unsigned long from, unsigned long to)
{
	enum scan scan;

	search->suspect = false;
	scan = scan_words(search, task, from, to, suspect_word);
	if (scan != SCAN_DONE || !search->suspect || is_vouched_for(search, task))
		return scan;
	return scan_words(search, task, from, to, scan_word);
}

static enum scan scan_rethooks(struct ilk_search *search, struct task_struct *task)
{
	struct llist_node *at = READ_ONCE(task->rethooks.first);
	struct rethook_node node;
	u32 i;

	for (i = 0; at; i++) {
		if (i == RETHOOKS_MAX ||
		    copy_from_kernel_nofault(&node, container_of(at, struct rethook_node, llist),
					     sizeof(node)))
			return SCAN_UNREADABLE;
		scan_word(search, task, node.ret_addr);
		at = node.llist.next;
	}
	return SCAN_DONE;
}

static enum scan scan_from(struct ilk_search *search, struct task_struct *task, unsigned long sp)
{
	unsigned long stack = (unsigned long)READ_ONCE(task->stack);
	unsigned long graph = (unsigned long)READ_ONCE(task->ret_stack);
	enum scan scan;

	if (!stack || sp < stack || sp >= stack + THREAD_SIZE)
		return SCAN_UNREADABLE;
	scan = scan_stack(search, task, sp, stack + THREAD_SIZE);
	if (scan == SCAN_DONE && graph)
		scan = scan_words(search, task, graph, graph + ilk_graph_stack_used(task),
				  scan_word);
	return scan == SCAN_DONE ? scan_rethooks(search, task) : scan;
}

static bool is_dead_task(const struct task_struct *task)
{
	return READ_ONCE(task->__state) == TASK_DEAD;
}

static unsigned long count_switches(const struct task_struct *task)
{
	return READ_ONCE(task->nvcsw) + READ_ONCE(task->nivcsw);
}

static enum scan scan_task(struct ilk_search *search, struct task_struct *task)
{
	unsigned long before = count_switches(task), sp;
	enum scan scan;

	search->hit = false;
	if (is_dead_task(task))
		return SCAN_DONE;
	if (task == current)
		return scan_from(search, task, search->own_frame);
	smp_rmb(); /* pairs with a context switch, which writes first the switch count, then the
		    * stack pointer, then on_cpu */
	if (READ_ONCE(task->on_cpu))
		return SCAN_BUSY;
	smp_rmb();
	sp = READ_ONCE(task->thread.sp);
	scan = scan_from(search, task, sp);
	smp_rmb();
	if (READ_ONCE(task->on_cpu) || count_switches(task) != before ||
	    READ_ONCE(task->thread.sp) != sp)
		return SCAN_BUSY;
	return scan == SCAN_UNREADABLE && is_dead_task(task) ? SCAN_DONE : scan;
}

/*
 * Wakes a task like klp_send_signals(): no signal is delivered, an interruptible
 * sleep just ends.
 */
static void wake_sleeper(struct task_struct *task)
{
	if (task->flags & PF_KTHREAD)
		ilk_kernel_wake(task, TASK_INTERRUPTIBLE);
	else if (!test_and_set_tsk_thread_flag(task, TIF_NOTIFY_SIGNAL) &&
		 !ilk_kernel_wake(task, TASK_INTERRUPTIBLE))
		kick_process(task);
}

/*
 * Acts on the result of a search of one task's stack. Returns false if the search must be repeated,
 * because the task was running.
 */
static bool handle_scan(struct ilk_search *search, struct task_struct *task, enum scan scan)
{
	if (scan == SCAN_UNREADABLE)
		mark_everywhere(search, task);
	else if (scan == SCAN_DONE && search->hit && search->wake_sleepers && task != current)
		wake_sleeper(task);
	return scan != SCAN_BUSY;
}

/* ---- searching the stacks of running tasks ------------------------------------- */

static void add_busy_task(struct ilk_search *search, struct task_struct *task)
{
	struct task_struct **more;

	if (search->busy_count == search->busy_room) {
		more = krealloc_array(search->busy, search->busy_room + 64, sizeof(*more),
				      GFP_KERNEL);
		if (!more) {
			mark_everywhere(search, task);
			return;
		}
		search->busy = more;
		search->busy_room += 64;
	}
	search->busy[search->busy_count++] = get_task_struct(task);
}

/*
 * Searches again the stacks of tasks that were running. This function runs in a thread on this CPU,
 * so the tasks that ran on this CPU are switched out by now.
 */
static noinline void scan_busy_here(void *data)
{
	struct ilk_search *search = data;
	struct task_struct *task;
	u32 i, left = 0;

	search->own_frame = (unsigned long)__builtin_frame_address(0);
	for (i = 0; i < search->busy_count; i++) {
		task = search->busy[i];
		if (handle_scan(search, task, scan_task(search, task)))
			put_task_struct(task);
		else
			search->busy[left++] = task;
	}
	search->busy_count = left;
}

static void scan_busy_tasks(struct ilk_search *search)
{
	int round, cpu;

	for (round = 0; round < BUSY_ROUNDS; round++)
		for_each_online_cpu(cpu)
			if (search->busy_count)
				ilk_visit_cpu(cpu, scan_busy_here, search);
	if (search->busy_count)
		mark_everywhere(search, search->busy[0]);
}

/* ---- searching the stacks of all tasks ------------------------------------------- */

/*
 * Gets references to at most @room threads of the process with the lowest id that is *@nr or more;
 * sets *@nr to that id. Searches by process, because an exec may swap thread ids, while a thread
 * stays in its process. Returns the number of threads; -ESRCH after the last process.
 */
static int get_threads(pid_t *nr, struct task_struct **threads, int room)
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

static bool grow_batch(struct ilk_search *search, int n)
{
	kvfree(search->batch);
	search->batch_room = n + 64;
	search->batch = kvmalloc_array(search->batch_room, sizeof(*search->batch), GFP_KERNEL);
	return search->batch;
}

/*
 * Searches the stacks of the first @n tasks in the batch, but not of more tasks than the batch has
 * room for.
 */
static void scan_batch(struct ilk_search *search, int n)
{
	struct task_struct *task;
	int i;

	for (i = 0; i < min(n, search->batch_room); i++) {
		task = search->batch[i];
		if (!handle_scan(search, task, scan_task(search, task)))
			add_busy_task(search, task);
		put_task_struct(task);
		cond_resched();
	}
}

static bool scan_listed_tasks(struct ilk_search *search)
{
	pid_t nr = 1;
	int n;

	while ((n = get_threads(&nr, search->batch, search->batch_room)) != -ESRCH) {
		scan_batch(search, n);
		if (n <= search->batch_room)
			nr++;
		else if (!grow_batch(search, n))
			return false;
	}
	return true;
}

/*
 * Searches the stacks of tasks in do_exit(), which are in lists of their own (ilk-exits.c). Must be
 * called after scan_listed_tasks(): a task may move from the task list to an exit list, but not
 * back.
 */
static bool scan_exiting_tasks(struct ilk_search *search)
{
	int cpu, n;

	for_each_possible_cpu(cpu) {
		while ((n = ilk_exits_get(cpu, search->batch, search->batch_room))) {
			scan_batch(search, n);
			if (n <= search->batch_room)
				break;
			if (!grow_batch(search, n))
				return false;
		}
	}
	return true;
}

/* Looks up the kernel's unwinder. Must be called at module init, after ilk_kernel_init(). */
void ilk_stacks_init(void)
{
	if (IS_ENABLED(CONFIG_HAVE_RELIABLE_STACKTRACE))
		unwind_reliably = ilk_kernel_optional("stack_trace_save_tsk_reliable");
}

/**
 * ilk_stacks_search() - find out which of the watched parts of the arena (granules) tasks can
 * return into
 *
 * Context: Process context, sleeps. One caller at a time.
 * Return: false if there was not enough memory.
 */
bool ilk_stacks_search(struct ilk_search *search)
{
	bool done = grow_batch(search, 0) && scan_listed_tasks(search) && scan_exiting_tasks(search);

	if (done)
		scan_busy_tasks(search);
	while (search->busy_count)
		put_task_struct(search->busy[--search->busy_count]);
	kfree(search->busy);
	kvfree(search->batch);
	return done;
}
