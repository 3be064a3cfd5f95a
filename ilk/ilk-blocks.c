// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-blocks.c - hooks switched off and on in blocks of time
 *
 * One gate is flipped from a hard interrupt, and with it all hooks whose code looks at it. When
 * each block began is kept as it was, not as it should have been: a late timer makes a block
 * longer, and the next one shorter. Of blocks that are over already, as after a long ARM, each
 * is an interrupt of its own: a thousand of them hold no CPU.
 *
 * A timer goes from ilk_blocks_start() to ilk_blocks_stop(), both under ilk_mutex; between them nothing
 * but the timer writes here.
 */
#include <linux/hrtimer.h>
#include <linux/slab.h>

#include "ilk-internal.h"

#define BREATHER_NS	20000

/**
 * struct ilk_blocks_run - the blocks of one client
 * @next: blocks that have begun; count + 1: the last one has ended, too
 * @on: of each
 * @at: when it began, before @next says so
 * @ended: it was stopped, and is not started again
 */
struct ilk_blocks_run {
	struct hrtimer timer;
	u64 zero, period;
	u32 iid, count, next;
	u64 *at;
	bool ended;
	u8 on[];
};

static enum hrtimer_restart on_block(struct hrtimer *timer)
{
	struct ilk_blocks_run *run = container_of(timer, struct ilk_blocks_run, timer);
	u32 k = run->next;
	bool on = k == run->count || run->on[k];
	u64 next = run->zero + (k + 1) * run->period;

	/* So that all that is recorded while they are on lies in a block that is. */
	if (on)
		run->at[k] = ktime_get_ns();
	WRITE_ONCE(ilk_gates[run->iid], on);
	if (!on)
		run->at[k] = ktime_get_ns();
	smp_store_release(&run->next, k + 1);	/* pairs with ilk_blocks_tell() */
	if (k == run->count)
		return HRTIMER_NORESTART;
	hrtimer_set_expires(timer, ns_to_ktime(max(next, run->at[k] + BREATHER_NS)));
	return HRTIMER_RESTART;
}

static bool is_sane(const struct ilk_blocks *call, const u8 *on)
{
	u32 i;

	for (i = 0; i < call->count; i++)
		if (on[i] > 1)
			return false;
	return call->period_ns >= ILK_BLOCK_LEAST_NS &&
	       call->period_ns <= S64_MAX / 4 / ILK_BLOCKS_MAX;
}

static int set_locked(struct ilk_client *client, struct ilk_blocks_run *run, u32 iid)
{
	struct ilk_hook *hook = ilk_hook_find(iid);

	if (client->zero.mono_ns)
		return -EBUSY;
	if (run && (!hook || hook->client != client || hook->patch || hook->watcher))
		return -ENOENT;
	ilk_blocks_free(client);
	client->blocks = run;
	return 0;
}

/**
 * ilk_blocks_set() - what is to be switched, from the ARM on that makes time zero
 * Return: 0, -EINVAL, -ENOENT no hook of this client without a patch, -EBUSY, -ENOMEM.
 */
int ilk_blocks_set(struct ilk_client *client, const struct ilk_blocks *call, const u8 *on)
{
	struct ilk_blocks_run *run = NULL;
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
		ilk_hrtimer_setup(&run->timer, on_block, HRTIMER_MODE_ABS_HARD);
		run->iid = call->iid;
		run->count = call->count;
		run->period = call->period_ns;
		memcpy(run->on, on, call->count);
	}
	ilk_lock();
	ret = set_locked(client, run, call->iid);
	ilk_unlock();
	if (ret && run) {
		kvfree(run->at);
		kvfree(run);
	}
	return ret;
}

/* Context: ilk_mutex; time zero is known. */
void ilk_blocks_start(struct ilk_client *client)
{
	struct ilk_blocks_run *run = client->blocks;

	if (!run || run->ended)
		return;
	run->zero = client->zero.mono_ns;
	run->next = 0;
	hrtimer_start(&run->timer, ns_to_ktime(run->zero), HRTIMER_MODE_ABS_HARD);
}

/* No gate flips any more; what was noted stays. Context: may hold ilk_mutex. */
void ilk_blocks_stop(struct ilk_client *client)
{
	if (!client->blocks)
		return;
	client->blocks->ended = true;
	hrtimer_cancel(&client->blocks->timer);
}

void ilk_blocks_free(struct ilk_client *client)
{
	struct ilk_blocks_run *run = client->blocks;

	if (!run)
		return;
	ilk_blocks_stop(client);
	client->blocks = NULL;
	kvfree(run->at);
	kvfree(run);
}

/* Is it the hook whose gate is flipped? It must not be freed meanwhile, as bound ones may be. */
bool ilk_blocks_hold(const struct ilk_client *client, u32 iid)
{
	return client->blocks && !client->blocks->ended && client->blocks->iid == iid;
}

/* Return: how many moments there are, of which @room at most are in @at. */
u32 ilk_blocks_tell(struct ilk_client *client, u64 *at, u32 room)
{
	u32 count = 0;

	ilk_lock();
	if (client->blocks) {
		count = smp_load_acquire(&client->blocks->next);	/* pairs with on_block() */
		memcpy(at, client->blocks->at, min(count, room) * sizeof(*at));
	}
	ilk_unlock();
	return count;
}
