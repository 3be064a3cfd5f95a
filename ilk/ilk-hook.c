// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-hook.c - hooks and their ids
 *
 * A hook is an iid, three per-CPU cells, a gate byte and, once prepared, a
 * patch and maybe an instrument. It lives as long as its patch may run: a bound
 * hook is freed with its patch, after the grace period, and until then
 * ilk_hooks[iid] stays valid for code inside an instrument.
 */
#include <linux/bitmap.h>
#include <linux/slab.h>

#include "ilk-arm.h"
#include "ilk-client.h"
#include "ilk-driver.h"
#include "ilk-event.h"
#include "ilk-hook.h"
#include "ilk-patch.h"
#include "ilk-ring.h"
#include "ilk-time.h"
#include "ilk.h"

struct ilk_hook *ilk_hooks[ILK_HOOKS_MAX + 1];
u8 ilk_gates[ILK_HOOKS_MAX + 1];

static u32 last_iid;
static u32 hooks_live;

u32 ilk_hooks_count_live(void)
{
	return hooks_live;
}

/*
 * Returns the next free iid after the last one that was allocated, so that ids are
 * reused late; 0 if there is none.
 */
static u32 find_free_iid(void)
{
	u32 i, iid;

	for (i = 0; i < ILK_HOOKS_MAX; i++) {
		iid = 1 + (last_iid + i) % ILK_HOOKS_MAX;
		if (!ilk_hooks[iid])
			return iid;
	}
	return 0;
}

static int alloc_hook_cells(struct ilk_hook *hook, bool near)
{
	bool far = false;

	hook->near = near;
	hook->count = ilk_counter_alloc(&hook->near);
	hook->lost = ilk_counter_alloc(&far);
	far = false;
	hook->missed = ilk_counter_alloc(&far);
	return hook->count && hook->lost && hook->missed ? 0 : -ENOMEM;
}

static void free_hook_cells(struct ilk_hook *hook)
{
	ilk_counter_free(hook->count, hook->near);
	ilk_counter_free(hook->lost, false);
	ilk_counter_free(hook->missed, false);
}

/* Allocates a hook. Must be called in process context with ilk_mutex held; may sleep. */
struct ilk_hook *ilk_hook_new(struct ilk_client *client, u32 flags)
{
	struct ilk_hook *hook;
	u32 iid = find_free_iid();
	int ret;

	lockdep_assert_held(&ilk_mutex);
	if (!iid)
		return ERR_PTR(-ENOSPC);
	hook = kzalloc(sizeof(*hook), GFP_KERNEL_ACCOUNT);
	if (!hook)
		return ERR_PTR(-ENOMEM);
	ret = alloc_hook_cells(hook, flags & ILK_HOOK_COUNTER_NEAR);
	if (ret) {
		free_hook_cells(hook);
		kfree(hook);
		return ERR_PTR(ret);
	}
	hook->iid = iid;
	hook->client = client;
	hook->pid = client->pid;
	INIT_LIST_HEAD(&hook->patch_node);
	INIT_LIST_HEAD(&hook->move_node);
	list_add_tail(&hook->node, &client->hooks);
	WRITE_ONCE(ilk_gates[iid], 0);
	ilk_crash_forbid(iid);
	smp_store_release(&ilk_hooks[iid], hook);
	last_iid = iid;
	hooks_live++;
	return hook;
}

/*
 * Frees a hook that was never bound, or whose patch was restored a grace period
 * ago. Must be called with ilk_mutex held.
 */
void ilk_hook_free(struct ilk_hook *hook)
{
	WRITE_ONCE(ilk_hooks[hook->iid], NULL);
	WRITE_ONCE(ilk_gates[hook->iid], 0);
	hooks_live--;
	list_del(&hook->node);
	list_del(&hook->patch_node);
	list_del(&hook->move_node);
	if (hook->instrument)
		ilk_instrument_put(hook->instrument);
	ilk_recorder_sync();
	free_hook_cells(hook);
	kfree_rcu(hook, rcu);
}

/* ---- binding to a patch and an instrument --------------------------------- */

void ilk_hook_unbind(struct ilk_hook *hook)
{
	list_del_init(&hook->patch_node);
	list_del_init(&hook->move_node);
	hook->patch = NULL;
	if (hook->instrument)
		ilk_instrument_put(hook->instrument);
	hook->instrument = NULL;
}

static bool is_sane(const struct ilk_prepare_hook *item)
{
	u32 known = ILK_HOOK_COUNTER_NEAR | ILK_HOOK_GATED | ILK_HOOK_SAMPLES;

	return !(item->flags & ~known) && (!item->stop_ns || item->stop_ns > item->start_ns) &&
	       item->start_ns <= S64_MAX / 2 && item->stop_ns <= S64_MAX / 2;
}

/**
 * ilk_hook_bind() - give a hook its patch, instrument and times
 *
 * The patch must have been prepared in the same transaction, or not armed since it
 * was prepared. A hook that has a patch keeps it until the new one replaces it.
 * Context: Caller holds ilk_mutex.
 */
enum ilk_refusal ilk_hook_bind(struct ilk_client *client, const struct ilk_prepare_hook *item)
{
	struct ilk_patch *patch = ilk_patch_find(client, item->patch);
	struct ilk_hook *hook = ilk_hook_find(item->iid);
	struct ilk_instrument *instrument = NULL;

	if (!hook || hook->client != client || hook->watchpoint || !patch || !is_sane(item) ||
	    ilk_intervals_use_hook(client, item->iid))
		return ILK_REFUSAL_BAD_ITEM;
	if (patch->state != ILK_STATE_PREPARED || patch->scheduled)
		return ILK_REFUSAL_STATE;
	if (hook->patch)
		return ilk_switch_bind(hook, patch, item);
	if (item->instrument) {
		instrument = ilk_instrument_get(item->instrument);
		if (!instrument)
			return ILK_REFUSAL_INSTRUMENT;
	}
	hook->patch = patch;
	list_add_tail(&hook->patch_node, &patch->hooks);
	hook->instrument = instrument;
	hook->flags = item->flags;
	hook->start_ns = item->start_ns;
	hook->stop_ns = item->stop_ns;
	memcpy(hook->params, item->params, sizeof(hook->params));
	return ILK_REFUSAL_NONE;
}
