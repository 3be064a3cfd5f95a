// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-visit.c - the two parts of a grace period: a visit of every CPU, then RCU-tasks
 *
 * A visit is a work item that runs on a CPU in a thread of its own, to which
 * the CPU must switch from the thread it ran when the visit started. Where a
 * thread can be, and which part waits for it to leave:
 *
 *   running, preemption off	the visit: the CPU cannot switch before preemption is on
 *   in an interrupt or NMI	the visit: the CPU cannot switch before the interrupt ends
 *   idle			the visit: a switch to the visitor leaves all functions that
 *				do_idle() called. RCU-tasks does not wait for idle tasks
 *				(rcu_tasks_pertask() in 6.1, rcu_tasks_is_holdout() in 6.12)
 *   last steps of do_exit()	the visit: after exit_tasks_rcu_finish() preemption is off
 *				until the task is dead
 *   running or preempted	RCU-tasks: waits until the thread has switched voluntarily,
 *				or was in user mode
 *   asleep			neither: the thread sleeps below a call, or in a page fault,
 *				and later continues there. ilk-retire.c waits for threads in
 *				a slot, ilk-grace.c for threads in a footprint
 *
 * No thread is on a CPU that is down; under cpus_read_lock() a CPU is either up or
 * down. A visitor that finds itself on another CPU checks this under the lock, and
 * is sent again if the CPU is up.
 *
 * synchronize_rcu_tasks_rude() of 6.1 and 6.12 does the same with
 * schedule_on_each_cpu(); from 6.13 on it may return at once (unless
 * CONFIG_FORCE_TASKS_RUDE_RCU), as ftrace needs no wait on these kernels. This file
 * does the same on every kernel.
 *
 * A thread that is busy in the kernel can hold up RCU-tasks for hours. So all
 * waits are TASK_IDLE, as RCU-tasks' own are from 6.6 on: they count neither as
 * load nor as hung tasks.
 */
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/rcupdate_wait.h>
#include <linux/sched.h>
#include <linux/workqueue.h>

#include "ilk-compat.h"
#include "ilk-retire.h"
#include "ilk.h"

struct party {
	atomic_t left;			/* number of work items that have not finished, plus 1
					 * while the thread that queues them has not queued all */
	struct completion done;
};

struct visit {
	struct work_struct work;
	int cpu;
	void (*act)(void *data);	/* function to call on the CPU; NULL: only visit */
	void *data;
	struct party *party;
};

static struct workqueue_struct *visitors;
static struct visit __percpu *visits;	/* one struct visit (work item) per CPU, for
					 * ilk_visit_all() */
static struct party all_cpus_party;

static void finish_visit(struct party *party)
{
	if (atomic_dec_and_test(&party->left))
		complete(&party->done);
}

/*
 * Queues the work item of a visit, which makes its CPU switch to another thread. Returns false if
 * the CPU is down.
 */
static bool send_visitor(struct visit *visit)
{
	bool up;

	cpus_read_lock();
	up = cpu_online(visit->cpu);
	if (up)
		queue_work_on(visit->cpu, visitors, &visit->work);
	cpus_read_unlock();
	return up;
}

static void visit_fn(struct work_struct *work)
{
	struct visit *visit = container_of(work, struct visit, work);
	bool there = raw_smp_processor_id() == visit->cpu;

	if (!there) {
		schedule_timeout_idle(1);
		if (send_visitor(visit))
			return;
	}
	if (there && visit->act)
		visit->act(visit->data);
	finish_visit(visit->party);
}

static void wait_for_party(struct party *party)
{
	finish_visit(party);
	wait_for_completion_state(&party->done, TASK_IDLE);
}

static void start_party(struct party *party)
{
	atomic_set(&party->left, 1);
	init_completion(&party->done);
}

/**
 * ilk_visit_all() - wait until each CPU has switched to another thread, or is down
 *
 * Context: Process context, sleeps. One caller at a time.
 */
void ilk_visit_all(void)
{
	struct visit *visit;
	int cpu;

	start_party(&all_cpus_party);
	for_each_possible_cpu(cpu) {
		visit = per_cpu_ptr(visits, cpu);
		atomic_inc(&all_cpus_party.left);
		if (!send_visitor(visit))
			finish_visit(&all_cpus_party);
	}
	wait_for_party(&all_cpus_party);
}

/**
 * ilk_visit_cpu() - call a function in a thread on a CPU and wait for it
 *
 * Does not call it if the CPU is down.
 * Context: Process context, sleeps.
 */
void ilk_visit_cpu(int cpu, void (*act)(void *data), void *data)
{
	struct party party;
	struct visit visit = { .cpu = cpu, .act = act, .data = data, .party = &party };

	INIT_WORK_ONSTACK(&visit.work, visit_fn);
	start_party(&party);
	atomic_inc(&party.left);
	if (!send_visitor(&visit))
		finish_visit(&party);
	wait_for_party(&party);
	destroy_work_on_stack(&visit.work);
}

/**
 * ilk_visit_tasks() - wait until each task has switched or run in user mode
 *
 * Only voluntary switches count. Like synchronize_rcu_tasks(), but never waits
 * in a state that counts as hung.
 * Context: Process context, sleeps.
 */
void ilk_visit_tasks(void)
{
	struct rcu_synchronize wait;

	init_rcu_head_on_stack(&wait.head);
	init_completion(&wait.completion);
	call_rcu_tasks(&wait.head, wakeme_after_rcu);
	wait_for_completion_state(&wait.completion, TASK_IDLE);
	destroy_rcu_head_on_stack(&wait.head);
}

/*
 * Allocates the work items of visits. Returns 0 or -ENOMEM; ilk_visit_exit() must follow in either
 * case.
 */
int ilk_visit_init(void)
{
	struct visit *visit;
	int cpu;

	visits = alloc_percpu(struct visit);
	visitors = alloc_workqueue("ilk-visit", ILK_WQ_PERCPU | WQ_HIGHPRI, 0);
	if (!visits || !visitors)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		visit = per_cpu_ptr(visits, cpu);
		visit->cpu = cpu;
		visit->party = &all_cpus_party;
		INIT_WORK(&visit->work, visit_fn);
	}
	return 0;
}

/* Frees the work items of visits. Must be called when no task waits for a visit. */
void ilk_visit_exit(void)
{
	if (visitors)
		destroy_workqueue(visitors);
	visitors = NULL;
	free_percpu(visits);
	visits = NULL;
}
