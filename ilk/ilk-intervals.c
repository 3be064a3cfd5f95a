// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-intervals.c - switches hooks off and on in intervals
 *
 * A hard interrupt flips one gate byte, which switches all hooks whose code checks that byte. The
 * actual start of each interval is recorded, not the planned start: a late timer makes an interval
 * longer, and the next one shorter. Each interval takes an interrupt of its own, even if it is
 * already over, for example after a long ARM: a thousand intervals in one interrupt would hold the
 * CPU.
 *
 * The timer runs from ilk_intervals_start() to ilk_intervals_stop(), both under
 * ilk_mutex; between these calls only the timer writes the intervals.
 */
#include <linux/hrtimer.h>
#include <linux/slab.h>

#include "ilk-client.h"
#include "ilk-compat.h"
#include "ilk-driver.h"
#include "ilk-hook.h"
#include "ilk-time.h"
#include "ilk.h"

#define BREATHER_NS	20000

/**
 * struct ilk_intervals_run - the intervals of one client
 * @zero: run time zero; ns, CLOCK_MONOTONIC
 * @period: length of an interval, ns
 * @iid: id of the hook whose gate byte is flipped
 * @count: number of intervals
 * @next: number of intervals started; count + 1: the last interval has ended, too
 * @at: start of each interval; valid below @next
 * @ended: the intervals were stopped, and are not started again
 * @on: state of the gate in each interval
 */
struct ilk_intervals_run {
	struct hrtimer timer;
	u64 zero, period;
	u32 iid, count, next;
	u64 *at;
	bool ended;
	u8 on[];
};

static enum hrtimer_restart on_interval(struct hrtimer *timer)
{
	struct ilk_intervals_run *run = container_of(timer, struct ilk_intervals_run, timer);
	u32 k = run->next;
	bool on = k == run->count || run->on[k];
	u64 next = run->zero + (k + 1) * run->period;

	/*
	 * Order the writes so that hooks only take samples in intervals in which they are on.
	 */
	if (on)
		run->at[k] = ktime_get_ns();
	WRITE_ONCE(ilk_gates[run->iid], on);
	if (!on)
		run->at[k] = ktime_get_ns();
	smp_store_release(&run->next, k + 1);	/* pairs with ilk_intervals_get_times() */
	if (k == run->count)
		return HRTIMER_NORESTART;
	hrtimer_set_expires(timer, ns_to_ktime(max(next, run->at[k] + BREATHER_NS)));
	return HRTIMER_RESTART;
}

static bool is_sane(const struct ilk_intervals *call, const u8 *on)
{
	u32 i;

	for (i = 0; i < call->count; i++)
		if (on[i] > 1)
			return false;
	return call->period_ns >= ILK_INTERVAL_MIN_NS &&
	       call->period_ns <= S64_MAX / 4 / ILK_INTERVALS_MAX;
}

static int set_run_locked(struct ilk_client *client, struct ilk_intervals_run *run, u32 iid)
{
	struct ilk_hook *hook = ilk_hook_find(iid);

	if (client->zero.mono_ns)
		return -EBUSY;
	if (run && (!hook || hook->client != client || hook->patch))
		return -ENOENT;
	ilk_intervals_free(client);
	client->intervals = run;
	return 0;
}

/**
 * ilk_intervals_set() - set intervals of hooks on and off, which start at the next run time zero
 * (the first ARM)
 *
 * Return: 0, -EINVAL, -ENOENT the hook is bound, or is not a hook of this client, -EBUSY,
 *     -ENOMEM.
 */
int ilk_intervals_set(struct ilk_client *client, const struct ilk_intervals *call, const u8 *on)
{
	struct ilk_intervals_run *run = NULL;
	int ret;

	if (call->count) {
		if (!is_sane(call, on))
			return -EINVAL;
		run = kvzalloc(struct_size(run, on, call->count), GFP_KERNEL_ACCOUNT);
		if (!run)
			return -ENOMEM;
		run->at = kvcalloc(call->count + 1, sizeof(*run->at), GFP_KERNEL_ACCOUNT);
		if (!run->at) {
			kvfree(run);
			return -ENOMEM;
		}
		ilk_hrtimer_setup(&run->timer, on_interval, HRTIMER_MODE_ABS_HARD);
		run->iid = call->iid;
		run->count = call->count;
		run->period = call->period_ns;
		memcpy(run->on, on, call->count);
	}
	ilk_lock();
	ret = set_run_locked(client, run, call->iid);
	ilk_unlock();
	if (ret && run) {
		kvfree(run->at);
		kvfree(run);
	}
	return ret;
}

/*
 * Starts the timer of the intervals. Must be called with ilk_mutex held, after run time zero (the
 * start of the intervals) is known.
 */
void ilk_intervals_start(struct ilk_client *client)
{
	struct ilk_intervals_run *run = client->intervals;

	if (!run || run->ended)
		return;
	run->zero = client->zero.mono_ns;
	run->next = 0;
	hrtimer_start(&run->timer, ns_to_ktime(run->zero), HRTIMER_MODE_ABS_HARD);
}

/*
 * Stops flipping the gate byte of the intervals, and keeps the recorded times. The caller may hold
 * ilk_mutex.
 */
void ilk_intervals_stop(struct ilk_client *client)
{
	if (!client->intervals)
		return;
	client->intervals->ended = true;
	hrtimer_cancel(&client->intervals->timer);
}

void ilk_intervals_free(struct ilk_client *client)
{
	struct ilk_intervals_run *run = client->intervals;

	if (!run)
		return;
	ilk_intervals_stop(client);
	client->intervals = NULL;
	kvfree(run->at);
	kvfree(run);
}

/*
 * Returns whether the client's intervals flip the gate byte of hook @iid. If so, the client must
 * not free the hook, although the hook is bound to no patch.
 */
bool ilk_intervals_use_hook(const struct ilk_client *client, u32 iid)
{
	return client->intervals && !client->intervals->ended && client->intervals->iid == iid;
}

/*
 * Copies up to @room recorded start times of intervals to @at. Returns the number of recorded
 * times, which may exceed @room.
 */
u32 ilk_intervals_get_times(struct ilk_client *client, u64 *at, u32 room)
{
	u32 count = 0;

	ilk_lock();
	if (client->intervals) {
		count = smp_load_acquire(&client->intervals->next); /* pairs with on_interval() */
		memcpy(at, client->intervals->at, min(count, room) * sizeof(*at));
	}
	ilk_unlock();
	return count;
}
