// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-event.c - event counters: one perf event per CPU
 *
 * A counter is shared by all files that requested its key. Each file's memory pool
 * (ilk-memory.c) holds the counter from the request until the pool is freed; by
 * then the pool's code, which reads the counter, can no longer run.
 *
 * Creating or releasing a software counter flips a static key of the kernel, which takes the
 * CPU hotplug lock. So counters are never created or released with that lock held: when a CPU
 * goes online or offline, a worker creates or releases its counters. Until then, reads on that
 * CPU return ILK_EVENT_BAD.
 *
 * Locks: events_lock, then perf's locks. We do not take other locks while we hold events_lock.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "ilk-arm.h"
#include "ilk-check.h"
#include "ilk-driver.h"
#include "ilk-event.h"
#include "ilk-stage.h"
#include "ilk.h"

static DEFINE_MUTEX(events_lock);
static struct cpumask live;	/* CPUs that are online; set and cleared by hotplug */
static struct cpumask stale;	/* CPUs that went offline since the worker ran */
static int hotplug_state;

/* ---- one CPU ---------------------------------------------------------------------- */

static struct perf_event **counter_at(u32 slot, int cpu)
{
	return &per_cpu_ptr(ilk_event_cpus, cpu)->counters[slot];
}

/*
 * Creates a counter on a CPU. Returns 0, or the reason why the CPU did not get one.
 * Must be called with events_lock held.
 */
static int open_counter(u32 slot, int cpu)
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
	WRITE_ONCE(*counter_at(slot, cpu), event);
	return 0;
}

static void wait_for_reader(void *unused)
{
}

/*
 * Releases the counters of @cpus. Readers run with interrupts off, so one IPI to each CPU waits
 * for all readers there. Must be called with events_lock held.
 */
static void close_counters(u32 slot, const struct cpumask *cpus)
{
	bool any = false;
	int cpu;

	for_each_cpu(cpu, cpus) {
		per_cpu_ptr(ilk_event_cpus, cpu)->leaving = *counter_at(slot, cpu);
		any |= *counter_at(slot, cpu) != NULL;
		WRITE_ONCE(*counter_at(slot, cpu), NULL);
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
	static struct cpumask gone;	/* under events_lock */
	u32 slot;
	int cpu;

	mutex_lock(&events_lock);
	cpumask_clear(&gone);
	for_each_possible_cpu(cpu)
		if (cpumask_test_and_clear_cpu(cpu, &stale))
			cpumask_set_cpu(cpu, &gone);
	for (slot = 0; slot < ILK_EVENT_SLOTS; slot++)
		close_counters(slot, &gone);
	for_each_cpu(cpu, &live)
		for (slot = 0; slot < ILK_EVENT_SLOTS; slot++)
			if (ilk_event_slots[slot].users && !*counter_at(slot, cpu))
				open_counter(slot, cpu);
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

static void close_on_all_cpus(u32 slot)
{
	close_counters(slot, cpu_possible_mask);
	WRITE_ONCE(ilk_event_slots[slot].key, 0);
}

/*
 * Creates counters on all CPUs, also on CPUs where creating a counter failed before. Returns 0 if
 * at least one CPU counts the event, else the reason why no CPU does.
 */
static int open_on_all_cpus(u32 slot, struct ilk_event_counter *item)
{
	int cpu, ret = -ENODEV, error;

	item->cpus = item->blind = 0;
	for_each_cpu(cpu, &live) {
		error = *counter_at(slot, cpu) ? 0 : open_counter(slot, cpu);
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

/*
 * Returns the slot with @key, or else a free slot; ILK_EVENT_SLOTS if there is none.
 */
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

static enum ilk_refusal refusal_from_errno(int error)
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

/* Adds a user to a counter, and sets @slot, unless the counter is refused. */
static enum ilk_refusal acquire_locked(struct ilk_event_counter *item, u32 *slot)
{
	enum ilk_refusal refusal;

	lockdep_assert_held(&events_lock);
	*slot = find_slot(item->key);
	if (*slot == ILK_EVENT_SLOTS)
		return ILK_REFUSAL_TOO_MANY;
	WRITE_ONCE(ilk_event_slots[*slot].key, item->key);
	refusal = refusal_from_errno(open_on_all_cpus(*slot, item));
	if (!refusal)
		ilk_event_slots[*slot].users++;
	else if (!ilk_event_slots[*slot].users)
		close_on_all_cpus(*slot);
	return refusal;
}

/*
 * The driver's worker creates counters: the owner of the file may lack the
 * privileges that perf requires.
 */
struct acquire_work {
	struct work_struct work;
	struct ilk_event_counter *item;
	u32 slot;			/* out, like @refusal */
	enum ilk_refusal refusal;
};

static void acquire_fn(struct work_struct *work)
{
	struct acquire_work *acquire_work = container_of(work, struct acquire_work, work);

	mutex_lock(&events_lock);
	acquire_work->refusal = acquire_locked(acquire_work->item, &acquire_work->slot);
	mutex_unlock(&events_lock);
}

static enum ilk_refusal acquire_counter(struct ilk_event_counter *item, u32 *slot)
{
	struct acquire_work acquire_work = { .item = item };

	INIT_WORK_ONSTACK(&acquire_work.work, acquire_fn);
	queue_work(ilk_wq, &acquire_work.work);
	flush_work(&acquire_work.work);
	destroy_work_on_stack(&acquire_work.work);
	*slot = acquire_work.slot;
	return acquire_work.refusal;
}

/*
 * Removes one user of a counter, once the code of that user can no longer run. Must be called in
 * process context.
 */
void ilk_event_put(u32 slot)
{
	mutex_lock(&events_lock);
	if (!--ilk_event_slots[slot].users)
		close_on_all_cpus(slot);
	mutex_unlock(&events_lock);
}

/* ---- EVENTS ----------------------------------------------------------------------- */

static bool is_valid_key(u64 key)
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

/* Makes the worker create a counter. Sets @slot unless the counter is refused. */
static enum ilk_refusal create_counter(struct ilk_event_counter *item, u32 *slot)
{
	enum ilk_refusal refusal = is_valid_key(item->key) ? ilk_permit_check() : ILK_REFUSAL_BAD_ITEM;

	item->cpus = item->blind = 0;
	return refusal ?: acquire_counter(item, slot);
}

static enum ilk_refusal keep_counter(struct ilk_client *client, u32 slot)
{
	int ret = ilk_memory_keep_event(client, slot);

	if (ret)
		ilk_event_put(slot);
	return ret && ret != -EALREADY ? ILK_REFUSAL_TOO_MANY : ILK_REFUSAL_NONE;
}

/*
 * Creates counters until one is refused. In that case, the counters already created are released
 * with the file's memory.
 */
static void create_counters(struct ilk_client *client, struct ilk_event_counter *items, u32 count)
{
	u32 i, slot;

	for (i = 0; i < count; i++) {
		items[i].refusal = create_counter(&items[i], &slot);
		if (!items[i].refusal)
			items[i].refusal = keep_counter(client, slot);
		if (items[i].refusal)
			return;
	}
}

/*
 * Tests whether counters can be created: creates all of them before releasing any, as in real use.
 */
static void try_counters(struct ilk_event_counter *items, u32 count)
{
	u32 slots[ILK_EVENTS_MAX], i;

	for (i = 0; i < count; i++)
		items[i].refusal = create_counter(&items[i], &slots[i]);
	for (i = 0; i < count; i++)
		if (!items[i].refusal)
			ilk_event_put(slots[i]);
}

static long set_errors(struct ilk_event_counter *items, u32 count)
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

long ilk_events_create(struct ilk_client *client, void __user *arg)
{
	struct ilk_event_counter *items;
	struct ilk_events call;
	long ret;
	u32 i;

	if (copy_from_user(&call, arg, sizeof(call)))
		return -EFAULT;
	if (!call.count || call.count > ILK_EVENTS_MAX || call.flags & ~ILK_EVENTS_PROBE)
		return -EINVAL;
	items = ilk_copy_array(call.events, call.count, sizeof(*items));
	if (IS_ERR(items))
		return PTR_ERR(items);
	for (i = 0; i < call.count; i++)
		items[i].refusal = ILK_REFUSAL_NONE;
	if (call.flags & ILK_EVENTS_PROBE)
		try_counters(items, call.count);
	else
		create_counters(client, items, call.count);
	ret = set_errors(items, call.count);
	if (ilk_copy_out(call.events, items, call.count * sizeof(*items)))
		ret = -EFAULT;
	kvfree(items);
	return ret;
}

/* ---- init and exit ------------------------------------------------------------------ */

int ilk_event_init(void)
{
	ilk_event_cpus = alloc_percpu(struct ilk_event_cpu);
	if (!ilk_event_cpus)
		return -ENOMEM;
	hotplug_state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "ilk:event", online_fn, offline_fn);
	return hotplug_state < 0 ? hotplug_state : 0;
}

/*
 * Must be called at module exit, when no client is left, and before ilk_wq is
 * drained.
 */
void ilk_event_exit(void)
{
	cpuhp_remove_state_nocalls(hotplug_state);
	cancel_work_sync(&refresh_work);
}

/*
 * Must be called after ilk_wq was drained: its work releases the last counters. May
 * also be called if ilk_event_init() failed or was not called.
 */
void ilk_event_free(void)
{
	free_percpu(ilk_event_cpus);
}
