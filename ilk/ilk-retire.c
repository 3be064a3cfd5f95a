// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-retire.c - patches that are returned into, until no task can be
 *
 * The grace period of ilk-grace.c ends when no thread *runs* in a slot; one that
 * sleeps below a call made in it comes back later. So a patch with ILK_PATCH_RETURNS
 * goes on from there:
 *
 *   held      from PREPARE: the driver stays loaded, the slot stays as it is
 *   lingers   behind the grace period that followed its restore; looked at in passes
 *   released  all tasks have been seen without a word that leads into the group:
 *             quiet, or freed if the client gave it up
 *
 * The slots of one client are one group, for their code may lead into one another:
 * a pass looks for all that are held, and releases those that linger, provided that
 * none of the group was live when the pass began or has been since. A group that has
 * live patches waits for them ("blocked"); one that some task is still in is tried
 * again, at growing intervals, and after a while the log says who it is. No patch is
 * armed, restored or freed by a pass itself, and it holds ilk_mutex only to begin
 * and to end.
 */
#include <linux/bitmap.h>
#include <linux/module.h>

#include "ilk-internal.h"

#define DELAY_MIN	(HZ / 10)
#define DELAY_MAX	(2 * HZ)
#define TELL_AFTER	(10 * NSEC_PER_SEC)

static void retire_work_fn(struct work_struct *work);

static LIST_HEAD(lingering);
static DECLARE_DELAYED_WORK(retire_work, retire_work_fn);
static DECLARE_BITMAP(watched, ILK_ARENA_GRANULES);	/* written by the worker alone */
static unsigned long delay = DELAY_MIN;
static u64 last_pass;
static u64 told_group;

/* From now on a task may return into it. Context: ilk_mutex. */
void ilk_retire_hold(struct ilk_patch *patch)
{
	lockdep_assert_held(&ilk_mutex);
	__module_get(THIS_MODULE);
	patch->retire = ILK_RETIRE_HELD;
}

/* No task can, or it was never filled. Context: ilk_mutex. */
void ilk_retire_release(struct ilk_patch *patch)
{
	lockdep_assert_held(&ilk_mutex);
	if (patch->retire == ILK_RETIRE_NONE)
		return;
	patch->retire = ILK_RETIRE_NONE;
	module_put(THIS_MODULE);
}

/* Take over a held patch. Context: ilk_mutex; a grace period after it left text. */
void ilk_retire_queue(struct ilk_patch *patch)
{
	lockdep_assert_held(&ilk_mutex);
	list_move_tail(&patch->grace_node, &lingering);
	patch->retire = ILK_RETIRE_LINGERS;
	patch->pass = 0;
	delay = DELAY_MIN;
	mod_delayed_work(ilk_wq, &retire_work, 0);
}

/* Something changed that a blocked group may wait for. Context: ilk_mutex. */
void ilk_retire_kick(void)
{
	lockdep_assert_held(&ilk_mutex);
	if (!list_empty(&lingering))
		mod_delayed_work(ilk_wq, &retire_work, 0);
}

/*
 * May somebody come into the group by this patch, or have done so since @pass began?
 * What is only prepared, or inner, is reached through others alone.
 */
static bool is_live_since(const struct ilk_patch *patch, u64 pass)
{
	if (ilk_patch_in_text(patch))
		return true;
	if (!list_empty(&patch->grace_node))
		return patch->retire == ILK_RETIRE_HELD || patch->pass != pass;
	return patch->state == ILK_STATE_TRAPPED;
}

static bool group_is_live(u64 group, u64 pass)
{
	struct ilk_patch *patch;
	unsigned long id;

	ilk_each_patch(id, patch) {
		if (patch->retire && patch->group == group && is_live_since(patch, pass))
			return true;
	}
	return false;
}

/* Begin a pass for @group: mark its lingering patches and watch its slots. */
static bool begin_pass(u64 group, u64 pass)
{
	struct ilk_patch *patch;
	unsigned long id;
	bool live;

	ilk_each(patch, &lingering, grace_node) {
		if (patch->group == group)
			patch->pass = pass;
	}
	live = group_is_live(group, pass);
	bitmap_zero(watched, ILK_ARENA_GRANULES);
	ilk_each_patch(id, patch) {
		if (!patch->retire || patch->group != group)
			continue;
		if (patch->retire != ILK_RETIRE_HELD)
			patch->retire = live ? ILK_RETIRE_BLOCKED : ILK_RETIRE_LINGERS;
		bitmap_set(watched, patch->slot.granule, patch->slot.granules);
	}
	return !live;
}

/* The next group of which no patch was looked at since @first. Return: false if none. */
static bool next_group(u64 first, u64 *group)
{
	struct ilk_patch *patch;

	ilk_each(patch, &lingering, grace_node) {
		if (patch->pass >= first)
			continue;
		*group = patch->group;
		return true;
	}
	return false;
}

static void release_group(u64 group, u64 pass)
{
	struct ilk_patch *patch, *next;

	ilk_each_safe(patch, next, &lingering, grace_node) {
		if (patch->group != group || patch->pass != pass)
			continue;
		list_del_init(&patch->grace_node);
		patch->pass = 0;
		ilk_retire_release(patch);
		if (patch->forget) {
			ilk_patch_set_state(patch, ILK_STATE_RETIRED);
			ilk_patch_free(patch);
		}
	}
}

/* Once per group that waits for long. */
static void tell(u64 group, const struct ilk_holder *holder)
{
	struct ilk_patch *patch;
	u32 count = 0;
	bool long_ago = false;

	ilk_each(patch, &lingering, grace_node) {
		if (patch->group != group)
			continue;
		count++;
		long_ago |= ktime_get_ns() - patch->restored_ns > TELL_AFTER;
	}
	if (!long_ago || told_group == group)
		return;
	told_group = group;
	pr_info_ratelimited("ilk: %u patches are kept, and the driver with them: task %s (%d) may still return into one\n",
			    count, holder->comm, holder->pid);
}

/* Return: false if somebody is in the way who has to be waited for. */
static bool pass_over(u64 group, u64 pass, unsigned long own_frame)
{
	struct ilk_holder holder = { };
	bool clear;

	mutex_lock(&ilk_mutex);
	clear = begin_pass(group, pass);
	mutex_unlock(&ilk_mutex);
	if (!clear)
		return true;	/* the grace period of the last live one begins a pass */

	clear = ilk_stacks_are_clear(watched, own_frame, &holder);
	if (clear)
		ilk_exits_wait();

	mutex_lock(&ilk_mutex);
	if (clear && group_is_live(group, pass))
		clear = false;
	else if (clear)
		release_group(group, pass);
	else
		tell(group, &holder);
	mutex_unlock(&ilk_mutex);
	return clear;
}

static noinline void retire_work_fn(struct work_struct *work)
{
	unsigned long own_frame = (unsigned long)__builtin_frame_address(0);
	u64 first, group;
	bool more, clear = true;

	mutex_lock(&ilk_mutex);
	first = last_pass + 1;
	more = next_group(first, &group);
	mutex_unlock(&ilk_mutex);
	while (more) {
		clear &= pass_over(group, ++last_pass, own_frame);
		mutex_lock(&ilk_mutex);
		more = next_group(first, &group);
		mutex_unlock(&ilk_mutex);
	}
	if (clear)
		return;
	mutex_lock(&ilk_mutex);
	queue_delayed_work(ilk_wq, &retire_work, delay);
	delay = min(delay * 2, (unsigned long)DELAY_MAX);
	mutex_unlock(&ilk_mutex);
}

/* Context: module exit; nothing is held. */
void ilk_retire_exit(void)
{
	cancel_delayed_work_sync(&retire_work);
}
