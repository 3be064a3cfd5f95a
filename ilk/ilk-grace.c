// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-grace.c - waits until no thread can be in code that is about to be changed or freed
 *
 * One worker serves all patches: it takes all waiting patches, waits once for
 * them (for every CPU, then RCU-tasks: ilk-visit.c), and then acts by their state:
 *
 *   TRAPPED			no thread is between the footprint's instructions:
 *				the jump replaces the trap. The jump of a guest is written after the
 *				jump of its host. If an instruction other than the first may fault,
 *				a task may sleep in the fault and continue in the footprint: then
 *				all stacks are searched, and the trap stays while there is such a
 *				task
 *   RESTORED, FAILED, GONE	no thread is in the slot, no int3 hit is in flight:
 *				the tombstone is removed, and the jump of a bounce; the
 *				patch is freed if the client gave it up. If a task may
 *				still return into the slot, ilk-retire.c takes over
 *   PREPARED			an ARM failed; only the tombstone is removed
 *
 * A patch whose state changes during the wait is queued again and leaves the
 * batch: so a wait counts only if it started after the last change. A busy
 * kernel thread may stall the wait for long; nothing waits for the worker.
 * While the worker has something to do, it keeps the driver loaded.
 *
 * Orphans are patches whose client is gone but whose bytes were overwritten by
 * other patchers. They stay armed, keep the driver loaded, and are retried. Two other kinds of
 * patches are retried: restored patches whose bounce was overwritten, and traps with a sleeping
 * task in the footprint.
 */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "ilk-arm.h"
#include "ilk-driver.h"
#include "ilk-patch.h"
#include "ilk-retire.h"
#include "ilk-text.h"
#include "ilk.h"

#define ORPHAN_RETRY	(2 * HZ)

static void grace_work_fn(struct work_struct *work);
static void orphan_work_fn(struct work_struct *work);

static LIST_HEAD(waiting);
static bool working;			/* the worker has work, and holds a reference to this
					 * module */
static LIST_HEAD(orphans);
static LIST_HEAD(retry_list);		/* patches to try again; linked by grace_node */
static DECLARE_WORK(grace_work, grace_work_fn);
static DECLARE_DELAYED_WORK(orphan_work, orphan_work_fn);

static void start_grace_work(void)
{
	if (!working)
		__module_get(THIS_MODULE);
	working = true;
	queue_work(ilk_wq, &grace_work);
}

static void finish_work(void)
{
	if (!working)			/* an earlier run of the worker has dropped the reference */
		return;
	working = false;
	module_put(THIS_MODULE);
}

/*
 * Makes the patch wait until a grace period that starts now has ended. Must be called with
 * ilk_mutex held.
 */
void ilk_grace_queue(struct ilk_patch *patch)
{
	lockdep_assert_held(&ilk_mutex);
	list_move_tail(&patch->grace_node, &waiting);
	if (patch->retire)
		patch->retire = ILK_RETIRE_HELD;
	patch->pass = 0;
	start_grace_work();
}

static void withdraw_tombstone(struct ilk_patch *patch)
{
	struct ilk_site *site = patch->site;

	if (!site || ilk_patch_in_text(patch))
		return;
	patch->hits_before += atomic64_read(&site->hits);
	patch->site = NULL;
	ilk_site_withdraw(site);
}

static bool is_patch_finished(const struct ilk_patch *patch)
{
	return patch->state == ILK_STATE_RESTORED || patch->state == ILK_STATE_FAILED ||
	       patch->state == ILK_STATE_GONE;
}

/*
 * Drops an orphan (a patch without a client) that another patcher has removed from text: removing
 * it need not be tried again.
 */
static void remove_orphan(struct ilk_patch *patch)
{
	if (patch->client || list_empty(&patch->node))
		return;
	list_del_init(&patch->node);
	module_put(THIS_MODULE);
}

/* ---- tasks that sleep in a fault in the middle of a footprint ------------------------- */

/*
 * Lists the addresses in the footprints of @batch at which tasks that sleep in a fault would
 * continue. Returns the number of addresses, and stores at most @room of them. Must be called with
 * ilk_mutex held.
 */
static u32 list_places(const struct list_head *batch, unsigned long *places, u32 room)
{
	struct ilk_patch *patch;
	u32 i, n = 0;

	ilk_each(patch, batch, grace_node) {
		if (patch->state != ILK_STATE_TRAPPED)
			continue;
		for (i = 1; i < patch->text.len; i++) {
			if (!(patch->fault_mask & 1U << i))
				continue;
			if (places && n < room)
				places[n] = patch->text.addr + i;
			n++;
		}
	}
	return min(n, room);
}

static int by_address(const void *a, const void *b)
{
	unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;

	return x < y ? -1 : x > y;
}

/*
 * Returns the addresses in the footprints of a batch at which some task may continue, in
 * ascending order, and sets @count to their number. NULL with @count not 0: the addresses are
 * not known.
 */
static unsigned long *find_occupied_places(const struct list_head *batch, u32 *count)
{
	unsigned long own_frame = (unsigned long)__builtin_frame_address(0);
	struct ilk_search *search = NULL;
	unsigned long *places;
	u32 i, met = 0;

	ilk_lock();
	*count = list_places(batch, NULL, U32_MAX);
	ilk_unlock();
	if (!*count)
		return NULL;
	places = kvmalloc_array(*count, sizeof(*places), GFP_KERNEL);
	search = kvzalloc(sizeof(*search), GFP_KERNEL);
	if (!places || !search)
		goto out_free;
	ilk_lock();
	*count = list_places(batch, places, *count);
	ilk_unlock();
	sort(places, *count, sizeof(*places), by_address, NULL);
	search->places = places;
	search->place_count = *count;
	search->own_frame = own_frame;
	search->occupied_places = kvcalloc(BITS_TO_LONGS(*count) + 1, sizeof(long), GFP_KERNEL);
	if (!search->occupied_places || !ilk_stacks_search(search))
		goto out_free;
	for (i = 0; i < *count; i++)
		if (test_bit(i, search->occupied_places))
			places[met++] = places[i];
	*count = met;
	kvfree(search->occupied_places);
	kvfree(search);
	return places;

out_free:
	if (search)
		kvfree(search->occupied_places);
	kvfree(search);
	kvfree(places);
	return NULL;
}

static bool is_occupied(const struct ilk_patch *patch, const unsigned long *places, u32 count)
{
	u32 i;

	if (count && !places)
		return patch->fault_mask & ~1U;
	for (i = 0; i < count; i++)
		if (places[i] > patch->text.addr && places[i] < patch->text.addr + patch->text.len)
			return true;
	return false;
}

static void retry_later(struct ilk_patch *patch)
{
	list_add_tail(&patch->grace_node, &retry_list);
	queue_delayed_work(ilk_wq, &orphan_work, ORPHAN_RETRY);
}

static void finish_batch(struct list_head *batch, const unsigned long *met, u32 met_count)
{
	struct ilk_patch *patch, *next;
	LIST_HEAD(splice);
	LIST_HEAD(guests);

	ilk_bounces_lift(batch, false);
	ilk_each_safe(patch, next, batch, grace_node) {
		list_del_init(&patch->grace_node);
		if (patch->state == ILK_STATE_TRAPPED) {
			if (is_occupied(patch, met, met_count))
				retry_later(patch);
			else if (!ilk_text_is_poisoned())
				list_add_tail(&patch->text.node,
					      patch->guest ? &guests : &splice);
			continue;
		}
		if (patch->state == ILK_STATE_LENDING)
			continue;
		if (ilk_bounce_in_text(patch) && !ilk_patch_in_text(patch)) {
			retry_later(patch);
			continue;
		}
		withdraw_tombstone(patch);
		if (is_patch_finished(patch))
			remove_orphan(patch);
		if (patch->retire && is_patch_finished(patch)) {
			ilk_retire_queue(patch);
		} else if (!patch->client && is_patch_finished(patch)) {
			ilk_patch_set_state(patch, ILK_STATE_RETIRED);
			ilk_patch_free(patch);
		}
	}
	if (!list_empty(&splice))
		ilk_patches_splice(&splice);
	ilk_guests_collect_waiting(&splice, &guests);
	ilk_guests_splice(&guests);
	ilk_retire_start_pass();
}

static void grace_work_fn(struct work_struct *work)
{
	unsigned long *met;
	LIST_HEAD(batch);
	u32 met_count;

	for (;;) {
		ilk_lock();
		list_splice_init(&waiting, &batch);
		if (list_empty(&batch))
			finish_work();
		ilk_unlock();
		if (list_empty(&batch))
			return;

		ilk_visit_all();
		ilk_visit_tasks();
		met = find_occupied_places(&batch, &met_count);

		ilk_lock();
		finish_batch(&batch, met, met_count);
		ilk_unlock();
		kvfree(met);
	}
}

/*
 * Takes over a patch (an orphan) that is still in text although its client is gone. Must be called
 * with ilk_mutex held.
 */
void ilk_grace_add_orphan(struct ilk_patch *patch)
{
	list_add_tail(&patch->node, &orphans);
	__module_get(THIS_MODULE);
	queue_delayed_work(ilk_wq, &orphan_work, ORPHAN_RETRY);
}

static void orphan_work_fn(struct work_struct *work)
{
	struct ilk_patch *patch, *next;
	LIST_HEAD(batch);

	ilk_lock();
	ilk_each(patch, &orphans, node)
		list_add_tail(&patch->text.node, &batch);
	ilk_patches_restore(&batch);
	ilk_each_safe(patch, next, &orphans, node) {
		if (ilk_patch_in_text(patch))
			continue;
		remove_orphan(patch);
		ilk_grace_queue(patch);
	}
	if (!list_empty(&orphans))
		queue_delayed_work(ilk_wq, &orphan_work, ORPHAN_RETRY);
	if (!list_empty(&retry_list)) {
		list_splice_tail_init(&retry_list, &waiting);
		start_grace_work();
	}
	ilk_unlock();
}

/*
 * Stops the workers. Must be called at module exit, when no client is left and the workers are
 * idle.
 */
void ilk_grace_exit(void)
{
	cancel_delayed_work_sync(&orphan_work);
	flush_work(&grace_work);
}
