// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-retire.c - keeps patches until no task can return into them
 *
 * The grace period of ilk-grace.c ends when no thread *runs* in a slot; a
 * thread that sleeps below a call made in the slot, or in a page fault, comes back
 * later. So a patch with ILK_PATCH_RETURNS, or with exception-table entries, has
 * these states too (enum ilk_retire_state):
 *
 *   HELD      since PREPARE: the driver stays loaded, the slot stays unchanged
 *   QUEUED    since the grace period after its restore has ended: examined in passes
 *   BLOCKED   like QUEUED, but live code leads into the slot: waits until that code is
 *             retired
 *   NONE      no task's stack contains a word that leads into the slot, or into code
 *             that leads to the slot: the patch is unreferenced, or freed if the client gave
 *             it up
 *
 * Code leads to a slot if it contains a jump or call to the slot, or the slot's address.
 * PREPARE finds these leads (patch->leads) without decoding: any four bytes count as a lead if
 * they are an address in another slot, or if they follow the opcode of a jump, a call or a lea and
 * are the displacement to another slot. There may be more leads than jumps, never fewer. All jumps
 * from the kernel's text to slots are ours.
 *
 * A pass searches for all QUEUED patches at once. It starts by marking slots that
 * live code leads to, searches all stacks without ilk_mutex, and ends by
 * releasing the patches to which neither live code (at any time since the pass
 * started) nor an occupied slot leads. The other patches are tried again, at
 * growing intervals; STATUS reports which tasks are in them. A task that sleeps
 * there for long is woken, as livepatch does: a user task returns to the edge
 * of user space and restarts its system call, now in restored code; a kernel
 * thread that may be woken runs once around its loop. A pass neither arms nor restores patches.
 */
#include <linux/bitmap.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "ilk-arm.h"
#include "ilk-driver.h"
#include "ilk-patch.h"
#include "ilk-retire.h"
#include "ilk-slot.h"
#include "ilk.h"

#define DELAY_MIN	(HZ / 10)
#define DELAY_MAX	(2 * HZ)
#define LOG_AFTER	(10 * NSEC_PER_SEC)
#define WAKE_FIRST	(5 * NSEC_PER_SEC)
#define WAKE_EXPEDITED	(NSEC_PER_SEC / 2)
#define WAKE_INTERVAL_MAX	(600 * NSEC_PER_SEC)
#define LEADS_MAX	1024u		/* code that leads to this many other slots is treated as
					 * if it led to every slot */

static void retire_work_fn(struct work_struct *work);

static LIST_HEAD(queued_patches);
static DECLARE_DELAYED_WORK(retire_work, retire_work_fn);
static unsigned long delay = DELAY_MIN;
static u64 last_pass;			/* number of the worker's last pass (search of all
					 * stacks) */
static u64 wake_at, wake_interval;	/* next time to wake sleeping tasks, and interval
					 * between such times; ns, CLOCK_MONOTONIC */
static bool is_logged;

/* ---- slots that code leads to ------------------------------------------------------ */

static bool is_in_slot(const struct ilk_slot *slot, u32 granule)
{
	return granule >= slot->granule && granule - slot->granule < slot->granules;
}

/*
 * Returns whether @address is in the slot (code) of another patch. Sets @granule to the index of
 * the arena's allocation unit that contains @address.
 */
static bool leads_elsewhere(const struct ilk_patch *patch, unsigned long address, u32 *granule)
{
	return ilk_arena_granule(address, granule) && !is_in_slot(&patch->slot, *granule);
}

/*
 * Returns whether the four bytes at @code + i may be the displacement of a branch. They may
 * also belong to another instruction.
 */
static bool is_after_branch(const u8 *code, u32 i)
{
	if (i && (code[i - 1] == 0xe8 || code[i - 1] == 0xe9))
		return true;
	if (i < 2)
		return false;
	return (code[i - 2] == 0x0f && (code[i - 1] & 0xf0) == 0x80) ||
	       (code[i - 2] == 0x8d && (code[i - 1] & 0xc7) == 0x05);
}

static int add_lead(struct ilk_patch *patch, u32 granule)
{
	u32 i, room, *more;

	if (patch->lead_count == LEADS_MAX)
		return 0;
	for (i = 0; i < patch->lead_count; i++)
		if (patch->leads[i] == granule)
			return 0;
	if (is_power_of_2(patch->lead_count) || !patch->lead_count) {
		room = patch->lead_count ? 2 * patch->lead_count : 1;
		more = krealloc_array(patch->leads, room, sizeof(*more), GFP_KERNEL);
		if (!more)
			return -ENOMEM;
		patch->leads = more;
	}
	patch->leads[patch->lead_count++] = granule;
	return 0;
}

/**
 * ilk_retire_find_leads() - note which other slots the code of a patch leads to
 *
 * Context: ilk_mutex held; the code is about to be written into its slot.
 * Return: 0; -ENOMEM, and the code must not be used.
 */
int ilk_retire_find_leads(struct ilk_patch *patch, const u8 *code, u32 len)
{
	unsigned long at = ilk_slot_address(&patch->slot);
	u32 i, granule;
	s32 word;
	int ret = 0;

	ilk_retire_clear_leads(patch);
	for (i = 0; i + sizeof(word) <= len && !ret; i++) {
		memcpy(&word, code + i, sizeof(word));
		if (is_after_branch(code, i) &&
		    leads_elsewhere(patch, at + i + sizeof(word) + word, &granule))
			ret = add_lead(patch, granule);
		if (!ret && leads_elsewhere(patch, (unsigned long)(long)word, &granule))
			ret = add_lead(patch, granule);
	}
	return ret;
}

void ilk_retire_clear_leads(struct ilk_patch *patch)
{
	kfree(patch->leads);
	patch->leads = NULL;
	patch->lead_count = 0;
}

static bool is_marked(const unsigned long *granules, const struct ilk_slot *slot)
{
	unsigned long end = slot->granule + slot->granules;

	return find_next_bit(granules, end, slot->granule) < end;
}

/*
 * While any slot is marked, also marks the slots to which its code jumps, which its code calls, and
 * whose address its code contains. Must be called with ilk_mutex held.
 */
static void propagate_marks(unsigned long *granules)
{
	struct ilk_patch *patch;
	unsigned long id;
	bool more = true;
	u32 i;

	while (more) {
		more = false;
		ilk_each_patch(id, patch) {
			if (!patch->lead_count || !is_marked(granules, &patch->slot))
				continue;
			for (i = 0; i < patch->lead_count; i++)
				more |= !__test_and_set_bit(patch->leads[i], granules);
			if (patch->lead_count == LEADS_MAX) {
				bitmap_fill(granules, ILK_ARENA_GRANULES);
				return;
			}
		}
	}
}

/* ---- patches that are held or queued ------------------------------------------------- */

/*
 * Notes that from now on a task may return into the patch. Must be called with
 * ilk_mutex held.
 */
void ilk_retire_hold(struct ilk_patch *patch)
{
	lockdep_assert_held(&ilk_mutex);
	__module_get(THIS_MODULE);
	patch->retire = ILK_RETIRE_HELD;
}

/*
 * Notes that no task can return into the patch, or that its slot was never written.
 * Must be called with ilk_mutex held.
 */
void ilk_retire_release(struct ilk_patch *patch)
{
	lockdep_assert_held(&ilk_mutex);
	if (patch->retire == ILK_RETIRE_NONE)
		return;
	patch->retire = ILK_RETIRE_NONE;
	patch->holder.pid = 0;
	module_put(THIS_MODULE);
}

/*
 * Queues a patch that tasks may return into (a held patch) for a search of all stacks, a grace
 * period after the patch was removed from text. Must be called with ilk_mutex held.
 */
void ilk_retire_queue(struct ilk_patch *patch)
{
	lockdep_assert_held(&ilk_mutex);
	list_move_tail(&patch->grace_node, &queued_patches);
	patch->retire = ILK_RETIRE_QUEUED;
	patch->pass = 0;
	delay = DELAY_MIN;
	wake_interval = WAKE_FIRST;
	wake_at = ktime_get_ns() + wake_interval;
	is_logged = false;
	mod_delayed_work(ilk_wq, &retire_work, 0);
}

/*
 * Starts a search of all stacks (a pass) after a change for which a patch in the queue may be
 * waiting. Must be called with ilk_mutex held.
 */
void ilk_retire_start_pass(void)
{
	lockdep_assert_held(&ilk_mutex);
	if (!list_empty(&queued_patches))
		mod_delayed_work(ilk_wq, &retire_work, 0);
}

/*
 * Starts a search of all stacks (a pass), and soon and often wakes sleeping tasks that may return
 * into a patch, as a caller is waiting. Must be called with ilk_mutex held.
 */
void ilk_retire_expedite(void)
{
	lockdep_assert_held(&ilk_mutex);
	if (list_empty(&queued_patches))
		return;
	wake_at = min_t(u64, wake_at, ktime_get_ns() + WAKE_EXPEDITED);
	delay = DELAY_MIN;
	mod_delayed_work(ilk_wq, &retire_work, 0);
}

/* ---- a pass, which searches all stacks once ------------------------------------------- */

/*
 * Returns whether a thread may enter a patch's code directly, not through other code, or may have
 * done so since search @pass of all stacks started. Patches that are only prepared, and inner
 * patches, are entered only through other code.
 */
static bool is_live_since(const struct ilk_patch *patch, u64 pass)
{
	if (ilk_patch_in_text(patch))
		return true;
	if (!list_empty(&patch->grace_node))
		return patch->retire < ILK_RETIRE_QUEUED || patch->pass != pass;
	return patch->state == ILK_STATE_TRAPPED;
}

static void mark_live(unsigned long *granules, u64 pass)
{
	struct ilk_patch *patch;
	unsigned long id;

	ilk_each_patch(id, patch)
		if (is_live_since(patch, pass))
			bitmap_set(granules, patch->slot.granule, patch->slot.granules);
}

/*
 * Decides for each queued patch whether to search all stacks for tasks that may return into it.
 * Returns whether there is any such patch.
 */
static bool start_search_pass(struct ilk_search *search, u64 pass)
{
	struct ilk_patch *patch;
	u64 now = ktime_get_ns();
	bool any = false, returns = false;

	lockdep_assert_held(&ilk_mutex);
	ilk_each(patch, &queued_patches, grace_node)
		patch->pass = pass;
	mark_live(search->reached, pass);
	propagate_marks(search->reached);
	ilk_each(patch, &queued_patches, grace_node) {
		if (is_marked(search->reached, &patch->slot)) {
			patch->retire = ILK_RETIRE_BLOCKED;
			patch->holder.pid = 0;
			continue;
		}
		patch->retire = ILK_RETIRE_QUEUED;
		bitmap_set(search->watched, patch->slot.granule, patch->slot.granules);
		any = true;
		returns |= patch->returns;
	}
	/* Tasks that sleep in a page fault are not woken: waking them would not end the fault. */
	search->wake_sleepers = returns && now >= wake_at;
	if (search->wake_sleepers) {
		wake_interval = min_t(u64, 2 * wake_interval, WAKE_INTERVAL_MAX);
		wake_at = now + wake_interval;
	}
	return any;
}

static void release_patch(struct ilk_patch *patch)
{
	list_del_init(&patch->grace_node);
	patch->pass = 0;
	ilk_retire_release(patch);
	if (!patch->client) {
		ilk_patch_set_state(patch, ILK_STATE_RETIRED);
		ilk_patch_free(patch);
	}
}

static void note_holder(struct ilk_patch *patch, const struct ilk_search *search)
{
	u32 i;

	patch->holder.pid = 0;
	for (i = 0; i < search->holder_count && !patch->holder.pid; i++)
		if (search->holders[i].granule == ILK_ANY_GRANULE ||
		    is_in_slot(&patch->slot, search->holders[i].granule))
			patch->holder = search->holders[i];
}

/*
 * Logs that a task keeps patches from being freed, if that has lasted for long. Logs this once for
 * all patches that are waiting at the same time.
 */
static void log_waiting(u32 count, u64 since, const struct ilk_holder *holder)
{
	if (is_logged || !holder->pid || ktime_get_ns() - since < LOG_AFTER)
		return;
	is_logged = true;
	pr_info_ratelimited("ilk: %u patches are kept, and the driver with them: task %s (%d) may still return into one\n",
			    count, holder->comm, holder->pid);
}

/*
 * Frees the patches into which no task can return any longer. Returns false if the search must be
 * repeated because a task may still return into one of the others.
 */
static bool finish_search_pass(struct ilk_search *search, u64 pass)
{
	const struct ilk_holder *holder = &search->holders[0];
	struct ilk_patch *patch, *next;
	u64 since = U64_MAX;
	u32 left = 0;

	lockdep_assert_held(&ilk_mutex);
	bitmap_copy(search->reached, search->occupied, ILK_ARENA_GRANULES);
	mark_live(search->reached, pass);
	propagate_marks(search->reached);
	ilk_each_safe(patch, next, &queued_patches, grace_node) {
		if (patch->pass != pass || patch->retire != ILK_RETIRE_QUEUED)
			continue;
		if (!is_marked(search->reached, &patch->slot)) {
			release_patch(patch);
			continue;
		}
		note_holder(patch, search);
		since = min(since, patch->restored_ns);
		left++;
	}
	if (left)
		log_waiting(left, since, holder);
	return !left;
}

static noinline void retire_work_fn(struct work_struct *work)
{
	struct ilk_search *search = kvzalloc(sizeof(*search), GFP_KERNEL);
	bool any, clear = false;
	u64 pass = ++last_pass;

	if (!search)
		goto out_again;
	search->own_frame = (unsigned long)__builtin_frame_address(0);
	ilk_lock();
	any = start_search_pass(search, pass);
	ilk_unlock();
	if (any && ilk_stacks_search(search)) {
		ilk_exits_wait();
		ilk_lock();
		clear = finish_search_pass(search, pass);
		ilk_unlock();
	}
	kvfree(search);
	/*
	 * If no stack had to be searched, because live code leads into all queued patches, the next
	 * search starts when the grace period of that code ends.
	 */
	if (!any)
		return;
out_again:
	if (clear)
		return;
	ilk_lock();
	queue_delayed_work(ilk_wq, &retire_work, delay);
	delay = min(delay * 2, (unsigned long)DELAY_MAX);
	ilk_unlock();
}

/*
 * Reports in @status why a patch is not freed yet, and for which task it waits. Must be called with
 * ilk_mutex held.
 */
void ilk_retire_status(const struct ilk_patch *patch, struct ilk_patch_status *status)
{
	if (list_empty(&patch->grace_node))
		return;
	switch (patch->retire) {
	case ILK_RETIRE_BLOCKED:
		status->wait = ILK_WAIT_LIVE;
		break;
	case ILK_RETIRE_QUEUED:
		status->wait = patch->holder.pid ? ILK_WAIT_TASK : ILK_WAIT_STACKS;
		status->wait_pid = patch->holder.pid;
		memcpy(status->wait_comm, patch->holder.comm, sizeof(status->wait_comm));
		break;
	default:
		status->wait = ILK_WAIT_GRACE;
	}
}

/*
 * Stops the worker that searches stacks. Must be called at module exit, when no task may return
 * into a patch any longer.
 */
void ilk_retire_exit(void)
{
	cancel_delayed_work_sync(&retire_work);
}
