// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-timer.c - starts and stops hooks at their times
 *
 * Each client has one hrtimer that walks a sorted array of events. It expires
 * in hard interrupt context, where gate bytes are flipped at once. Only a task can
 * patch text: for that, the timer queues the client's work, which determines which patches are
 * due. The array changes only while the timer is stopped.
 */
#include <linux/hrtimer.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "ilk-arm.h"
#include "ilk-client.h"
#include "ilk-compat.h"
#include "ilk-driver.h"
#include "ilk-hook.h"
#include "ilk-patch.h"
#include "ilk.h"

#define EVENTS_AT_ONCE	128
#define BREATHER_NS	20000
#define RETRY_DELAY		(2 * HZ)

struct ilk_event {
	u64 at;
	u32 iid;		/* id of the hook whose gate (the byte that switches it on and
				 * off) is set; 0: a patch starts or stops */
	u32 open;		/* 1: open the gate, 0: close it */
};

static enum hrtimer_restart on_timer(struct hrtimer *timer)
{
	struct ilk_client *client = container_of(timer, struct ilk_client, timer);
	u64 now = ktime_get_ns(), next;
	const struct ilk_event *event;
	bool patches = false;
	u32 n = 0;

	while (client->event_next < client->event_count && n++ < EVENTS_AT_ONCE) {
		event = &client->events[client->event_next];
		if (event->at > now)
			break;
		if (event->iid)
			WRITE_ONCE(ilk_gates[event->iid], event->open);
		patches |= !event->iid;
		client->event_next++;
	}
	if (patches)
		queue_work(ilk_wq, &client->work);
	if (client->event_next == client->event_count)
		return HRTIMER_NORESTART;
	next = max(client->events[client->event_next].at, now + BREATHER_NS);
	hrtimer_set_expires(timer, ns_to_ktime(next));
	return HRTIMER_RESTART;
}

static void on_work(struct work_struct *work)
{
	ilk_client_tick(container_of(work, struct ilk_client, work));
}

static void on_retry(struct work_struct *work)
{
	ilk_client_tick(container_of(to_delayed_work(work), struct ilk_client, retry));
}

/*
 * Tries again later to stop a patch. The stop waits until another user removes a kprobe, and the
 * kernel sends no notification of that. Must be called with ilk_mutex held.
 */
void ilk_timer_retry(struct ilk_client *client)
{
	queue_delayed_work(ilk_wq, &client->retry, RETRY_DELAY);
}

void ilk_timer_init(struct ilk_client *client)
{
	ilk_hrtimer_setup(&client->timer, on_timer, HRTIMER_MODE_ABS_HARD);
	INIT_WORK(&client->work, on_work);
	INIT_DELAYED_WORK(&client->retry, on_retry);
}

/* Maximum number of events of a patch or a hook. Only add_times() adds events. */
#define EVENTS_OF_PATCH	2
#define EVENTS_OF_HOOK	2

static size_t count_list(const struct list_head *list)
{
	const struct list_head *at;
	size_t n = 0;

	list_for_each(at, list) {
		n++;
		cond_resched();
	}
	return n;
}

/**
 * ilk_timer_reserve() - allocate room for every event that the client may have
 *
 * Makes sure that ilk_timer_start() cannot fail once text is written.
 * Context: Caller holds ilk_mutex.
 */
int ilk_timer_reserve(struct ilk_client *client)
{
	struct ilk_event *events;
	size_t room;

	room = EVENTS_OF_PATCH * count_list(&client->patches) + EVENTS_OF_HOOK * count_list(&client->hooks);
	if (room <= client->event_room)
		return 0;
	events = kvmalloc_array(room, sizeof(*events), GFP_KERNEL);
	if (!events)
		return -ENOMEM;
	ilk_timer_stop(client);
	if (client->event_count)
		memcpy(events, client->events, client->event_count * sizeof(*events));
	kvfree(client->events);
	client->events = events;
	client->event_room = room;
	if (client->event_next < client->event_count)
		hrtimer_start(&client->timer, ns_to_ktime(events[client->event_next].at),
			      HRTIMER_MODE_ABS_HARD);
	return 0;
}

static void add_event(struct ilk_client *client, u64 at, u32 iid, u32 open)
{
	struct ilk_event *event;

	if (WARN_ON_ONCE(client->event_count >= client->event_room))
		return;
	event = &client->events[client->event_count++];
	event->at = at;
	event->iid = iid;
	event->open = open;
}

/*
 * Adds events for the start and the stop of hook @iid, or of a patch if @iid is 0, unless they
 * have passed.
 */
static void add_times(struct ilk_client *client, u64 start_at, u64 stop_at, u32 iid, u64 now)
{
	if (start_at > now)
		add_event(client, start_at, iid, 1);
	if (stop_at > now)
		add_event(client, stop_at, iid, 0);
}

static void add_events(struct ilk_client *client, struct ilk_patch *patch, u64 now)
{
	struct ilk_hook *hook;

	add_times(client, patch->start_at, patch->stop_at, 0, now);
	list_for_each_entry(hook, &patch->hooks, patch_node) {
		if (!(hook->flags & ILK_HOOK_GATED))
			continue;
		WRITE_ONCE(ilk_gates[hook->iid], hook->start_at <= now &&
			   (!hook->stop_at || hook->stop_at > now));
		add_times(client, hook->start_at, hook->stop_at, hook->iid, now);
	}
}

static int compare_by_time(const void *a, const void *b)
{
	const struct ilk_event *x = a, *y = b;

	cond_resched();		/* sorting may take long: there are up to 100,000 events */
	return x->at < y->at ? -1 : x->at > y->at;
}

/**
 * ilk_timer_start() - (re)build the events of all armed or scheduled patches
 *
 * Context: Caller holds ilk_mutex; ilk_timer_reserve() has succeeded.
 */
void ilk_timer_start(struct ilk_client *client, u64 now)
{
	bool earlier = client->event_next < client->event_count;
	struct ilk_patch *patch;

	ilk_timer_stop(client);
	client->event_count = 0;
	client->event_next = 0;
	ilk_each(patch, &client->patches, node) {
		if (!patch->scheduled ||
		    (patch->state != ILK_STATE_PREPARED && !ilk_patch_is_live(patch)))
			continue;
		add_events(client, patch, now);
		earlier |= patch->stop_at && patch->stop_at <= now;
	}
	sort(client->events, client->event_count, sizeof(*client->events), compare_by_time, NULL);
	if (earlier)		/* starts and stops may have become due since the last call */
		queue_work(ilk_wq, &client->work);
	if (client->event_count)
		hrtimer_start(&client->timer, ns_to_ktime(client->events[0].at),
			      HRTIMER_MODE_ABS_HARD);
}

/*
 * Stops the timer, which opens and closes gates and queues the client's work. The caller may hold
 * ilk_mutex.
 */
void ilk_timer_stop(struct ilk_client *client)
{
	hrtimer_cancel(&client->timer);
}

/*
 * Stops the timer and drops pending events, as the ids in them may soon be reused. Must be
 * called with ilk_mutex held.
 */
void ilk_timer_reset(struct ilk_client *client)
{
	ilk_timer_stop(client);
	client->event_count = 0;
	client->event_next = 0;
}
