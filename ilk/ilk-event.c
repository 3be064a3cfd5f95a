// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-event.c - counters of events, one of perf's for each CPU
 *
 * A counter belongs to all files that asked for its key, and lives until the memory that was given to them at the
 * same time is freed (ilk-memory.c): no code that reads it can run any more by then.
 *
 * Software counters flip static keys of the kernel, which takes the lock of CPU hotplug. So none is made or given back
 * with that lock held: when CPUs come and go a worker does it, and a CPU has bad values until then.
 *
 * Locks: events_lock, then what perf takes. None of ours is taken within it.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "ilk-internal.h"
#include "ilk-event.h"

static DEFINE_MUTEX(events_lock);
static struct cpumask live;	/* those that are there to stay: set and cleared by hotplug */
static struct cpumask stale;	/* those that went since the worker looked */
static int hotplug_state;

/* ---- one CPU ---------------------------------------------------------------------- */

static struct perf_event **counter_of(u32 slot, int cpu)
{
	return &per_cpu_ptr(ilk_event_cpus, cpu)->counters[slot];
}

/* Context: events_lock. Return: 0, or why it does not count there; then there is none. */
static int open_cpu(u32 slot, int cpu)
{
	u64 key = ilk_event_slots[slot].key;
	struct perf_event_attr attr = {
		.type = ILK_EVENT_TYPE(key), .config = ILK_EVENT_CONFIG(key), .size = sizeof(attr), .pinned = 1,
	};
	struct perf_event *event = perf_event_create_kernel_counter(&attr, cpu, NULL, NULL, NULL);

	if (IS_ERR(event))
		return PTR_ERR(event);
	if (!ilk_event_counts(event, cpu)) {
		perf_event_release_kernel(event);
		return -EBUSY;
	}
	WRITE_ONCE(*counter_of(slot, cpu), event);
	return 0;
}

static void wait_for_reader(void *unused)
{
}

/*
 * Gives the counters of @cpus back. Whoever reads one does so with interrupts off: there an IPI waits, one on each CPU for all
 * of them. Context: events_lock.
 */
static void close_cpus(u32 slot, const struct cpumask *cpus)
{
	bool any = false;
	int cpu;

	for_each_cpu(cpu, cpus) {
		per_cpu_ptr(ilk_event_cpus, cpu)->leaving = *counter_of(slot, cpu);
		any |= *counter_of(slot, cpu) != NULL;
		WRITE_ONCE(*counter_of(slot, cpu), NULL);
	}
	if (any)
		on_each_cpu(wait_for_reader, NULL, 1);
	for_each_cpu(cpu, cpus)
		if (per_cpu_ptr(ilk_event_cpus, cpu)->leaving)
			perf_event_release_kernel(per_cpu_ptr(ilk_event_cpus, cpu)->leaving);
}

/* ---- CPUs that come and go -------------------------------------------------------- */

static void refresh_fn(struct work_struct *work)
{
	static struct cpumask gone;	/* events_lock */
	u32 slot;
	int cpu;

	mutex_lock(&events_lock);
	cpumask_clear(&gone);
	for_each_possible_cpu(cpu)
		if (cpumask_test_and_clear_cpu(cpu, &stale))
			cpumask_set_cpu(cpu, &gone);
	for (slot = 0; slot < ILK_EVENT_SLOTS; slot++)
		close_cpus(slot, &gone);
	for_each_cpu(cpu, &live)
		for (slot = 0; slot < ILK_EVENT_SLOTS; slot++)
			if (ilk_event_slots[slot].users && !*counter_of(slot, cpu))
				open_cpu(slot, cpu);
	mutex_unlock(&events_lock);
}

static DECLARE_WORK(refresh_work, refresh_fn);

static int online_fn(unsigned int cpu)
{
	cpumask_set_cpu(cpu, &live);
	queue_work(ilk_wq, &refresh_work);
	return 0;
}

static int offline_fn(unsigned int cpu)
{
	cpumask_clear_cpu(cpu, &live);
	cpumask_set_cpu(cpu, &stale);
	queue_work(ilk_wq, &refresh_work);
	return 0;
}

/* ---- all CPUs --------------------------------------------------------------------- */

static void close_all(u32 slot)
{
	close_cpus(slot, cpu_possible_mask);
	WRITE_ONCE(ilk_event_slots[slot].key, 0);
}

/* Those that are blind are tried again. Return: 0 if it counts somewhere, or why it does not. */
static int open_all(u32 slot, struct ilk_counted *item)
{
	int cpu, ret = -ENODEV, error;

	item->cpus = item->blind = 0;
	for_each_cpu(cpu, &live) {
		error = *counter_of(slot, cpu) ? 0 : open_cpu(slot, cpu);
		if (error == -ENOMEM)
			return error;
		if (error && ret)
			ret = error;
		if (!error)
			ret = 0;
		item->cpus += !error;
		item->blind += error != 0;
	}
	return ret;
}

/* One that has @key, or may get it; ILK_EVENT_SLOTS: there is none. */
static u32 find_slot(u64 key)
{
	u32 slot, unused = ILK_EVENT_SLOTS;

	for (slot = 0; slot < ILK_EVENT_SLOTS; slot++) {
		if (ilk_event_slots[slot].key == key)
			return slot;
		if (!ilk_event_slots[slot].key && unused == ILK_EVENT_SLOTS)
			unused = slot;
	}
	return unused;
}

static enum ilk_refusal refusal_of(int error)
{
	switch (error) {
	case 0:
		return ILK_REFUSAL_NONE;
	case -EBUSY:
	case -ENOSPC:
		return ILK_REFUSAL_EVENT_BUSY;
	case -ENOMEM:
		return ILK_REFUSAL_TOO_MANY;
	default:
		return ILK_REFUSAL_EVENT_MISSING;
	}
}

/* Sets @slot if there is no refusal: one user more has it. */
static enum ilk_refusal get_locked(struct ilk_counted *item, u32 *slot)
{
	enum ilk_refusal refusal;

	lockdep_assert_held(&events_lock);
	*slot = find_slot(item->key);
	if (*slot == ILK_EVENT_SLOTS)
		return ILK_REFUSAL_TOO_MANY;
	WRITE_ONCE(ilk_event_slots[*slot].key, item->key);
	refusal = refusal_of(open_all(*slot, item));
	if (!refusal)
		ilk_event_slots[*slot].users++;
	else if (!ilk_event_slots[*slot].users)
		close_all(*slot);
	return refusal;
}

/* A task of ours asks for it: who owns the file need not be allowed all that perf wants. */
struct getting {
	struct work_struct work;
	struct ilk_counted *item;
	u32 slot;			/* out, these two */
	enum ilk_refusal refusal;
};

static void get_fn(struct work_struct *work)
{
	struct getting *getting = container_of(work, struct getting, work);

	mutex_lock(&events_lock);
	getting->refusal = get_locked(getting->item, &getting->slot);
	mutex_unlock(&events_lock);
}

static enum ilk_refusal get(struct ilk_counted *item, u32 *slot)
{
	struct getting getting = { .item = item };

	INIT_WORK_ONSTACK(&getting.work, get_fn);
	queue_work(ilk_wq, &getting.work);
	flush_work(&getting.work);
	destroy_work_on_stack(&getting.work);
	*slot = getting.slot;
	return getting.refusal;
}

/* Context: process context. No code of who had it can run any more. */
void ilk_event_put(u32 slot)
{
	mutex_lock(&events_lock);
	if (!--ilk_event_slots[slot].users)
		close_all(slot);
	mutex_unlock(&events_lock);
}

/* ---- EVENTS ----------------------------------------------------------------------- */

static bool is_sane(u64 key)
{
	switch (key >> 56 ? ILK_EVENT_TYPE(key) : PERF_TYPE_MAX) {
	case PERF_TYPE_HARDWARE:
	case PERF_TYPE_SOFTWARE:
	case PERF_TYPE_HW_CACHE:
	case PERF_TYPE_RAW:
		return true;
	default:
		return false;
	}
}

/* Sets @slot if there is no refusal. */
static enum ilk_refusal make(struct ilk_counted *item, u32 *slot)
{
	enum ilk_refusal refusal = is_sane(item->key) ? ilk_permit_check() : ILK_REFUSAL_BAD_ITEM;

	item->cpus = item->blind = 0;
	return refusal ?: get(item, slot);
}

static enum ilk_refusal keep(struct ilk_client *client, u32 slot)
{
	int ret = ilk_memory_keep_event(client, slot);

	if (ret)
		ilk_event_put(slot);
	return ret && ret != -EALREADY ? ILK_REFUSAL_TOO_MANY : ILK_REFUSAL_NONE;
}

/* What was made before one that is refused goes with the file's memory. */
static void make_all(struct ilk_client *client, struct ilk_counted *items, u32 count)
{
	u32 i, slot;

	for (i = 0; i < count; i++) {
		items[i].refusal = make(&items[i], &slot);
		if (!items[i].refusal)
			items[i].refusal = keep(client, slot);
		if (items[i].refusal)
			return;
	}
}

/* All of them are there at once, as they would be. */
static void try_all(struct ilk_counted *items, u32 count)
{
	u32 slots[ILK_EVENTS_MAX], i;

	for (i = 0; i < count; i++)
		items[i].refusal = make(&items[i], &slots[i]);
	for (i = 0; i < count; i++)
		if (!items[i].refusal)
			ilk_event_put(slots[i]);
}

static long tell_errors(struct ilk_counted *items, u32 count)
{
	long ret = 0;
	u32 i;

	for (i = 0; i < count; i++) {
		items[i].error = ilk_refusal_errno(items[i].refusal);
		if (!ret)
			ret = items[i].error;
	}
	return ret;
}

long ilk_events_make(struct ilk_client *client, void __user *arg)
{
	struct ilk_counted *items;
	struct ilk_events call;
	long ret;
	u32 i;

	if (copy_from_user(&call, arg, sizeof(call)))
		return -EFAULT;
	if (!call.count || call.count > ILK_EVENTS_MAX || call.flags & ~ILK_EVENTS_TRY)
		return -EINVAL;
	items = ilk_copy_array(call.events, call.count, sizeof(*items));
	if (IS_ERR(items))
		return PTR_ERR(items);
	for (i = 0; i < call.count; i++)
		items[i].refusal = ILK_REFUSAL_NONE;
	if (call.flags & ILK_EVENTS_TRY)
		try_all(items, call.count);
	else
		make_all(client, items, call.count);
	ret = tell_errors(items, call.count);
	if (ilk_copy_out(call.events, items, call.count * sizeof(*items)))
		ret = -EFAULT;
	kvfree(items);
	return ret;
}

/* ---- the driver's ------------------------------------------------------------------ */

int ilk_event_init(void)
{
	ilk_event_cpus = alloc_percpu(struct ilk_event_cpu);
	if (!ilk_event_cpus)
		return -ENOMEM;
	hotplug_state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "ilk:event", online_fn, offline_fn);
	return hotplug_state < 0 ? hotplug_state : 0;
}

/* Context: module exit; no client is left, and ilk_wq has yet to be drained. */
void ilk_event_exit(void)
{
	cpuhp_remove_state_nocalls(hotplug_state);
	cancel_work_sync(&refresh_work);
}

/* Context: ilk_wq is drained, which gives back the last counters. Also where init failed, or was not called. */
void ilk_event_free(void)
{
	free_percpu(ilk_event_cpus);
}
