// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-watch.c - watchpoints: hooks on data, in debug registers
 *
 * Uses a perf breakpoint on each CPU, so that the kernel's own accounting
 * arbitrates between us and other users of the registers (perf, ptrace, kgdb).
 * Breakpoints are created at WATCH, switched on when their start is due, off at
 * their stop and at DISARM, and released with the hook.
 *
 * Locks: ilk_mutex, then cpus_read_lock(), then ilk_watchers_lock. CPU hotplug
 * callbacks hold only the last.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/hw_breakpoint.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <asm/msr.h>
#include <asm/tsc.h>

#include "ilk-watch.h"

LIST_HEAD(ilk_watchers);
DEFINE_MUTEX(ilk_watchers_lock);
static int hotplug_state;

/* ---- one CPU ---------------------------------------------------------------------- */

void ilk_watcher_attr(const struct ilk_watcher_cpu *at, struct perf_event_attr *attr)
{
	static const u32 types[] = {
		[ILK_WATCH_WRITE] = HW_BREAKPOINT_W, [ILK_WATCH_ACCESS] = HW_BREAKPOINT_RW,
		[ILK_WATCH_EXECUTE] = HW_BREAKPOINT_X,
	};

	hw_breakpoint_init(attr);
	attr->bp_addr = at->address ?: ilk_watch_nowhere();
	attr->bp_type = types[at->watcher->access];
	attr->bp_len = at->watcher->bytes;
	attr->disabled = 1;
}

/*
 * Must be called with ilk_watchers_lock held, while @at's CPU stays online, by
 * a task with root's full privileges.
 */
static int open_cpu(struct ilk_watcher_cpu *at)
{
	struct perf_event_attr attr;
	struct perf_event *event;

	ilk_watcher_attr(at, &attr);
	event = perf_event_create_kernel_counter(&attr, at->cpu, NULL, ilk_watch_hit, at);
	at->blind = IS_ERR(event);
	if (IS_ERR(event))
		return PTR_ERR(event);
	at->event = event;
	return 0;
}

/*
 * Starts the breakpoint. Its limit is never 0 while it is on, which would mean
 * no limit.
 */
void ilk_watcher_start_cpu(struct ilk_watcher_cpu *at)
{
	if (!at->address)
		return;
	at->paused = 0;
	at->window = 0;
	at->spent = 0;
	atomic_set(&at->event->event_limit, at->watcher->budget);
	at->event->hw.state = 0;	/* some kernels leave it stopped at the limit */
	perf_event_enable(at->event);
}

static void end_pause(struct ilk_watcher_cpu *at)
{
	if (!at->paused)
		return;
	at->paused_tsc += rdtsc() - at->paused;
	at->pauses++;
	at->paused = 0;
}

static void stop_cpu(struct ilk_watcher_cpu *at)
{
	perf_event_disable(at->event);
	end_pause(at);
}

/*
 * Releases the breakpoint; no access on this CPU is reported after this
 * returns.
 */
static void close_cpu(struct ilk_watcher_cpu *at)
{
	if (!at->event)
		return;
	perf_event_release_kernel(at->event);
	at->event = NULL;
	end_pause(at);
}

/* ---- pauses ----------------------------------------------------------------------- */

static void on_resume(struct work_struct *work)
{
	struct ilk_watcher_cpu *at =
		container_of(to_delayed_work(work), struct ilk_watcher_cpu, resume);

	mutex_lock(&ilk_watchers_lock);
	if (at->event && at->paused && at->watcher->live) {
		if (READ_ONCE(at->event->state) == PERF_EVENT_STATE_ACTIVE) {
			/*
			 * perf has yet to remove it, and would do so after us.
			 */
			queue_delayed_work(ilk_wq, &at->resume, 1);
		} else {
			end_pause(at);
			ilk_watcher_start_cpu(at);
		}
	}
	mutex_unlock(&ilk_watchers_lock);
}

static void on_pause(struct irq_work *irq)
{
	struct ilk_watcher_cpu *at = container_of(irq, struct ilk_watcher_cpu, irq);

	queue_delayed_work(ilk_wq, &at->resume, usecs_to_jiffies(ILK_WATCH_WINDOW_US));
}

/* ---- all CPUs --------------------------------------------------------------------- */

static void start_all(struct ilk_watcher *watcher)
{
	struct ilk_watcher_cpu *at;
	int cpu;

	mutex_lock(&ilk_watchers_lock);
	watcher->last = ilk_watch_value(watcher->cpus[0].address, watcher->bytes);
	for_each_possible_cpu(cpu) {
		at = &watcher->cpus[cpu];
		if (watcher->access != ILK_WATCH_EXECUTE)
			at->last = ilk_watch_value(at->address, watcher->bytes);
		if (at->event)
			ilk_watcher_start_cpu(at);
	}
	watcher->live = true;
	watcher->state = ILK_WATCH_LIVE;
	mutex_unlock(&ilk_watchers_lock);
}

static void stop_all(struct ilk_watcher *watcher, u32 state)
{
	int cpu;

	WRITE_ONCE(ilk_gates[watcher->iid], 0);
	mutex_lock(&ilk_watchers_lock);
	for_each_possible_cpu(cpu)
		if (watcher->cpus[cpu].event)
			stop_cpu(&watcher->cpus[cpu]);
	watcher->live = false;
	watcher->state = state;
	mutex_unlock(&ilk_watchers_lock);
}

static int online_fn(unsigned int cpu)
{
	struct ilk_watcher *watcher;

	mutex_lock(&ilk_watchers_lock);
	list_for_each_entry(watcher, &ilk_watchers, node)
		if (!watcher->cpus[cpu].event && watcher->state <= ILK_WATCH_LIVE &&
		    !open_cpu(&watcher->cpus[cpu]) && watcher->live)
			ilk_watcher_start_cpu(&watcher->cpus[cpu]);
	mutex_unlock(&ilk_watchers_lock);
	return 0;
}

static int offline_fn(unsigned int cpu)
{
	struct ilk_watcher *watcher;

	mutex_lock(&ilk_watchers_lock);
	list_for_each_entry(watcher, &ilk_watchers, node) {
		close_cpu(&watcher->cpus[cpu]);
		watcher->cpus[cpu].blind = false;
	}
	mutex_unlock(&ilk_watchers_lock);
	return 0;
}

/* ---- create, start, stop, free ---------------------------------------------------- */

static struct ilk_watcher *watcher_new(struct ilk_client *client, const struct ilk_watch *item)
{
	struct ilk_watcher *watcher = kvzalloc(struct_size(watcher, cpus, nr_cpu_ids), GFP_KERNEL_ACCOUNT);
	struct ilk_watcher_cpu *at;
	int cpu;

	if (!watcher)
		return NULL;
	INIT_LIST_HEAD(&watcher->node);
	watcher->client = client;
	watcher->hook = ilk_hook_find(item->iid);
	watcher->iid = item->iid;
	watcher->patch = item->patch ? watcher->hook->patch : NULL;
	watcher->aim = item->flags & ILK_WATCH_MOVES ? ilk_watch_aim_new(item->iid) : NULL;
	if (!watcher->aim != !(item->flags & ILK_WATCH_MOVES)) {
		kvfree(watcher);
		return NULL;
	}
	if (watcher->patch)
		watcher->patch->watcher = watcher;
	watcher->gate = item->gate;
	watcher->budget = item->budget ?: ILK_WATCH_BUDGET;
	watcher->timed = !item->budget;
	watcher->access = item->access;
	watcher->bytes = item->bytes;
	watcher->held = item->flags & ILK_WATCH_HELD;
	watcher->own = item->flags & ILK_WATCH_PER_CPU && item->cpu == ILK_WATCH_OWN;
	watcher->offset = item->flags & ILK_WATCH_PER_CPU ? item->address : 0;
	watcher->window_tsc = (u64)tsc_khz * ILK_WATCH_WINDOW_US / 1000;
	watcher->hook->start_ns = item->start_ns;
	watcher->hook->stop_ns = item->stop_ns;
	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		at = &watcher->cpus[cpu];
		at->watcher = watcher;
		at->cpu = cpu;
		at->address = cpu_possible(cpu) && !watcher->aim ? ilk_watch_address(item, cpu) : 0;
		init_irq_work(&at->irq, on_pause);
		INIT_DELAYED_WORK(&at->resume, on_resume);
	}
	return watcher;
}

/*
 * Releases the registers and frees the watchpoint; none of its code runs after
 * this returns. Must be called with ilk_mutex held.
 */
static void watcher_free(struct ilk_watcher *watcher)
{
	int cpu;

	mutex_lock(&ilk_watchers_lock);
	list_del(&watcher->node);
	watcher->live = false;
	for_each_possible_cpu(cpu)
		close_cpu(&watcher->cpus[cpu]);
	mutex_unlock(&ilk_watchers_lock);
	for_each_possible_cpu(cpu) {
		irq_work_sync(&watcher->cpus[cpu].irq);
		cancel_delayed_work_sync(&watcher->cpus[cpu].resume);
	}
	watcher->hook->watcher = NULL;
	if (watcher->patch)
		watcher->patch->watcher = NULL;
	ilk_watch_aim_free(watcher->aim);
	kvfree(watcher);
}

/* Makes sure that no access runs the patch's code after this returns. */
void ilk_watches_leave(struct ilk_patch *patch)
{
	if (patch->watcher)
		watcher_free(patch->watcher);
}

/*
 * Calls @act for each armed watchpoint, for ilk-timer.c. Must be called with
 * ilk_mutex held.
 */
void ilk_watches_each(struct ilk_client *client,
		      void (*act)(struct ilk_client *client, const struct ilk_hook *hook, u64 now), u64 now)
{
	struct ilk_watcher *watcher;

	list_for_each_entry(watcher, &ilk_watchers, node)
		if (watcher->client == client && watcher->armed && watcher->state <= ILK_WATCH_LIVE && !watcher->held)
			act(client, watcher->hook, now);
}

static void tick(struct ilk_watcher *watcher, u64 now)
{
	struct ilk_hook *hook = watcher->hook;

	if (watcher->state == ILK_WATCH_READY && watcher->armed && hook->start_at <= now) {
		WRITE_ONCE(ilk_gates[watcher->iid], !watcher->held);
		start_all(watcher);
	}
	if (watcher->state == ILK_WATCH_LIVE && hook->stop_at && hook->stop_at <= now)
		stop_all(watcher, ILK_WATCH_STOPPED);
}

/*
 * Starts and stops what is due. Must be called with ilk_mutex held, and run
 * time zero known.
 */
void ilk_watches_tick(struct ilk_client *client, u64 now)
{
	struct ilk_watcher *watcher;

	if (!client->zero.mono_ns)
		return;
	list_for_each_entry(watcher, &ilk_watchers, node)
		if (watcher->client == client)
			tick(watcher, now);
}

/*
 * Arms all watchpoints of a client, for now or when they are due. Must be
 * called with ilk_mutex held, and run time zero known.
 */
void ilk_watches_arm(struct ilk_client *client, u64 now)
{
	u64 zero = client->zero.mono_ns;
	struct ilk_watcher *watcher;
	struct ilk_hook *hook;

	list_for_each_entry(watcher, &ilk_watchers, node) {
		hook = watcher->hook;
		if (watcher->client != client || watcher->state != ILK_WATCH_READY)
			continue;
		hook->start_at = hook->start_ns ? zero + hook->start_ns : 0;
		hook->stop_at = hook->stop_ns ? zero + hook->stop_ns : 0;
		watcher->armed = true;
	}
	ilk_watches_tick(client, now);
}

/*
 * Stops all watchpoints of a client. Those never armed stay as they are, unless
 * @forget. Must be called with ilk_mutex held.
 */
void ilk_watches_disarm(struct ilk_client *client, bool forget)
{
	struct ilk_watcher *watcher, *next;

	list_for_each_entry_safe(watcher, next, &ilk_watchers, node) {
		if (watcher->client != client)
			continue;
		if (watcher->state == ILK_WATCH_LIVE)
			stop_all(watcher, ILK_WATCH_STOPPED);
		watcher->armed = false;
		if (forget)
			watcher_free(watcher);
	}
}

static bool is_in(const struct ilk_watcher *watcher, struct module *mod)
{
	int cpu;

	if (watcher->offset && watcher->offset - (unsigned long)mod->percpu < mod->percpu_size)
		return true;
	for_each_possible_cpu(cpu)
		if (within_module(watcher->cpus[cpu].address, mod))
			return true;
	return false;
}

/*
 * Stops watchpoints on variables of a module that is unloaded: their addresses
 * may soon belong to others.
 */
void ilk_watches_module_going(struct module *mod)
{
	struct ilk_watcher *watcher;

	if (list_empty_careful(&ilk_watchers))
		return;
	ilk_lock();
	list_for_each_entry(watcher, &ilk_watchers, node)
		if (watcher->state <= ILK_WATCH_LIVE && is_in(watcher, mod)) {
			if (watcher->aim)
				ilk_watch_leave_address(watcher);
			else
				stop_all(watcher, ILK_WATCH_GONE);
		}
	ilk_unlock();
}

/* ---- WATCH ------------------------------------------------------------------------ */

/*
 * The driver's worker requests the registers: the owner of the file may lack
 * the privileges that perf requires.
 */
struct opening {
	struct work_struct work;
	struct ilk_watcher **watchers;
	u32 count;
	u32 failed;			/* out: index of the one that failed */
	int error;			/* out */
};

static int open_all(struct ilk_watcher *watcher)
{
	int cpu, ret = 0;

	for_each_online_cpu(cpu) {
		ret = open_cpu(&watcher->cpus[cpu]);
		if (ret)
			break;
	}
	return ret;
}

static void open_fn(struct work_struct *work)
{
	struct opening *opening = container_of(work, struct opening, work);
	u32 i;

	cpus_read_lock();
	mutex_lock(&ilk_watchers_lock);
	for (i = 0; i < opening->count && !opening->error; i++) {
		opening->failed = i;
		list_add_tail(&opening->watchers[i]->node, &ilk_watchers);
		opening->error = open_all(opening->watchers[i]);
	}
	mutex_unlock(&ilk_watchers_lock);
	cpus_read_unlock();
}

static enum ilk_refusal refusal_of(int error)
{
	switch (error) {
	case -ENOSPC:
	case -EBUSY:
		return ILK_REFUSAL_WATCH_SLOTS;
	case -ENOMEM:
		return ILK_REFUSAL_TOO_MANY;
	case -EINVAL:
		return ILK_REFUSAL_WATCH_DENIED;	/* refused by the kernel */
	default:
		return ILK_REFUSAL_UNSUPPORTED;
	}
}

/*
 * Returns whether patch @id is prepared to be called for this hook, and no
 * other.
 */
static bool is_code(struct ilk_client *client, const struct ilk_hook *hook, u32 id)
{
	const struct ilk_patch *patch = ilk_patch_find(client, id);

	return patch && hook->patch == patch && list_is_singular(&patch->hooks) && !patch->watcher &&
	       patch->tactic == ILK_TACTIC_WATCH && patch->state == ILK_STATE_PREPARED && !patch->scheduled;
}

static enum ilk_refusal check(struct ilk_client *client, const struct ilk_watch *item)
{
	struct ilk_hook *hook = ilk_hook_find(item->iid);
	struct ilk_hook *gate = ilk_hook_find(item->gate);

	if (!hook || hook->client != client || (item->gate && (!gate || gate->client != client)))
		return ILK_REFUSAL_BAD_ITEM;
	if (hook->watcher || ilk_blocks_hold(client, item->iid) || (!item->patch && hook->patch))
		return ILK_REFUSAL_STATE;
	if (item->patch && !is_code(client, hook, item->patch))
		return ILK_REFUSAL_BAD_ITEM;
	return ilk_watch_check(item);
}

static u32 refuse(struct ilk_watch *item, enum ilk_refusal refusal)
{
	item->refusal = refusal;
	item->error = ilk_refusal_errno(refusal);
	return item->error ? 1 : 0;
}

static int set_locked(struct ilk_client *client, struct ilk_watch *items, u32 count, u32 *failed)
{
	struct ilk_watcher *made[ILK_WATCHES_MAX] = { };
	struct opening opening = { .watchers = made, .count = count };
	enum ilk_refusal all = ilk_text_poisoned() ? ILK_REFUSAL_POISONED : ilk_permit_check();
	u32 i;

	for (i = 0; i < count; i++) {
		*failed += refuse(&items[i], all ?: check(client, &items[i]));
		if (*failed)
			continue;
		made[i] = watcher_new(client, &items[i]);
		*failed += refuse(&items[i], made[i] ? ILK_REFUSAL_NONE : ILK_REFUSAL_TOO_MANY);
		if (made[i])
			made[i]->hook->watcher = made[i];	/* refuses a second use of the iid */
	}
	if (!*failed) {
		INIT_WORK_ONSTACK(&opening.work, open_fn);
		queue_work(ilk_wq, &opening.work);
		flush_work(&opening.work);
		destroy_work_on_stack(&opening.work);
		if (!opening.error) {
			ilk_tell_act(client, "watches set: %u", count);
			return 0;
		}
		*failed = refuse(&items[opening.failed], refusal_of(opening.error));
	}
	for (i = 0; i < count; i++)
		if (made[i])
			watcher_free(made[i]);
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
	ret = set_locked(client, items, call.count, &call.failed);
	ilk_unlock();
	if (ilk_copy_out(call.watches, items, call.count * sizeof(*items)) ||
	    copy_to_user(arg, &call, sizeof(call)))
		ret = -EFAULT;		/* released with the file, or by a DISARM */
	kvfree(items);
	return ret;
}

long ilk_watch_ioctl(struct ilk_client *client, unsigned int cmd, void __user *arg)
{
	return cmd == ILK_IOC_WATCH ? do_watch(client, arg) : ilk_watch_do_tell(client, arg);
}

/* ---- init and exit ------------------------------------------------------------------ */

int ilk_watch_init(void)
{
	hotplug_state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "ilk:watch", online_fn, offline_fn);
	return hotplug_state < 0 ? hotplug_state : 0;
}

/* Must be called at module exit, when no client is left. */
void ilk_watch_exit(void)
{
	cpuhp_remove_state_nocalls(hotplug_state);
	ilk_watch_move_exit();
}
