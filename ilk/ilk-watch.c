// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-watch.c - watchpoints: hooks on data, which use debug registers
 *
 * Uses a perf breakpoint on each CPU, so that the kernel's own accounting
 * arbitrates between us and other users of the registers (perf, ptrace, kgdb).
 * Breakpoints are created at WATCH, enabled when their start is due, disabled at
 * their stop and at DISARM, and released with the hook.
 *
 * Locks: ilk_mutex, then cpus_read_lock(), then ilk_watchpoints_lock. CPU hotplug
 * callbacks hold only the last one.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/hw_breakpoint.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <asm/msr.h>
#include <asm/tsc.h>

#include "ilk-arm.h"
#include "ilk-check.h"
#include "ilk-client.h"
#include "ilk-driver.h"
#include "ilk-hook.h"
#include "ilk-patch.h"
#include "ilk-report.h"
#include "ilk-stage.h"
#include "ilk-text.h"
#include "ilk-time.h"
#include "ilk-watch-api.h"
#include "ilk-watch.h"
#include "ilk.h"

LIST_HEAD(ilk_watchpoints);
DEFINE_MUTEX(ilk_watchpoints_lock);
static int hotplug_state;

/* ---- the breakpoint of one CPU ---------------------------------------------------- */

void ilk_watchpoint_attr(const struct ilk_watchpoint_cpu *at, struct perf_event_attr *attr)
{
	static const u32 types[] = {
		[ILK_WATCH_WRITE] = HW_BREAKPOINT_W, [ILK_WATCH_ACCESS] = HW_BREAKPOINT_RW,
		[ILK_WATCH_EXECUTE] = HW_BREAKPOINT_X,
	};

	hw_breakpoint_init(attr);
	attr->bp_addr = at->address ?: ilk_watch_idle_address();
	attr->bp_type = types[at->watchpoint->access];
	attr->bp_len = at->watchpoint->bytes;
	attr->disabled = 1;
}

/*
 * Creates a CPU's breakpoint. Must be called with ilk_watchpoints_lock held, while
 * @at's CPU stays online, by a task with root's full privileges.
 */
static int open_breakpoint(struct ilk_watchpoint_cpu *at)
{
	struct perf_event_attr attr;
	struct perf_event *event;

	ilk_watchpoint_attr(at, &attr);
	event = perf_event_create_kernel_counter(&attr, at->cpu, NULL, ilk_watch_hit, at);
	at->blind = IS_ERR(event);
	if (IS_ERR(event))
		return PTR_ERR(event);
	at->event = event;
	return 0;
}

/*
 * Starts a CPU's breakpoint. The event limit is never 0 while the breakpoint is on: 0 would
 * mean no limit.
 */
void ilk_watchpoint_start_cpu(struct ilk_watchpoint_cpu *at)
{
	if (!at->address)
		return;
	at->paused = 0;
	at->window = 0;
	at->spent = 0;
	atomic_set(&at->event->event_limit, at->watchpoint->budget);
	at->event->hw.state = 0;	/* some kernels leave the event stopped after its limit was
					 * used up */
	perf_event_enable(at->event);
}

static void end_pause(struct ilk_watchpoint_cpu *at)
{
	if (!at->paused)
		return;
	at->paused_tsc += rdtsc() - at->paused;
	at->pauses++;
	at->paused = 0;
}

static void stop_breakpoint(struct ilk_watchpoint_cpu *at)
{
	perf_event_disable(at->event);
	end_pause(at);
}

/*
 * Releases a CPU's breakpoint; no access on this CPU is reported after this
 * returns.
 */
static void close_breakpoint(struct ilk_watchpoint_cpu *at)
{
	if (!at->event)
		return;
	perf_event_release_kernel(at->event);
	at->event = NULL;
	end_pause(at);
}

/* ---- pauses of a breakpoint ------------------------------------------------------- */

static void on_resume(struct work_struct *work)
{
	struct ilk_watchpoint_cpu *at =
		container_of(to_delayed_work(work), struct ilk_watchpoint_cpu, resume);

	mutex_lock(&ilk_watchpoints_lock);
	if (at->event && at->paused && at->watchpoint->live) {
		if (READ_ONCE(at->event->state) == PERF_EVENT_STATE_ACTIVE) {
			/*
			 * perf has not removed the breakpoint yet. If the breakpoint were started
			 * now, perf would remove it afterwards.
			 */
			queue_delayed_work(ilk_wq, &at->resume, 1);
		} else {
			end_pause(at);
			ilk_watchpoint_start_cpu(at);
		}
	}
	mutex_unlock(&ilk_watchpoints_lock);
}

static void on_pause(struct irq_work *irq)
{
	struct ilk_watchpoint_cpu *at = container_of(irq, struct ilk_watchpoint_cpu, irq);

	queue_delayed_work(ilk_wq, &at->resume, usecs_to_jiffies(ILK_WATCH_WINDOW_US));
}

/* ---- the breakpoints of all CPUs -------------------------------------------------- */

static void start_watchpoint(struct ilk_watchpoint *watchpoint)
{
	struct ilk_watchpoint_cpu *at;
	int cpu;

	mutex_lock(&ilk_watchpoints_lock);
	watchpoint->last = ilk_watch_value(watchpoint->cpus[0].address, watchpoint->bytes);
	for_each_possible_cpu(cpu) {
		at = &watchpoint->cpus[cpu];
		if (watchpoint->access != ILK_WATCH_EXECUTE)
			at->last = ilk_watch_value(at->address, watchpoint->bytes);
		if (at->event)
			ilk_watchpoint_start_cpu(at);
	}
	watchpoint->live = true;
	watchpoint->state = ILK_WATCH_LIVE;
	mutex_unlock(&ilk_watchpoints_lock);
}

static void stop_watchpoint(struct ilk_watchpoint *watchpoint, u32 state)
{
	int cpu;

	WRITE_ONCE(ilk_gates[watchpoint->iid], 0);
	mutex_lock(&ilk_watchpoints_lock);
	for_each_possible_cpu(cpu)
		if (watchpoint->cpus[cpu].event)
			stop_breakpoint(&watchpoint->cpus[cpu]);
	watchpoint->live = false;
	watchpoint->state = state;
	mutex_unlock(&ilk_watchpoints_lock);
}

static int online_fn(unsigned int cpu)
{
	struct ilk_watchpoint *watchpoint;

	mutex_lock(&ilk_watchpoints_lock);
	list_for_each_entry(watchpoint, &ilk_watchpoints, node)
		if (!watchpoint->cpus[cpu].event && watchpoint->state <= ILK_WATCH_LIVE &&
		    !open_breakpoint(&watchpoint->cpus[cpu]) && watchpoint->live)
			ilk_watchpoint_start_cpu(&watchpoint->cpus[cpu]);
	mutex_unlock(&ilk_watchpoints_lock);
	return 0;
}

static int offline_fn(unsigned int cpu)
{
	struct ilk_watchpoint *watchpoint;

	mutex_lock(&ilk_watchpoints_lock);
	list_for_each_entry(watchpoint, &ilk_watchpoints, node) {
		close_breakpoint(&watchpoint->cpus[cpu]);
		watchpoint->cpus[cpu].blind = false;
	}
	mutex_unlock(&ilk_watchpoints_lock);
	return 0;
}

/* ---- creating, starting, stopping and freeing watchpoints ------------------------- */

static struct ilk_watchpoint *watchpoint_new(struct ilk_client *client, const struct ilk_watch *item)
{
	struct ilk_watchpoint *watchpoint = kvzalloc(struct_size(watchpoint, cpus, nr_cpu_ids), GFP_KERNEL_ACCOUNT);
	struct ilk_watchpoint_cpu *at;
	int cpu;

	if (!watchpoint)
		return NULL;
	INIT_LIST_HEAD(&watchpoint->node);
	watchpoint->client = client;
	watchpoint->hook = ilk_hook_find(item->iid);
	watchpoint->iid = item->iid;
	watchpoint->patch = item->patch ? watchpoint->hook->patch : NULL;
	watchpoint->request = item->flags & ILK_WATCH_MOVABLE ? ilk_watch_request_new(item->iid) : NULL;
	if (!watchpoint->request != !(item->flags & ILK_WATCH_MOVABLE)) {
		kvfree(watchpoint);
		return NULL;
	}
	if (watchpoint->patch)
		watchpoint->patch->watchpoint = watchpoint;
	watchpoint->gate = item->gate;
	watchpoint->budget = item->budget ?: ILK_WATCH_BUDGET;
	watchpoint->timed = !item->budget;
	watchpoint->access = item->access;
	watchpoint->bytes = item->bytes;
	watchpoint->starts_closed = item->flags & ILK_WATCH_GATE_CLOSED;
	watchpoint->each_cpu = item->flags & ILK_WATCH_PER_CPU && item->cpu == ILK_WATCH_EACH_CPU;
	watchpoint->offset = item->flags & ILK_WATCH_PER_CPU ? item->address : 0;
	watchpoint->window_tsc = (u64)tsc_khz * ILK_WATCH_WINDOW_US / 1000;
	watchpoint->hook->start_ns = item->start_ns;
	watchpoint->hook->stop_ns = item->stop_ns;
	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		at = &watchpoint->cpus[cpu];
		at->watchpoint = watchpoint;
		at->cpu = cpu;
		at->address = cpu_possible(cpu) && !watchpoint->request ? ilk_watch_address(item, cpu) : 0;
		init_irq_work(&at->irq, on_pause);
		INIT_DELAYED_WORK(&at->resume, on_resume);
	}
	return watchpoint;
}

/*
 * Releases the registers and frees the watchpoint; none of its code runs after
 * this returns. Must be called with ilk_mutex held.
 */
static void watchpoint_free(struct ilk_watchpoint *watchpoint)
{
	int cpu;

	mutex_lock(&ilk_watchpoints_lock);
	list_del(&watchpoint->node);
	watchpoint->live = false;
	for_each_possible_cpu(cpu)
		close_breakpoint(&watchpoint->cpus[cpu]);
	mutex_unlock(&ilk_watchpoints_lock);
	for_each_possible_cpu(cpu) {
		irq_work_sync(&watchpoint->cpus[cpu].irq);
		cancel_delayed_work_sync(&watchpoint->cpus[cpu].resume);
	}
	watchpoint->hook->watchpoint = NULL;
	if (watchpoint->patch)
		watchpoint->patch->watchpoint = NULL;
	ilk_watch_request_free(watchpoint->request);
	kvfree(watchpoint);
}

/* Makes sure that no access runs the patch's code after this returns. */
void ilk_watches_free_patch(struct ilk_patch *patch)
{
	if (patch->watchpoint)
		watchpoint_free(patch->watchpoint);
}

/*
 * Calls @act for each armed watchpoint, for ilk-timer.c. Must be called with
 * ilk_mutex held.
 */
void ilk_watches_for_each(struct ilk_client *client,
			  void (*act)(struct ilk_client *client, const struct ilk_hook *hook, u64 now), u64 now)
{
	struct ilk_watchpoint *watchpoint;

	list_for_each_entry(watchpoint, &ilk_watchpoints, node)
		if (watchpoint->client == client && watchpoint->armed && watchpoint->state <= ILK_WATCH_LIVE && !watchpoint->starts_closed)
			act(client, watchpoint->hook, now);
}

static void update_watchpoint(struct ilk_watchpoint *watchpoint, u64 now)
{
	struct ilk_hook *hook = watchpoint->hook;

	if (watchpoint->state == ILK_WATCH_READY && watchpoint->armed && hook->start_at <= now) {
		WRITE_ONCE(ilk_gates[watchpoint->iid], !watchpoint->starts_closed);
		start_watchpoint(watchpoint);
	}
	if (watchpoint->state == ILK_WATCH_LIVE && hook->stop_at && hook->stop_at <= now)
		stop_watchpoint(watchpoint, ILK_WATCH_STOPPED);
}

/*
 * Starts and stops watchpoints that are due; does nothing before the run's time
 * zero is known. Must be called with ilk_mutex held.
 */
void ilk_watches_tick(struct ilk_client *client, u64 now)
{
	struct ilk_watchpoint *watchpoint;

	if (!client->zero.mono_ns)
		return;
	list_for_each_entry(watchpoint, &ilk_watchpoints, node)
		if (watchpoint->client == client)
			update_watchpoint(watchpoint, now);
}

/*
 * Arms all watchpoints of a client, at once or at their start time. Must be called with ilk_mutex
 * held, after the run's time zero is known.
 */
void ilk_watches_arm(struct ilk_client *client, u64 now)
{
	u64 zero = client->zero.mono_ns;
	struct ilk_watchpoint *watchpoint;
	struct ilk_hook *hook;

	list_for_each_entry(watchpoint, &ilk_watchpoints, node) {
		hook = watchpoint->hook;
		if (watchpoint->client != client || watchpoint->state != ILK_WATCH_READY)
			continue;
		hook->start_at = hook->start_ns ? zero + hook->start_ns : 0;
		hook->stop_at = hook->stop_ns ? zero + hook->stop_ns : 0;
		watchpoint->armed = true;
	}
	ilk_watches_tick(client, now);
}

/*
 * Stops all watchpoints of a client. Watchpoints that were never armed stay unchanged,
 * unless @forget is set. Must be called with ilk_mutex held.
 */
void ilk_watches_disarm(struct ilk_client *client, bool forget)
{
	struct ilk_watchpoint *watchpoint, *next;

	list_for_each_entry_safe(watchpoint, next, &ilk_watchpoints, node) {
		if (watchpoint->client != client)
			continue;
		if (watchpoint->state == ILK_WATCH_LIVE)
			stop_watchpoint(watchpoint, ILK_WATCH_STOPPED);
		watchpoint->armed = false;
		if (forget)
			watchpoint_free(watchpoint);
	}
}

static bool is_in_module(const struct ilk_watchpoint *watchpoint, struct module *mod)
{
	int cpu;

	if (watchpoint->offset && watchpoint->offset - (unsigned long)mod->percpu < mod->percpu_size)
		return true;
	for_each_possible_cpu(cpu)
		if (within_module(watchpoint->cpus[cpu].address, mod))
			return true;
	return false;
}

/*
 * Stops watchpoints on variables of a module that is unloaded: their addresses may soon be reused.
 */
void ilk_watches_module_going(struct module *mod)
{
	struct ilk_watchpoint *watchpoint;

	if (list_empty_careful(&ilk_watchpoints))
		return;
	ilk_lock();
	list_for_each_entry(watchpoint, &ilk_watchpoints, node)
		if (watchpoint->state <= ILK_WATCH_LIVE && is_in_module(watchpoint, mod)) {
			if (watchpoint->request)
				ilk_watch_clear_address(watchpoint);
			else
				stop_watchpoint(watchpoint, ILK_WATCH_GONE);
		}
	ilk_unlock();
}

/* ---- the WATCH call --------------------------------------------------------------- */

/*
 * Request to the driver's worker to create the breakpoints of watchpoints. The client's own task
 * may lack the privileges that perf requires for this.
 */
struct open_request {
	struct work_struct work;
	struct ilk_watchpoint **watchers;
	u32 count;
	u32 failed;			/* out: index of the watchpoint that failed */
	int error;			/* out */
};

static int open_breakpoints(struct ilk_watchpoint *watchpoint)
{
	int cpu, ret = 0;

	for_each_online_cpu(cpu) {
		ret = open_breakpoint(&watchpoint->cpus[cpu]);
		if (ret)
			break;
	}
	return ret;
}

static void open_fn(struct work_struct *work)
{
	struct open_request *open_request = container_of(work, struct open_request, work);
	u32 i;

	cpus_read_lock();
	mutex_lock(&ilk_watchpoints_lock);
	for (i = 0; i < open_request->count && !open_request->error; i++) {
		open_request->failed = i;
		list_add_tail(&open_request->watchers[i]->node, &ilk_watchpoints);
		open_request->error = open_breakpoints(open_request->watchers[i]);
	}
	mutex_unlock(&ilk_watchpoints_lock);
	cpus_read_unlock();
}

static enum ilk_refusal refusal_from_errno(int error)
{
	switch (error) {
	case -ENOSPC:
	case -EBUSY:
		return ILK_REFUSAL_WATCH_SLOTS;
	case -ENOMEM:
		return ILK_REFUSAL_TOO_MANY;
	case -EINVAL:
		return ILK_REFUSAL_WATCH_DENIED;	/* the kernel refuses to watch this
							 * address */
	default:
		return ILK_REFUSAL_UNSUPPORTED;
	}
}

/*
 * Returns whether patch @id is prepared to run at accesses of this hook's watchpoint,
 * and for no other hook.
 */
static bool is_own_code(struct ilk_client *client, const struct ilk_hook *hook, u32 id)
{
	const struct ilk_patch *patch = ilk_patch_find(client, id);

	return patch && hook->patch == patch && list_is_singular(&patch->hooks) && !patch->watchpoint &&
	       patch->tactic == ILK_TACTIC_WATCH && patch->state == ILK_STATE_PREPARED && !patch->scheduled;
}

static enum ilk_refusal check_watch(struct ilk_client *client, const struct ilk_watch *item)
{
	struct ilk_hook *hook = ilk_hook_find(item->iid);
	struct ilk_hook *gate = ilk_hook_find(item->gate);

	if (!hook || hook->client != client || (item->gate && (!gate || gate->client != client)))
		return ILK_REFUSAL_BAD_ITEM;
	if (hook->watchpoint || ilk_intervals_use_hook(client, item->iid) || (!item->patch && hook->patch))
		return ILK_REFUSAL_STATE;
	if (item->patch && !is_own_code(client, hook, item->patch))
		return ILK_REFUSAL_BAD_ITEM;
	return ilk_watch_check(item);
}

static u32 refuse_watch(struct ilk_watch *item, enum ilk_refusal refusal)
{
	item->refusal = refusal;
	item->error = ilk_refusal_errno(refusal);
	return item->error ? 1 : 0;
}

static int set_watches_locked(struct ilk_client *client, struct ilk_watch *items, u32 count, u32 *failed)
{
	struct ilk_watchpoint *made[ILK_WATCHES_MAX] = { };
	struct open_request open_request = { .watchers = made, .count = count };
	enum ilk_refusal all = ilk_text_is_poisoned() ? ILK_REFUSAL_POISONED : ilk_permit_check();
	u32 i;

	for (i = 0; i < count; i++) {
		*failed += refuse_watch(&items[i], all ?: check_watch(client, &items[i]));
		if (*failed)
			continue;
		made[i] = watchpoint_new(client, &items[i]);
		*failed += refuse_watch(&items[i], made[i] ? ILK_REFUSAL_NONE : ILK_REFUSAL_TOO_MANY);
		if (made[i])
			made[i]->hook->watchpoint = made[i];	/* a second use of the iid is
								 * refused from now on */
	}
	if (!*failed) {
		INIT_WORK_ONSTACK(&open_request.work, open_fn);
		queue_work(ilk_wq, &open_request.work);
		flush_work(&open_request.work);
		destroy_work_on_stack(&open_request.work);
		if (!open_request.error) {
			ilk_report_act(client, "watches set: %u", count);
			return 0;
		}
		*failed = refuse_watch(&items[open_request.failed], refusal_from_errno(open_request.error));
	}
	for (i = 0; i < count; i++)
		if (made[i])
			watchpoint_free(made[i]);
	for (i = 0; i < count; i++)
		if (items[i].error)
			return items[i].error;
	return -EINVAL;
}

static long do_watch(struct ilk_client *client, void __user *arg)
{
	struct ilk_watch_set call;
	struct ilk_watch *items;
	long ret;

	if (copy_from_user(&call, arg, sizeof(call)))
		return -EFAULT;
	if (!call.count || call.count > ILK_WATCHES_MAX || call.failed)
		return -EINVAL;
	items = ilk_copy_array(call.watches, call.count, sizeof(*items));
	if (IS_ERR(items))
		return PTR_ERR(items);
	ilk_lock();
	ret = set_watches_locked(client, items, call.count, &call.failed);
	ilk_unlock();
	if (ilk_copy_out(call.watches, items, call.count * sizeof(*items)) ||
	    copy_to_user(arg, &call, sizeof(call)))
		ret = -EFAULT;		/* the watchpoints are released with the file, or by a
					 * DISARM */
	kvfree(items);
	return ret;
}

long ilk_watch_ioctl(struct ilk_client *client, unsigned int cmd, void __user *arg)
{
	return cmd == ILK_IOC_WATCH ? do_watch(client, arg) : ilk_watch_do_status(client, arg);
}

/* ---- init and exit ------------------------------------------------------------------ */

int ilk_watch_init(void)
{
	hotplug_state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "ilk:watch", online_fn, offline_fn);
	return hotplug_state < 0 ? hotplug_state : 0;
}

/* Ends the handling of CPU hotplug and of moves. Must be called when no client is left. */
void ilk_watch_exit(void)
{
	cpuhp_remove_state_nocalls(hotplug_state);
	ilk_watch_move_exit();
}
